import { type Assignment, structuredPropertiesSchema } from '../../../model/assignment.ts';
import {
  type ArrayKeys,
  applyPatch,
  assignmentTokens,
  type Patch,
  type ResolvedOperation,
} from '../../../model/patch.ts';
import { checkShape } from '../../../model/shape.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { type Violation, violation } from '../../../model/violation.ts';
import type { OwnerMark, StoredAssignment } from '../../store/port.ts';
import { invalid } from '../errors.ts';
import type { CatalogParts } from '../parts.ts';
import {
  livingAssignments,
  marksOfRemains,
  type PropertyStates,
  replaceAssignments,
  withEpochs,
  withoutEpoch,
} from './assignments.ts';
import { draftOf, type EntityDraft, withAssignments, withOwners } from './entity-draft.ts';
import { checkReplacement, sameOwner } from './entity-write.ts';
import type { WriteContext } from './write-entity.ts';

const KEYS: ArrayKeys = { properties: 'propertyUrn' };

/**
 * Patches the assignments of an entity. It works on the visible assignments and on those that a soft deletion hides;
 * only `remove` may name a hidden one. What the patch does not touch stays as it is, in its order.
 */
export async function patchAssignments(
  parts: CatalogParts,
  urn: ParsedUrn,
  owner: OwnerMark | undefined,
  patch: Patch,
  current: EntityDraft | undefined,
  context: WriteContext,
): Promise<EntityDraft> {
  const operations = patch.patch.map((operation) => ({ ...operation, tokens: assignmentTokens(operation.path) }));
  const named = operations.map(({ tokens }) => tokens[1]).filter((token) => token !== undefined);
  const stamp = { time: parts.now(), actor: context.actor };
  const draft = draftOf(current);
  const stored = draft.assignments.map(urnOfProperty);
  const states = new Map(await context.registry.properties([...stored, ...named]));
  const living = livingAssignments(draft.assignments, states);
  const sent = applyToAssignments(living.map(withoutEpoch), operations);
  const added = sent.map(urnOfProperty).filter((propertyUrn) => !states.has(propertyUrn));
  for (const [propertyUrn, state] of await context.registry.properties(added)) states.set(propertyUrn, state);
  const { next, violations } = checkPatched(parts, urn, draft, living, sent, operations, states);
  if (violations.length > 0) throw invalid(violations);
  const marks = new Map([...marksOfRemains(draft.assignments, states), ...patchedMarks(draft, operations, owner)]);
  return withOwners(withAssignments(draft, next, stamp), marks);
}

function applyToAssignments(
  assignments: readonly Assignment[],
  operations: readonly ResolvedOperation[],
): Assignment[] {
  const patched = applyPatch({ properties: assignments }, operations, KEYS);
  if (!patched.ok) throw invalid(patched.violations);
  const shape = checkShape(structuredPropertiesSchema, patched.value);
  if (!shape.ok) throw invalid(shape.violations);
  return shape.value.properties;
}

function checkPatched(
  parts: CatalogParts,
  urn: ParsedUrn,
  draft: EntityDraft,
  living: readonly StoredAssignment[],
  sent: readonly Assignment[],
  operations: readonly ResolvedOperation[],
  states: PropertyStates,
): { next: StoredAssignment[]; violations: Violation[] } {
  const isHidden = (propertyUrn: string) => states.get(propertyUrn)?.removed === true;
  const touched = operations.filter(({ op, tokens }) => !(op === 'remove' && tokens.length === 2));
  const named = touched.map(({ tokens }) => tokens[1] ?? '');
  // What stands in a whole list was named by it, even if it is what stood there.
  if (touched.some(({ op, tokens }) => op !== 'test' && tokens.length < 2)) named.push(...sent.map(urnOfProperty));
  const violations = [...new Set(named.filter(isHidden))].map((propertyUrn) =>
    violation('soft-deleted', 'patch', `Cannot apply a soft deleted Structured Property value: ${propertyUrn}`),
  );
  const checked = checkReplacement(
    urn,
    sent.filter(({ propertyUrn }) => !isHidden(propertyUrn)),
    draft,
    states,
    parts.settings,
  );
  for (const { path, message } of checked.warnings) parts.log.warn({ urn: urn.urn, path }, message);
  violations.push(...checked.violations);
  if (violations.length > 0) return { next: [], violations };
  const visible = new Map(withEpochs(checked.assignments, states).map((each) => [each.propertyUrn, each]));
  const hidden = new Map(
    living.filter(({ propertyUrn }) => isHidden(propertyUrn)).map((each) => [each.propertyUrn, each]),
  );
  const next = sent
    .map(({ propertyUrn }) => visible.get(propertyUrn) ?? hidden.get(propertyUrn))
    .filter((assignment) => assignment !== undefined);
  const withdrawn = new Set(operations.filter(({ op }) => op === 'remove').map(({ tokens }) => tokens[1] ?? ''));
  return { next: replaceAssignments(living, next, states, withdrawn), violations };
}

function urnOfProperty({ propertyUrn }: Assignment): string {
  return propertyUrn;
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
