import type { Change } from './change.ts';
import { assignmentPatches, type EntityPatch, joinPatches, patching } from './patch.ts';
import { namedInPaths } from './patch-assignments.ts';
import { aspectNames, type EntityWrite, type WriteCondition, writing } from './write.ts';

/** What a request sends for one entity, and what a batch writes down: data, of which {@link changeOf} makes a change. */
export type WriteOrPatch = EntityWrite | EntityPatch;

export function changeOf(sent: WriteOrPatch): Change {
  return isPatch(sent) ? patching(sent) : writing(sent);
}

/** Whether it writes a definition. */
export function definesProperty(sent: WriteOrPatch): boolean {
  return isPatch(sent)
    ? sent.patches.some(({ aspect }) => aspect === 'propertyDefinition')
    : sent.definition !== undefined;
}

/** URNs of the properties whose values it names. */
export function namedProperties(sent: WriteOrPatch): string[] {
  return isPatch(sent)
    ? assignmentPatches(sent).flatMap(namedInPaths)
    : (sent.assignments?.properties ?? []).map(({ propertyUrn }) => propertyUrn);
}

/** An aspect of an entity that one request writes twice. */
export interface Twice {
  readonly urn: string;
  readonly aspects: readonly string[];
}

/** Several writes of one entity in one request are one. @returns also what is there twice, which cannot be. */
export function mergeWrites(writes: readonly EntityWrite[]): { merged: EntityWrite[]; twice: Twice[] } {
  const twice: Twice[] = [];
  const merged = byUrn(writes).map(([first, ...more]) =>
    more.reduce((earlier, later) => {
      const aspects = namesOf(later).filter((name) => namesOf(earlier).includes(name));
      if (aspects.length > 0) twice.push({ urn: later.urn.urn, aspects });
      return mergeTwo(earlier, later);
    }, first),
  );
  return { merged, twice };
}

/** Several patches of one entity in one request are one, applied in their order. */
export function mergePatches(patches: readonly EntityPatch[]): EntityPatch[] {
  return byUrn(patches).map((group) => ({
    ...group[0],
    patches: joinPatches(group.flatMap((each) => each.patches)),
    condition: group.map(({ condition }) => condition).reduce(looser),
  }));
}

function mergeTwo(earlier: EntityWrite, later: EntityWrite): EntityWrite {
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

function looser(one: WriteCondition, other: WriteCondition): WriteCondition {
  return one === 'upsert' ? one : other;
}

function byUrn<T extends WriteOrPatch>(changes: readonly T[]): [T, ...T[]][] {
  return [...Map.groupBy(changes, ({ urn }) => urn.urn).values()] as [T, ...T[]][];
}

function isPatch(sent: WriteOrPatch): sent is EntityPatch {
  return 'patches' in sent;
}
