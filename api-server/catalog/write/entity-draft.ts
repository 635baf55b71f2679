import { canonicalJson } from '../../../model/canonical-json.ts';
import type { DefinitionState, OwnerMark, Stamp, StoredAspect, StoredAssignment } from '../../store/port.ts';

/** What a write decides about an entity: everything of its document but the bookkeeping of the store. */
export interface EntityDraft {
  readonly aspects: Readonly<Record<string, StoredAspect>>;
  readonly assignments: readonly StoredAssignment[];
  readonly definitionState?: DefinitionState;
  readonly owners: Readonly<Record<string, OwnerMark>>;
}

export const EMPTY_DRAFT: EntityDraft = { aspects: {}, assignments: [], owners: {} };

/** What a document, or a draft, has of a draft. */
export function draftOf(current: EntityDraft | undefined): EntityDraft {
  if (current === undefined) return EMPTY_DRAFT;
  const { aspects, assignments, definitionState, owners } = current;
  return { aspects, assignments, owners, ...(definitionState === undefined ? {} : { definitionState }) };
}

/** The draft with the aspect set; an aspect that is set to what it is keeps its version and stamps. */
export function withAspect(
  draft: EntityDraft,
  name: string,
  value: Record<string, unknown>,
  stamp: Stamp,
): EntityDraft {
  const previous = draft.aspects[name];
  if (previous !== undefined && canonicalJson(previous.value) === canonicalJson(value)) return draft;
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
  if (previous !== undefined && canonicalJson(draft.assignments) === canonicalJson(assignments)) return draft;
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
  return canonicalJson(owners) === canonicalJson(draft.owners) ? draft : { ...draft, owners };
}

function nextAspect(previous: StoredAspect | undefined, value: Record<string, unknown>, stamp: Stamp): StoredAspect {
  return { value, version: (previous?.version ?? 0) + 1, created: previous?.created ?? stamp, modified: stamp };
}
