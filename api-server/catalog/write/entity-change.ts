import { assignmentTokens } from '../../../model/patch.ts';
import type { EntityDocument } from '../../store/port.ts';
import { missing } from '../errors.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import type { EntityDraft } from './entity-draft.ts';
import type { EntityWrite } from './entity-write.ts';
import { updateEntity } from './entity-writer.ts';
import { checkPatch, type EntityPatch } from './patch-entity.ts';
import { beforeStored, checkWrite, type WriteContext } from './write-entity.ts';

/** What one request wants of one entity. */
export type EntityChange = EntityWrite | EntityPatch;

/** Checks and carries out one change. */
export function changeEntity(
  parts: CatalogParts,
  change: EntityChange,
  context: RequestContext,
): Promise<EntityDocument> {
  return updateEntity(parts, change.urn, context, (current) => prepareChange(parts, change, current, context));
}

/**
 * Checks a change against what the entity is now, for a batch that is carried out later.
 * @returns what the entity would be, and the change bound to what it was checked for.
 */
export async function checkChange(
  parts: CatalogParts,
  change: EntityChange,
  current: EntityDocument | undefined,
  context: WriteContext,
): Promise<{ readonly draft: EntityDraft; readonly bound: EntityChange }> {
  const bound = { ...change, checkedFor: current?.incarnation ?? 'nothing' };
  if (isPatch(bound)) return { draft: await checkPatch(parts, bound, current, context), bound };
  const { draft, checkedAssignments } = await checkWrite(parts, bound, current, context);
  return { draft, bound: checkedAssignments === undefined ? bound : { ...bound, checkedAssignments } };
}

/** Carries out a change of a batch, once. @throws CatalogError when something has overtaken it since it was checked. */
export function changeChecked(
  parts: CatalogParts,
  change: EntityChange,
  context: RequestContext,
  batch: string,
): Promise<EntityDocument> {
  const decide = (current: EntityDocument | undefined) => {
    // Deleted since, and perhaps created again: the batch must not bring the earlier one back.
    if (change.checkedFor !== 'nothing' && change.checkedFor !== current?.incarnation) throw missing(change.urn.urn);
    return prepareChange(parts, { ...change, condition: 'upsert' }, current, context);
  };
  return updateEntity(parts, change.urn, context, decide, batch);
}

async function prepareChange(
  parts: CatalogParts,
  change: EntityChange,
  current: EntityDraft | undefined,
  request: RequestContext,
): Promise<EntityDraft> {
  const context = { ...request, registry: await parts.registry.view() };
  const { draft, warnings } = isPatch(change)
    ? { draft: await checkPatch(parts, change, current, context), warnings: [] }
    : await checkWrite(parts, change, current, context);
  for (const { path, message } of warnings) parts.log.warn({ urn: change.urn.urn, path }, message);
  await beforeStored(parts, change.urn, definesProperty(change), current, draft);
  return draft;
}

/** Whether the change writes a definition. */
export function definesProperty(change: EntityChange): boolean {
  if (isPatch(change)) return change.patches.some(({ aspect }) => aspect === 'propertyDefinition');
  return change.definition !== undefined;
}

/** URNs of the properties whose values the change names. */
export function namedProperties(change: EntityChange): string[] {
  if (!isPatch(change)) return (change.assignments?.properties ?? []).map(({ propertyUrn }) => propertyUrn);
  const patches = change.patches.filter(({ aspect }) => aspect === 'structuredProperties');
  return patches.flatMap(({ patch }) => patch.patch.flatMap(({ path }) => assignmentTokens(path)[1] ?? []));
}

function isPatch(change: EntityChange): change is EntityPatch {
  return 'patches' in change;
}
