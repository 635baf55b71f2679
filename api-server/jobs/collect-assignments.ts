import { parseUrn } from '../../model/urn.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { draftOf, withOwners } from '../catalog/write/entity-draft.ts';
import { updateEntity } from '../catalog/write/entity-writer.ts';
import { rememberEndedEpoch } from './ended-epochs.ts';
import type { Job } from './job.ts';
import type { JobWork } from './job-runner.ts';

const HOLDERS_AT_ONCE = 100;

/**
 * Removes the assignments of one epoch of a property from all its holders, of whatever entity type. By epoch and never by
 * the property alone: a property of the same name may live again.
 */
export function collectAssignments(parts: CatalogParts): JobWork {
  return {
    settles: true,
    // An epoch that has ended never comes back, so this is asked before the work and not again in it.
    hasHappened: async (job) => (await parts.store.entities.get(job.subject))?.definitionState?.epoch !== job.remains,
    count: (job) => parts.store.entities.countHolders(job.subject, job.remains),
    async step(job) {
      const holders = await parts.store.entities.holders({
        propertyUrn: job.subject,
        epoch: job.remains,
        limit: HOLDERS_AT_ONCE,
        ...(job.cursor === undefined ? {} : { after: job.cursor }),
      });
      await Promise.all(holders.map((urn) => removeFrom(parts, urn, job)));
      const cursor = holders.at(-1);
      const finished = holders.length < HOLDERS_AT_ONCE;
      if (finished) await rememberEndedEpoch(parts.store, job.remains, job.subject);
      return {
        processed: holders.length,
        finished,
        ...(cursor === undefined ? {} : { cursor }),
      };
    },
  };
}

async function removeFrom(parts: CatalogParts, urn: string, { subject, remains }: Job): Promise<void> {
  const context = { actor: 'urn:li:corpuser:__datahub_system', deadline: Number.POSITIVE_INFINITY };
  const isRemains = ({ propertyUrn, epoch }: { propertyUrn: string; epoch: string }) =>
    propertyUrn === subject && epoch === remains;
  try {
    await updateEntity(parts, parseUrn(urn), context, (current) => {
      const draft = draftOf(current);
      if (current === undefined || !draft.assignments.some(isRemains)) throw new NothingToRemove();
      const left = { ...draft, assignments: draft.assignments.filter((assignment) => !isRemains(assignment)) };
      // An entity has one assignment of a property: this was the one that the mark is on.
      return withOwners(left, new Map([[subject, undefined]]));
    });
  } catch (error) {
    const isGone = error instanceof NothingToRemove || (error instanceof CatalogError && error.code === 'missing');
    if (!isGone) throw error;
  }
}

/** The entity is gone, or somebody has written it without the remains already. */
class NothingToRemove extends Error {}
