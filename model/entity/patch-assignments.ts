import { type Assignment, structuredPropertiesSchema } from '../assignment.ts';
import { tooDeep } from '../json-depth.ts';
import {
  applyPatch,
  assignmentTokens,
  escapeToken,
  type Patch,
  type PatchOperation,
  type ResolvedOperation,
} from '../patch.ts';
import type { ArrayKeys } from '../patch-nodes.ts';
import { type Checked, checkShape } from '../shape.ts';
import type { TypedValue } from '../typed-value.ts';
import type { ParsedUrn } from '../urn.ts';
import { type Violation, violation } from '../violation.ts';
import type { OwnerMark } from '../wire/owner-mark.ts';
import {
  checkReplacement,
  livingAssignments,
  marksOfRemains,
  replaceAssignments,
  withEpochs,
  withoutEpoch,
} from './assignments.ts';
import type { DecisionContext } from './change.ts';
import { type EntityDraft, type StoredAssignment, sameOwner, withAssignments, withOwners } from './draft.ts';
import type { PropertyStates } from './property-state.ts';

const KEYS: ArrayKeys = { properties: 'propertyUrn' };

export type AssignmentChange =
  | ({ readonly op: 'add'; readonly values: readonly TypedValue[] } & Omit<Assignment, 'values'>)
  | { readonly op: 'remove'; readonly propertyUrn: string };

/** The patch of the aspect `structuredProperties` that sets or removes properties one by one. */
export function assignmentPatch(changes: readonly AssignmentChange[]): Patch {
  const patch = changes.map(({ op, ...assignment }): PatchOperation => {
    const path = `/properties/${escapeToken(assignment.propertyUrn)}`;
    return op === 'remove' ? { op, path } : { op, path, value: assignment };
  });
  return { patch, arrayPrimaryKeys: { properties: ['propertyUrn'] } };
}

/** URNs of the properties that the paths of a patch name. */
export function namedInPaths({ patch }: Patch): string[] {
  return patch.flatMap(({ path }) => assignmentTokens(path)[1] ?? []);
}

/** URNs of all properties that a patch of assignments can be about, and perhaps of more. */
export function* namedInPatch(patch: Patch): Generator<string> {
  yield* namedInPaths(patch);
  for (const { path, value } of patch.patch) {
    if (typeof value === 'string' && path.endsWith('/propertyUrn')) yield value;
    yield* namedInValue(value);
  }
}

/** Of an assignment, of a list of them, or of the whole aspect. */
function* namedInValue(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { propertyUrn, properties = value } = value as { propertyUrn?: unknown; properties?: unknown };
  if (typeof propertyUrn === 'string') yield propertyUrn;
  if (Array.isArray(properties)) for (const each of properties) if (!Array.isArray(each)) yield* namedInValue(each);
}

export interface Patched {
  readonly draft: EntityDraft;
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
}

/**
 * Patches the assignments of an entity. It works on the visible assignments and on those that a soft deletion hides;
 * only `remove` may name a hidden one. What the patch does not touch stays as it is, in its order.
 */
export function patchAssignments(
  urn: ParsedUrn,
  owner: OwnerMark | undefined,
  { patch }: Patch,
  draft: EntityDraft,
  context: DecisionContext,
): Patched {
  const { states, stamp } = context;
  const operations = patch.map((operation) => ({ ...operation, tokens: assignmentTokens(operation.path) }));
  const living = livingAssignments(draft.assignments, states);
  const applied = applyToAssignments(living.map(withoutEpoch), operations);
  if (!applied.ok) return { draft, violations: applied.violations, warnings: [] };
  const sent = applied.value;
  const isHidden = (propertyUrn: string) => states.get(propertyUrn)?.removed === true;
  const checked = checkReplacement(
    urn,
    sent.filter(({ propertyUrn }) => !isHidden(propertyUrn)),
    draft.assignments,
    context,
  );
  const violations = [...touchesHidden(operations, sent, states), ...checked.violations];
  if (violations.length > 0) return { draft, violations, warnings: [] };
  const next = withHidden(sent, withEpochs(checked.assignments, states), living, operations, states);
  const marks = new Map([...marksOfRemains(draft.assignments, states), ...patchedMarks(draft, operations, owner)]);
  return {
    draft: withOwners(withAssignments(draft, next, stamp), marks),
    violations,
    warnings: checked.warnings,
  };
}

function applyToAssignments(
  assignments: readonly Assignment[],
  operations: readonly ResolvedOperation[],
): Checked<Assignment[]> {
  const patched = applyPatch({ properties: assignments }, operations, KEYS);
  if (!patched.ok) return patched;
  const deep = tooDeep(patched.value);
  if (deep.length > 0) return { ok: false, violations: deep };
  const shape = checkShape(structuredPropertiesSchema, patched.value);
  return shape.ok ? { ok: true, value: shape.value.properties } : shape;
}

/** What a soft deletion hides can be removed; nothing else can be done with it. */
function touchesHidden(
  operations: readonly ResolvedOperation[],
  sent: readonly Assignment[],
  states: PropertyStates,
): Violation[] {
  const touched = operations.filter(({ op, tokens }) => !(op === 'remove' && tokens.length === 2));
  const named = touched.map(({ tokens }) => tokens[1] ?? '');
  // What stands in a whole list was named by it, even if it is what stood there.
  const isWhole = touched.some(({ op, tokens }) => op !== 'test' && tokens.length < 2);
  const all = new Set([...named, ...(isWhole ? sent.map(({ propertyUrn }) => propertyUrn) : [])]);
  return [...all]
    .filter((propertyUrn) => states.get(propertyUrn)?.removed === true)
    .map((propertyUrn) =>
      violation('soft-deleted', 'patch', `Cannot apply a soft deleted Structured Property value: ${propertyUrn}`),
    );
}

/** The checked assignments and those that a soft deletion hides, each where the patch has left it. */
function withHidden(
  sent: readonly Assignment[],
  checked: readonly StoredAssignment[],
  living: readonly StoredAssignment[],
  operations: readonly ResolvedOperation[],
  states: PropertyStates,
): StoredAssignment[] {
  const stored = new Map(living.map((each) => [each.propertyUrn, each]));
  for (const each of checked) stored.set(each.propertyUrn, each);
  const next = sent.flatMap(({ propertyUrn }) => stored.get(propertyUrn) ?? []);
  const withdrawn = new Set(operations.filter(({ op }) => op === 'remove').map(({ tokens }) => tokens[1] ?? ''));
  return replaceAssignments(living, next, states, withdrawn);
}

/** With an owner, what the patch names becomes its own; what it removes is nobody's any more, if it was its own. */
function patchedMarks(
  draft: EntityDraft,
  operations: readonly ResolvedOperation[],
  owner: OwnerMark | undefined,
): Map<string, OwnerMark | undefined> {
  const marks = new Map<string, OwnerMark | undefined>();
  if (owner === undefined) return marks;
  for (const { op, tokens } of operations) {
    const propertyUrn = tokens[1];
    if (propertyUrn === undefined) continue;
    if (op === 'add' || op === 'replace') marks.set(propertyUrn, owner);
    const mark = draft.owners[propertyUrn];
    if (op === 'remove' && tokens.length === 2 && (mark === undefined || sameOwner(mark, owner))) {
      marks.set(propertyUrn, undefined);
    }
  }
  return marks;
}
