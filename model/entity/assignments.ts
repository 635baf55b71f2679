import { type Assignment, type CheckedAssignments, checkAssignments } from '../assignment.ts';
import { valueTypeOfDefinition } from '../definition.ts';
import type { ParsedUrn } from '../urn.ts';
import { type Violation, violation } from '../violation.ts';
import type { DecisionContext } from './change.ts';
import type { StoredAssignment } from './draft.ts';
import type { PropertyStates } from './property-state.ts';

/**
 * An assignment is visible only while its property has a definition, is not soft deleted, and has the epoch that the
 * assignment was written under. This is the one rule by which soft deletion, restoring, hard deletion, deletion and
 * re-creation, and breaking versions take effect.
 */

export function visibleAssignments(stored: readonly StoredAssignment[], states: PropertyStates): StoredAssignment[] {
  return livingAssignments(stored, states).filter(({ propertyUrn }) => states.get(propertyUrn)?.removed === false);
}

/** Visible ones and those that a soft deletion hides: what a write keeps. The rest waits to be collected. */
export function livingAssignments(stored: readonly StoredAssignment[], states: PropertyStates): StoredAssignment[] {
  return stored.filter(({ propertyUrn, epoch }) => states.get(propertyUrn)?.epoch === epoch);
}

/** The marks of what does not live any more: a write that drops it leaves none of them behind. */
export function marksOfRemains(stored: readonly StoredAssignment[], states: PropertyStates): Map<string, undefined> {
  const living = new Set(livingAssignments(stored, states));
  const remains = stored.filter((assignment) => !living.has(assignment));
  return new Map(remains.map(({ propertyUrn }) => [propertyUrn, undefined]));
}

/** As the interface shows it: without what only the store needs. */
export function withoutEpoch({ epoch: _epoch, valueType: _valueType, ...assignment }: StoredAssignment): Assignment {
  return assignment;
}

/** Gives checked assignments the epoch that they were checked against. */
export function withEpochs(assignments: readonly Assignment[], states: PropertyStates): StoredAssignment[] {
  return assignments.map((assignment) => {
    const state = states.get(assignment.propertyUrn);
    if (state === undefined) throw new Error(`${assignment.propertyUrn} was not checked`);
    return { ...assignment, epoch: state.epoch, valueType: valueTypeOfDefinition(state.definition) };
  });
}

/**
 * The assignments after a full replace. A caller cannot see what a soft deletion hides, so replacing must not lose it:
 * each hidden assignment goes back behind its stored predecessor, or first when that is gone.
 */
export function replaceAssignments(
  living: readonly StoredAssignment[],
  next: readonly StoredAssignment[],
  states: PropertyStates,
  withdrawn: ReadonlySet<string> = new Set(),
): StoredAssignment[] {
  const result = [...next];
  for (const [index, hidden] of living.entries()) {
    const { propertyUrn } = hidden;
    if (states.get(propertyUrn)?.removed !== true || withdrawn.has(propertyUrn)) continue;
    if (result.some((assignment) => assignment.propertyUrn === propertyUrn)) continue;
    const predecessor = living[index - 1]?.propertyUrn;
    result.splice(result.findIndex((assignment) => assignment.propertyUrn === predecessor) + 1, 0, hidden);
  }
  return result;
}

/** Checks the visible assignments that an entity is to have, against what stands on it. */
export function checkReplacement(
  { entityType }: ParsedUrn,
  sent: readonly Assignment[],
  stored: readonly StoredAssignment[],
  { states, settings }: Pick<DecisionContext, 'states' | 'settings'>,
): CheckedAssignments {
  const visible = visibleAssignments(stored, states);
  const standing = new Map(visible.map((assignment) => [assignment.propertyUrn, assignment]));
  const checked = checkAssignments(sent, {
    entityType: entityType.name,
    property: (propertyUrn) => states.get(propertyUrn),
    standing: (propertyUrn) => standing.get(propertyUrn),
    entityTypesCheck: settings.entityTypesCheck,
  });
  return { ...checked, violations: [...checked.violations, ...droppedImmutables(visible, sent, states)] };
}

/** Assignments of immutable properties that a write would drop. */
function droppedImmutables(
  visible: readonly StoredAssignment[],
  next: readonly Assignment[],
  states: PropertyStates,
): Violation[] {
  const kept = new Set(next.map(({ propertyUrn }) => propertyUrn));
  return visible
    .filter(({ propertyUrn }) => !kept.has(propertyUrn) && states.get(propertyUrn)?.definition.immutable === true)
    .map(({ propertyUrn }) =>
      violation('immutable-value', 'properties', `Cannot delete an immutable property: ${propertyUrn}`),
    );
}
