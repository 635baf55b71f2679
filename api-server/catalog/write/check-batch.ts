import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Leave, Next } from '../../../model/entity/change.ts';
import { searchNameCollision } from '../../../model/entity/definitions.ts';
import type { EntityDraft } from '../../../model/entity/draft.ts';
import { isSoftDeleted } from '../../../model/entity/property-state.ts';
import { changeOf, definesProperty, namedProperties, type WriteOrPatch } from '../../../model/entity/write-or-patch.ts';
import { MAX_ANSWER_BYTES } from '../../../model/limits.ts';
import { searchNameOf } from '../../../model/search-name.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { aboutEntity, addViolation, addViolations, type Violation, violation } from '../../../model/violation.ts';
import { READ_BYTES } from '../../store/port.ts';
import { CatalogError, invalid, refuse } from '../errors.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import { loadLife } from '../read/entity-life.ts';
import { checkDeadline } from '../request.ts';
import { currentOf, decideChange, tellWarnings } from './decide-change.ts';
import { claimSearchName, unclaimSearchName } from './search-name-claims.ts';
import { checkSize } from './store-change.ts';

/** An embedded store answers at once: between so many changes others have their turn. */
const CHANGES_A_TURN = 50;

/** Bytes of all entities that a batch is about, as they are then: a small patch may be of large ones. */
const MAX_BATCH_ENTITIES = 4 * MAX_ANSWER_BYTES;

/** A change of a batch, bound to what it was checked for. */
export type CheckedChange = WriteOrPatch & {
  /** The incarnation of the entity, or `nothing`. */
  readonly checkedFor: string;
};

/**
 * Checks every change against what there is now, and claims the search names of all definitions.
 * @returns the changes with their assignments bound to epochs and their entities to incarnations.
 * @throws CatalogError naming every violated rule of every change.
 */
export async function checkBatch(
  parts: CatalogParts,
  changes: readonly WriteOrPatch[],
  context: RequestContext,
): Promise<CheckedChange[]> {
  const registry = await parts.registry.view();
  const violations: Violation[] = [...collisionsWithin(changes)];
  const unmet: Violation[] = [];
  const checked: CheckedChange[] = [];
  const decisions: [ParsedUrn, Pick<Next | Leave, 'warnings'>][] = [];
  const changedProperties = new Set<string>();
  let bytes = 0;
  let turns = 0;
  for (const [index, sent] of changes.entries()) {
    checkDeadline(parts, context);
    if (index % CHANGES_A_TURN === 0 || bytes >= (turns + 1) * READ_BYTES) await nextTurn();
    turns = Math.floor(bytes / READ_BYTES);
    const { urn } = sent;
    const change = changeOf(sent);
    const life = await loadLife(parts.store, urn);
    const current = currentOf(change, life);
    try {
      const decision = await decideChange(parts, change, life, context, registry);
      const { checkedAssignments } = decision;
      if (decision.kind === 'next' && decision.draft !== undefined) {
        bytes += checkSize(urn, decision.draft);
        if (changesValues(current, decision.draft)) changedProperties.add(urn.urn);
      }
      if (decision.kind === 'leave' && current !== undefined) bytes += JSON.stringify(current).length;
      if (bytes > MAX_BATCH_ENTITIES) throw tooLarge();
      decisions.push([urn, { warnings: decision.warnings }]);
      const bound = { ...sent, checkedFor: current?.incarnation ?? 'nothing' };
      checked.push(checkedAssignments === undefined ? bound : { ...bound, checkedAssignments });
    } catch (error) {
      if (!(error instanceof CatalogError) || (error.code !== 'invalid' && error.code !== 'precondition')) throw error;
      addViolations(error.code === 'invalid' ? violations : unmet, aboutEntity(urn.urn, error.violations));
    }
  }
  addViolations(violations, changedWithin(changes, changedProperties));
  refuse(violations, unmet);
  await claimAll(parts, changes);
  for (const [urn, decision] of decisions) tellWarnings(parts, urn, decision);
  return checked;
}

function tooLarge(): CatalogError {
  return new CatalogError(
    'too-large',
    `The entities of the batch have more than ${MAX_BATCH_ENTITIES} bytes together. Send it in parts.`,
  );
}

/** Whether values of a property are others, or hidden, after a change of it. */
function changesValues(current: EntityDraft | undefined, draft: EntityDraft): boolean {
  if (draft.definitionState === undefined) return false;
  const isSameEpoch = draft.definitionState.epoch === current?.definitionState?.epoch;
  return !isSameEpoch || isSoftDeleted(draft) !== isSoftDeleted(current);
}

/** Claims the search names of all definitions, or none. */
async function claimAll(parts: CatalogParts, changes: readonly WriteOrPatch[]): Promise<void> {
  const claimed: ParsedUrn[] = [];
  const collisions: Violation[] = [];
  for (const { urn } of changes.filter(definesProperty)) {
    const holder = await claimSearchName(parts, urn);
    if (holder === undefined) claimed.push(urn);
    else addViolations(collisions, aboutEntity(urn.urn, [searchNameCollision(urn, holder)]));
  }
  if (collisions.length === 0) return;
  for (const urn of claimed) await unclaimSearchName(parts, urn);
  throw invalid(collisions);
}

function collisionsWithin(changes: readonly WriteOrPatch[]): Violation[] {
  const first = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { urn } of changes.filter(definesProperty)) {
    const name = searchNameOf(urn.id);
    const other = first.get(name);
    if (other === undefined) first.set(name, urn.urn);
    else
      addViolation(
        violations,
        violation(
          'search-name-collision',
          urn.urn,
          `Structured property search field '${name}' collides within the same batch with ${other}`,
        ),
      );
  }
  return violations;
}

/** What a batch does to a property, others of its changes cannot be checked against. */
function* changedWithin(
  changes: readonly WriteOrPatch[],
  changedProperties: ReadonlySet<string>,
): Generator<Violation> {
  for (const change of changes) {
    for (const property of new Set(namedProperties(change)).intersection(changedProperties)) {
      yield violation(
        'changed-in-same-request',
        change.urn.urn,
        `${property} changes in the same request: send its values in a request of their own, after that`,
      );
    }
  }
}
