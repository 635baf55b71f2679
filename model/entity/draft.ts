import type { Assignment } from '../assignment.ts';
import { sameJson } from '../same-json.ts';
import type { ValueType } from '../value-type.ts';
import type { OwnerMark } from '../wire/owner-mark.ts';

/** What a change decides about an entity: everything of its document but the bookkeeping of the store. */
export interface EntityDraft {
  readonly aspects: Readonly<Record<string, StoredAspect>>;
  /** Behind the aspect `structuredProperties`, whose own value is empty: every assignment, visible or hidden. */
  readonly assignments: readonly StoredAssignment[];
  /** Of a structured property with a definition. */
  readonly definitionState?: DefinitionState;
  /** Owner marks by what they are on: a property's URN for its assignment, `''` for the definition. */
  readonly owners: Readonly<Record<string, OwnerMark>>;
}

export interface StoredAspect {
  readonly value: Readonly<Record<string, unknown>>;
  /** Counts the writes that changed it; it begins above the versions of every earlier aspect of the name. */
  readonly version: number;
  readonly created: Stamp;
  readonly modified: Stamp;
}

export interface Stamp {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** URN of who wrote. */
  readonly actor: string;
}

export type StoredAssignment = Assignment & {
  /** Of the definition that the values were checked against. */
  readonly epoch: string;
  /** Of that epoch, so that the index can be written without looking the definition up. */
  readonly valueType: ValueType;
};

export interface DefinitionState {
  /** Id of the definition between two breaking changes; never used again. */
  readonly epoch: string;
  /** The greatest version that this incarnation ever had. */
  readonly greatestVersion?: string;
}

/** Whether two marks are of one resource. */
export function sameOwner(one: OwnerMark, other: OwnerMark): boolean {
  return (
    one.source === other.source &&
    one.kind === other.kind &&
    one.namespace === other.namespace &&
    one.name === other.name
  );
}

const EMPTY_DRAFT: EntityDraft = { aspects: {}, assignments: [], owners: {} };

/** What a document, or a draft, has of a draft. */
export function draftOf(current: EntityDraft | undefined): EntityDraft {
  if (current === undefined) return EMPTY_DRAFT;
  const { aspects, assignments, definitionState, owners } = current;
  return { aspects, assignments, owners, ...(definitionState === undefined ? {} : { definitionState }) };
}

/** Whether nothing was changed: the functions here hand back the parts that they did not change as they got them. */
export function sameDraft(one: EntityDraft, other: EntityDraft): boolean {
  return (
    one.aspects === other.aspects &&
    one.assignments === other.assignments &&
    one.owners === other.owners &&
    one.definitionState === other.definitionState
  );
}

/** The draft with the aspect set; an aspect that is set to what it is keeps its version and stamps. */
export function withAspect(
  draft: EntityDraft,
  name: string,
  value: Record<string, unknown>,
  stamp: Stamp,
): EntityDraft {
  const previous = draft.aspects[name];
  if (previous !== undefined && sameJson(previous.value, value)) return draft;
  return { ...draft, aspects: { ...draft.aspects, [name]: nextAspect(previous, value, stamp) } };
}

export function withoutAspect(draft: EntityDraft, name: string): EntityDraft {
  if (draft.aspects[name] === undefined) return draft;
  const { [name]: _removed, ...aspects } = draft.aspects;
  return { ...draft, aspects };
}

/** The draft with other assignments; the aspect `structuredProperties` counts it as a write of its own. */
export function withAssignments(
  draft: EntityDraft,
  assignments: readonly StoredAssignment[],
  stamp: Stamp,
): EntityDraft {
  const previous = draft.aspects.structuredProperties;
  if (previous !== undefined && sameJson(draft.assignments, assignments)) return draft;
  return {
    ...draft,
    assignments,
    aspects: { ...draft.aspects, structuredProperties: nextAspect(previous, {}, stamp) },
  };
}

/** The draft with a mark set on each name, or taken away where it is `undefined`. */
export function withOwners(draft: EntityDraft, marks: ReadonlyMap<string, OwnerMark | undefined>): EntityDraft {
  if (marks.size === 0) return draft;
  const owners = { ...draft.owners };
  for (const [name, mark] of marks) {
    if (mark === undefined) delete owners[name];
    else owners[name] = mark;
  }
  return sameJson(owners, draft.owners) ? draft : { ...draft, owners };
}

function nextAspect(previous: StoredAspect | undefined, value: Record<string, unknown>, stamp: Stamp): StoredAspect {
  return { value, version: (previous?.version ?? 0) + 1, created: previous?.created ?? stamp, modified: stamp };
}
