import { MissingError, RejectedError } from '../../../client/http-errors.ts';
import type { Assignment } from '../../../model/assignment.ts';
import type { DatasetPropertiesResource } from '../../../model/resource/resource.ts';
import { counted, listed } from '../../../process/text.ts';
import type { Owner } from '../../catalogue/catalogue.ts';
import { mapConcurrently } from '../../runtime/map-concurrently.ts';
import type { Wished } from '../../table/object-table.ts';
import { leaveTo, letGo } from '../common-steps.ts';
import { instructionsFor } from '../instructions.ts';
import { type Outcome, proceed, requeue } from '../outcome.ts';
import { canInherit, isMarkOf, ownerOf } from '../ownership.ts';
import type { Tools } from '../step.ts';
import { claimsOn } from './claims.ts';
import { entityWithUrn } from './entity.ts';
import type { DatasetWork } from './work.ts';

/**
 * Carries out the deletion policy on everything that has our mark. No references are resolved: what is being deleted must
 * not wait for anything.
 */
export async function deleteValues(work: DatasetWork, tools: Tools): Promise<Outcome> {
  const { entry, resource, report } = work;
  if (!entry.deleting) return proceed;
  const marks = await tools.catalogue.marksOf(entry.id);
  const policy =
    resource?.spec.deletionPolicy ?? (marks.some((mark) => mark.deletionPolicy === 'Retain') ? 'Retain' : 'Remove');
  if (policy === 'Retain' || instructionsFor(entry).observeOnly) {
    return await letGo(work, tools, `${counted(marks.length, 'value')} retained`, marks);
  }
  const owner: Owner = { ...entry.id, source: tools.source.name, deletionPolicy: policy };
  const urns = [...new Set(marks.map(({ urn }) => urn))];
  const removed = await mapConcurrently(urns, 8, (urn) =>
    tools.locks.run(urn, () => removeFrom(urn, owner, work, tools)),
  );
  const left = removed.filter(({ gone }) => !gone).map(({ urn }) => urn);
  if (left.length > 0) return requeue('backoff', 'Deleting', `values are still on ${listed(left)}`);
  for (const { properties } of removed) for (const property of properties) report.recount.add(property);
  const count = removed.reduce((sum, { properties }) => sum + properties.length, 0);
  if (count > 0) report.written.push(`${counted(count, 'value')} removed`);
  return await letGo(work, tools, `${counted(count, 'value')} removed`, marks);
}

async function removeFrom(
  urn: string,
  owner: Owner,
  { entry }: DatasetWork,
  tools: Tools,
): Promise<{ urn: string; properties: string[]; gone: boolean }> {
  const { catalogue, index, source } = tools;
  const entity = entityWithUrn(urn);
  const claims = entity === undefined ? undefined : claimsOn(entity, entry, index);
  const holder = await catalogue.readHolder(urn);
  const marks = (holder?.marks ?? []).filter((mark) => isMarkOf(mark, source.name, entry.id));
  const own = marks.map(({ propertyUrn }) => propertyUrn);
  const heirs = new Map(own.map((property) => [property, claims?.heir(property)] as const));
  if (!(await handOver(urn, holder?.assignments ?? [], heirs, tools))) return { urn, properties: [], gone: false };
  const properties = own.filter((property) => heirs.get(property) === undefined);
  if (properties.length === 0) return { urn, properties, gone: true };
  try {
    const changes = properties.map((propertyUrn) => ({ op: 'remove', propertyUrn }) as const);
    await catalogue.patchAssignments(urn, changes, { owner, create: false });
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
    return { urn, properties: [], gone: (await catalogue.readHolder(urn)) === undefined };
  }
  const held = (await catalogue.readHolder(urn))?.assignments ?? [];
  return { urn, properties, gone: !held.some(({ propertyUrn }) => properties.includes(propertyUrn)) };
}

/** What another resource claims as well is left to it, with the value that is there. @returns whether it could be. */
async function handOver(
  urn: string,
  assignments: readonly Assignment[],
  heirs: ReadonlyMap<string, Wished<DatasetPropertiesResource> | undefined>,
  tools: Tools,
): Promise<boolean> {
  const { catalogue, source } = tools;
  for (const { propertyUrn, values } of assignments) {
    const heir = heirs.get(propertyUrn);
    if (heir === undefined || !canInherit(heir.entry)) continue;
    const owner = ownerOf(heir.resource, source.name);
    const isLeft = await leaveTo(heir.entry.id, tools, async () => {
      try {
        await catalogue.patchAssignments(urn, [{ op: 'add', propertyUrn, values }], { owner, create: false });
      } catch (error) {
        // A value that its definition does not allow any more, or a dataset that is gone: the heir will see.
        if (!(error instanceof RejectedError || error instanceof MissingError)) throw error;
      }
    });
    if (!isLeft) return false;
  }
  return true;
}
