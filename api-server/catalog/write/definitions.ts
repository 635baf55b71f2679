import { randomUUID } from 'node:crypto';
import { compatibility, refusedChanges } from '../../../model/compatibility.ts';
import type { Definition } from '../../../model/definition.ts';
import { type Violation, violation } from '../../../model/violation.ts';
import type { DefinitionState, Stamp } from '../../store/port.ts';
import { type EntityDraft, withAspect } from './entity-draft.ts';

/**
 * Puts a definition into a draft. A new one, and one with a breaking change under a greater version, gets a new epoch;
 * nothing else does.
 */
export function withDefinition(
  draft: EntityDraft,
  definition: Definition,
  removed: boolean,
  stamp: Stamp,
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
  const epoch = state === undefined || breaks.length > 0 ? randomUUID() : state.epoch;
  return { draft: { ...next, definitionState: nextState(epoch, state, definition) }, violations: [] };
}

function nextState(epoch: string, state: DefinitionState | undefined, definition: Definition): DefinitionState {
  const versions = [state?.greatestVersion, definition.version].filter((version) => version !== undefined);
  const greatestVersion = versions.sort().at(-1);
  return greatestVersion === undefined ? { epoch } : { epoch, greatestVersion };
}
