import { collecting } from '../../model/entity/removals.ts';
import { parseUrn } from '../../model/urn.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { storeChange } from '../catalog/write/store-change.ts';
import { CLEANER } from './cleaner.ts';
import { rememberEndedEpoch } from './ended-epochs.ts';
import type { JobWork } from './job-work.ts';

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
      const { subject, remains } = job;
      await Promise.all(holders.map((urn) => storeChange(parts, collecting(parseUrn(urn), subject, remains), CLEANER)));
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
