import { searchNameOf } from '../../model/search-name.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import { aboutEntity, type Violation, violation } from '../../model/violation.ts';
import type { EntityDocument } from '../store/port.ts';
import { carryOut, recordBatch } from './batches.ts';
import { changeEntity, checkChange, definesProperty, type EntityChange } from './entity-change.ts';
import { isVisible, loadLife } from './entity-life.ts';
import { aspectNames, type EntityWrite } from './entity-write.ts';
import { checkSize } from './entity-writer.ts';
import { CatalogError, invalid, missing, refuse } from './errors.ts';
import type { CatalogParts, RequestContext } from './parts.ts';
import type { EntityPatch } from './patch-entity.ts';
import { claimSearchName, unclaimSearchName } from './search-name-claims.ts';
import { changingProperties, collision } from './write-entity.ts';

/**
 * Writes entities, all or none: every write is checked before the first one happens, and what a crash cuts is carried
 * out by whoever finds it.
 * @returns the documents after the writes, in the order of the (merged) writes.
 * @throws CatalogError naming every violated rule of every write; nothing is written then.
 */
export async function writeEntities(
  parts: CatalogParts,
  writes: readonly EntityWrite[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  return changeEntities(parts, mergeByUrn(writes, mergeWrites), context);
}

/** As {@link writeEntities}, for patches; those of one entity are applied in their order. */
export async function patchEntities(
  parts: CatalogParts,
  patches: readonly EntityPatch[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  return changeEntities(parts, mergeByUrn(patches, mergePatches), context);
}

async function changeEntities(
  parts: CatalogParts,
  changes: readonly EntityChange[],
  context: RequestContext,
): Promise<EntityDocument[]> {
  const [first] = changes;
  if (first === undefined) return [];
  return changingProperties(
    parts,
    changes.map(({ urn }) => urn),
    async () => {
      if (changes.length === 1) return [await changeEntity(parts, first, context)];
      const checked = await checkAll(parts, changes, context);
      const batch = await recordBatch(parts, checked, context);
      return carryOut(parts, batch, checked, context);
    },
  );
}

/**
 * Checks every change against what there is now, and claims the search names of all definitions.
 * @returns the changes with their assignments bound to epochs and their entities to incarnations.
 */
async function checkAll(
  parts: CatalogParts,
  changes: readonly EntityChange[],
  request: RequestContext,
): Promise<EntityChange[]> {
  const context = { ...request, registry: await parts.registry.view() };
  const violations: Violation[] = [...collisionsWithin(changes)];
  const unmet: Violation[] = [];
  const checked: EntityChange[] = [];
  for (const change of changes) {
    const { urn } = change;
    const { stored, parent } = await loadLife(parts.store, urn);
    const current = isVisible(stored, parent) ? stored : undefined;
    if (urn.entityType.name === 'schemaField' && parent === undefined) throw missing(urn.key[0] ?? '');
    try {
      const { draft, bound } = await checkChange(parts, change, current, context);
      checkSize(urn, draft);
      checked.push(bound);
    } catch (error) {
      if (!(error instanceof CatalogError) || (error.code !== 'invalid' && error.code !== 'precondition')) throw error;
      (error.code === 'invalid' ? violations : unmet).push(...aboutEntity(urn.urn, error.violations));
    }
  }
  refuse(violations, unmet);
  await claimAll(parts, checked);
  return checked;
}

/** Claims the search names of all definitions, or none. */
async function claimAll(parts: CatalogParts, changes: readonly EntityChange[]): Promise<void> {
  const claimed: ParsedUrn[] = [];
  const collisions: Violation[] = [];
  for (const { urn } of changes.filter(definesProperty)) {
    const holder = await claimSearchName(parts, urn);
    if (holder === undefined) claimed.push(urn);
    else collisions.push(...aboutEntity(urn.urn, [collision(urn, holder)]));
  }
  if (collisions.length === 0) return;
  for (const urn of claimed) await unclaimSearchName(parts, urn);
  throw invalid(collisions);
}

function collisionsWithin(changes: readonly EntityChange[]): Violation[] {
  const first = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { urn } of changes.filter(definesProperty)) {
    const name = searchNameOf(urn.id);
    const other = first.get(name);
    if (other === undefined) first.set(name, urn.urn);
    else
      violations.push(
        violation(urn.urn, `Structured property search field '${name}' collides within the same batch with ${other}`),
      );
  }
  return violations;
}

/** Several changes of one entity in one request are one. */
function mergeByUrn<T extends EntityChange>(changes: readonly T[], merge: (earlier: T, later: T) => T): T[] {
  const merged = new Map<string, T>();
  for (const change of changes) {
    const earlier = merged.get(change.urn.urn);
    merged.set(change.urn.urn, earlier === undefined ? change : merge(earlier, change));
  }
  return [...merged.values()];
}

/** An aspect that is named twice is a mistake. */
function mergeWrites(earlier: EntityWrite, later: EntityWrite): EntityWrite {
  const twice = aspectNames(later).filter((name) => aspectNames(earlier).includes(name));
  if (twice.length > 0) {
    throw new CatalogError('malformed', `${later.urn.urn} has the aspect ${twice.join(', ')} twice in one request`);
  }
  return { ...earlier, ...later, plain: { ...earlier.plain, ...later.plain }, ...mergedConditions(earlier, later) };
}

function mergePatches(earlier: EntityPatch, later: EntityPatch): EntityPatch {
  return {
    ...earlier,
    patches: [...earlier.patches, ...later.patches],
    ...mergedConditions(earlier, later),
  };
}

function mergedConditions(
  earlier: EntityChange,
  later: EntityChange,
): Required<Pick<EntityChange, 'condition' | 'preconditions'>> {
  return {
    condition: earlier.condition === 'upsert' ? 'upsert' : later.condition,
    preconditions: { ...earlier.preconditions, ...later.preconditions },
  };
}
