import { compatibility, refusedChanges } from '../compatibility.ts';
import type { Definition } from '../definition.ts';
import { searchNameOf } from '../search-name.ts';
import type { ParsedUrn } from '../urn.ts';
import { type Violation, violation } from '../violation.ts';
import type { Effect } from './change.ts';
import { type DefinitionState, type EntityDraft, type Stamp, withAspect } from './draft.ts';

/**
 * Puts a definition into a draft. A new one, and one with a breaking change under a greater version, gets the new epoch;
 * nothing else does.
 */
export function withDefinition(
  draft: EntityDraft,
  definition: Definition,
  removed: boolean,
  { stamp, newEpoch }: { readonly stamp: Stamp; readonly newEpoch: string },
): { draft: EntityDraft; violations: Violation[] } {
  if (removed)
    return {
      draft,
      violations: [violation('soft-deleted', '', 'Cannot mutate a soft deleted Structured Property Definition')],
    };
  const previous = draft.aspects.propertyDefinition?.value as Definition | undefined;
  const state = draft.definitionState;
  const breaks = previous === undefined || state === undefined ? [] : compatibility(previous, definition);
  const violations = refusedChanges(breaks, definition.version, state?.greatestVersion);
  if (violations.length > 0) return { draft, violations };
  const next = withAspect(draft, 'propertyDefinition', definition, stamp);
  if (next === draft && state !== undefined) return { draft, violations: [] };
  const epoch = state === undefined || breaks.length > 0 ? newEpoch : state.epoch;
  return { draft: { ...next, definitionState: nextState(epoch, state, definition) }, violations: [] };
}

function nextState(epoch: string, state: DefinitionState | undefined, definition: Definition): DefinitionState {
  const versions = [state?.greatestVersion, definition.version].filter((version) => version !== undefined);
  const greatestVersion = versions.sort().at(-1);
  return greatestVersion === undefined ? { epoch } : { epoch, greatestVersion };
}

/** What a change of a definition has for consequences. @param defines whether it writes one. */
export function definitionEffects(
  current: EntityDraft | undefined,
  draft: EntityDraft,
  defines: boolean,
): readonly Effect[] {
  const ended = current?.definitionState?.epoch;
  const hasEnded = ended !== undefined && draft.definitionState?.epoch !== ended;
  return [
    ...(defines ? [{ kind: 'claim' } as const] : []),
    ...(hasEnded ? [{ kind: 'job', job: 'collection', epoch: ended } as const] : []),
  ];
}

/** The definition of another property has the search name. */
export function searchNameCollision({ id }: ParsedUrn, holder: string): Violation {
  return violation(
    'search-name-collision',
    'qualifiedName',
    `Structured property search field '${searchNameOf(id)}' collides with existing property ${holder}`,
  );
}
