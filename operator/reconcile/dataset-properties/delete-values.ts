import { MissingError } from '../../../client/http-errors.ts';
import type { Owner } from '../../catalogue/catalogue.ts';
import { mapConcurrently } from '../../runtime/map-concurrently.ts';
import { letGo } from '../common-steps.ts';
import { instructionsFor } from '../instructions.ts';
import { counted, listed } from '../messages.ts';
import { type Outcome, proceed, requeue } from '../outcome.ts';
import { isMarkOf } from '../ownership.ts';
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
    return await letGo(work, tools, `${counted(marks.length, 'value')} retained`);
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
  return await letGo(work, tools, `${counted(count, 'value')} removed`);
}

async function removeFrom(
  urn: string,
  owner: Owner,
  { entry }: DatasetWork,
  { catalogue, index, source }: Tools,
): Promise<{ urn: string; properties: string[]; gone: boolean }> {
  const entity = entityWithUrn(urn);
  const claims = entity === undefined ? undefined : claimsOn(entity, entry, index);
  const own = (await catalogue.marksOn(urn)).filter((mark) => isMarkOf(mark, source.name, entry.id));
  // What another resource claims as well is left to it, with the value that is there.
  const properties = own
    .map(({ propertyUrn }) => propertyUrn)
    .filter((property) => property !== undefined && claims?.heir(property) === undefined) as string[];
  if (properties.length === 0) return { urn, properties, gone: true };
  try {
    const changes = properties.map((propertyUrn) => ({ op: 'remove', propertyUrn }) as const);
    await catalogue.patchAssignments(urn, changes, { owner, create: false });
  } catch (error) {
    if (error instanceof MissingError) return { urn, properties: [], gone: true };
    throw error;
  }
  const held = (await catalogue.readAssignments(urn)) ?? [];
  return { urn, properties, gone: !held.some(({ propertyUrn }) => properties.includes(propertyUrn)) };
}
