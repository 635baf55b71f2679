import { CatalogError } from '../errors.ts';
import { aspectNames, type EntityWrite, type WriteCondition } from './entity-write.ts';
import { type EntityPatch, joinPatches } from './patch-entity.ts';

/**
 * Several writes of one entity in one request are one.
 * @throws CatalogError `malformed` for an aspect of an entity that is there twice.
 */
export function mergeWrites(writes: readonly EntityWrite[]): EntityWrite[] {
  return byUrn(writes).map(([first, ...more]) => more.reduce(mergeTwo, first));
}

function mergeTwo(earlier: EntityWrite, later: EntityWrite): EntityWrite {
  const twice = namesOf(later).filter((name) => namesOf(earlier).includes(name));
  if (twice.length > 0) {
    throw new CatalogError('malformed', `${later.urn.urn} has the aspect ${twice.join(', ')} twice in one request`);
  }
  return {
    ...earlier,
    ...later,
    plain: { ...earlier.plain, ...later.plain },
    preconditions: { ...earlier.preconditions, ...later.preconditions },
    condition: looser(earlier.condition, later.condition),
  };
}

function namesOf(write: EntityWrite): string[] {
  return [...(write.namesKey ? [write.urn.entityType.keyAspect] : []), ...aspectNames(write)];
}

/** Several patches of one entity in one request are one, applied in their order. */
export function mergePatches(patches: readonly EntityPatch[]): EntityPatch[] {
  return byUrn(patches).map((group) => ({
    ...group[0],
    patches: joinPatches(group.flatMap((each) => each.patches)),
    condition: group.map(({ condition }) => condition).reduce(looser),
  }));
}

function looser(one: WriteCondition, other: WriteCondition): WriteCondition {
  return one === 'upsert' ? one : other;
}

function byUrn<T extends EntityWrite | EntityPatch>(changes: readonly T[]): [T, ...T[]][] {
  return [...Map.groupBy(changes, ({ urn }) => urn.urn).values()] as [T, ...T[]][];
}
