import type { EntityPatch } from '../../../model/entity/patch.ts';
import type { EntityWrite } from '../../../model/entity/write.ts';
import { changeOf, mergePatches, mergeWrites, type WriteOrPatch } from '../../../model/entity/write-or-patch.ts';
import type { EntityDocument } from '../../store/port.ts';
import { CatalogError } from '../errors.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import { carryOut, recordBatch } from './batches.ts';
import { changingProperties } from './changing-properties.ts';
import { checkBatch } from './check-batch.ts';
import { storeChange } from './store-change.ts';

/**
 * Writes entities, all or none: every write is checked before the first one happens, and what a crash cuts is carried
 * out by whoever finds it. Writes of one entity are one.
 * @returns the documents after the writes, in the order of the (merged) writes.
 * @throws CatalogError naming every violated rule of every write, `malformed` for an aspect of an entity that is there
 * twice; nothing is written then.
 */
export async function writeEntities(
  parts: CatalogParts,
  writes: readonly EntityWrite[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  const { merged, twice } = mergeWrites(writes);
  if (twice.length === 0) return changeEntities(parts, merged, context);
  const told = twice.map(({ urn, aspects }) => `${urn} has the aspect ${aspects.join(', ')} twice in one request`);
  throw new CatalogError('malformed', told.join('; '));
}

/** As {@link writeEntities}, for patches; those of one entity are applied in their order. */
export async function patchEntities(
  parts: CatalogParts,
  patches: readonly EntityPatch[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  return changeEntities(parts, mergePatches(patches), context);
}

async function changeEntities(
  parts: CatalogParts,
  changes: readonly WriteOrPatch[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  const [first, ...more] = changes;
  if (first === undefined) return [];
  const urns = changes.map(({ urn }) => urn);
  return changingProperties(parts, urns, async () => {
    if (more.length === 0) {
      const document = await storeChange(parts, changeOf(first), context);
      return document === undefined ? [] : [document];
    }
    const checked = await checkBatch(parts, changes, context);
    const batch = await recordBatch(parts, checked, context);
    return carryOut(parts, batch, checked, context);
  });
}
