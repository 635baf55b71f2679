import type { ParsedUrn } from '../urn.ts';
import { type Violation, violation } from '../violation.ts';
import { draftOf, type EntityDraft, type Stamp, type StoredAssignment, sameDraft } from './draft.ts';
import type { PropertyStates } from './property-state.ts';

/**
 * What somebody wants of one entity. Every change, whoever makes it, is decided by the same rules, on the server and in
 * a plan: from what the entity is and what the properties are that it depends on. Deciding does nothing; what has to be
 * done beside storing the result is in the decision.
 */
export interface Change {
  readonly urn: ParsedUrn;
  /** Also an entity that cannot be seen because its dataset is gone. */
  readonly meansHidden?: boolean;
  /** URNs of the properties whose states the decision depends on. */
  involvedProperties(current: EntityDraft | undefined): Iterable<string>;
  /**
   * Yields between its steps where they can be many, so that others may have their turn.
   * @param current what the entity is; `undefined`: it does not exist, or cannot be seen.
   */
  decide(current: EntityDraft | undefined, context: DecisionContext): Generator<void, Decision>;
}

export interface DecisionContext {
  /** Of at least the involved properties. */
  readonly states: PropertyStates;
  readonly settings: DecisionSettings;
  /** When, and who. */
  readonly stamp: Stamp;
  /** The epoch of a definition that begins one by this change: never used before. */
  readonly newEpoch: string;
  /** False for a schema field whose dataset does not exist. */
  readonly hasParent: boolean;
}

export interface DecisionSettings {
  /** The namespace word `<ns>` in data type and entity type URNs. */
  readonly namespaceWord: string;
  /** What values get on an entity type outside the definition's `entityTypes`: refused, or accepted with a warning. */
  readonly entityTypesCheck: 'enforce' | 'warn';
}

export type Decision = Next | Leave | Refusal;

/** The entity becomes something else. */
export interface Next extends Outcome {
  readonly kind: 'next';
  /** `undefined`: it is deleted. */
  readonly draft: EntityDraft | undefined;
}

/** There is nothing to write. */
export interface Leave extends Outcome {
  readonly kind: 'leave';
}

interface Outcome {
  /** What has to be done, in this order. */
  readonly effects: readonly Effect[];
  /** Rules that are broken and do not keep it from happening. */
  readonly warnings: readonly Violation[];
  /** The assignments that were sent, with the epochs that they were checked against: for a batch. */
  readonly checkedAssignments?: readonly StoredAssignment[];
}

/** It must not be. Every violated rule is named. */
export interface Refusal {
  readonly kind: 'refusal';
  /** `precondition` when one does not hold, whatever else is wrong. */
  readonly code: 'missing' | 'invalid' | 'precondition';
  readonly violations: readonly Violation[];
}

/**
 * What a decision has for consequences outside the entity:
 * - `claim`: the search name of the definition is claimed before it is stored; when another property has it, nothing is.
 *   It is claimed also where the definition stays as it is: sending it again mends a claim that was lost;
 * - `job`: what the change hides is removed by a job that is written down before it is stored;
 * - `release`: the search name is given back after it was stored.
 */
export type Effect =
  | { readonly kind: 'claim' }
  | { readonly kind: 'release' }
  | {
      readonly kind: 'job';
      readonly job: 'cascade' | 'collection' | 'fields';
      /** Whose assignments are removed; absent: the fields of the dataset's present incarnation are. */
      readonly epoch?: string;
    };

export const LEAVE: Leave = { kind: 'leave', effects: [], warnings: [] };

export function refusal(code: Refusal['code'], violations: readonly Violation[]): Refusal {
  return { kind: 'refusal', code, violations };
}

export function missingEntity(urn: string): Refusal {
  return refusal('missing', [violation('missing-entity', '', `Entity ${urn} does not exist`)]);
}

/** The refusal for what is violated, if anything is. */
export function refusalOf(violations: readonly Violation[], unmet: readonly Violation[] = []): Refusal | undefined {
  if (violations.length + unmet.length === 0) return undefined;
  return refusal(unmet.length > 0 ? 'precondition' : 'invalid', [...unmet, ...violations]);
}

/** The decision for a draft: `leave` when it is what there is. */
export function became(
  current: EntityDraft | undefined,
  draft: EntityDraft,
  { effects = [], warnings = [], ...rest }: Partial<Outcome> = {},
): Next | Leave {
  const outcome = { effects, warnings, ...rest };
  if (current !== undefined && sameDraft(draft, draftOf(current))) return { kind: 'leave', ...outcome };
  return { kind: 'next', draft, ...outcome };
}

/** Decides without giving others a turn. */
export function decide(change: Change, current: EntityDraft | undefined, context: DecisionContext): Decision {
  const steps = change.decide(current, context);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
