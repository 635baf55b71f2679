import type { Assignment } from '../assignment.ts';
import { MAX_URN_BYTES } from '../limits.ts';
import { isTooLongUrn, type ParsedUrn, parseUrn } from '../urn.ts';
import { type Violation, violation } from '../violation.ts';
import type { OwnerMark } from '../wire/owner-mark.ts';
import { checkReplacement, livingAssignments, marksOfRemains, replaceAssignments, withEpochs } from './assignments.ts';
import { became, type Change, type Decision, type DecisionContext, missingEntity, refusalOf } from './change.ts';
import { definitionEffects, withDefinition } from './definitions.ts';
import {
  draftOf,
  type EntityDraft,
  type StoredAssignment,
  sameOwner,
  withAspect,
  withAssignments,
  withOwners,
} from './draft.ts';
import type { ParsedAspects } from './parse-aspects.ts';
import { isLeftOut, type Precondition, unmetPreconditions } from './preconditions.ts';
import { isSoftDeleted } from './property-state.ts';

/** A write of one entity whose shape is right; whether the rules let it happen depends on what there is. */
export interface EntityWrite extends ParsedAspects {
  readonly urn: ParsedUrn;
  /** Stands for `assignments` where these were already checked: a batch that is carried out checks no value again. */
  readonly checkedAssignments?: readonly StoredAssignment[];
  /** The resource that what is written belongs to from now on. */
  readonly owner?: OwnerMark;
  readonly condition: WriteCondition;
  /** None of the aspects may be there yet. */
  readonly onlyNew?: boolean;
  /** By canonical aspect name. */
  readonly preconditions?: Readonly<Record<string, Precondition>>;
}

/**
 * - `upsert`: the entity is made when it does not exist.
 * - `update`: it has to exist.
 */
export type WriteCondition = 'upsert' | 'update';

/**
 * Values are put on what exists, or on what is to be made with them; a schema field is made by its first write, if its
 * dataset exists.
 */
export function conditionOfValues({ entityType }: ParsedUrn, create: boolean): WriteCondition {
  return create || entityType.name === 'schemaField' ? 'upsert' : 'update';
}

/** The change that a write is. */
export function writing(write: EntityWrite): Change {
  return {
    urn: write.urn,
    involvedProperties: (current) =>
      [...sentAssignments(write), ...(current?.assignments ?? [])].map(({ propertyUrn }) => propertyUrn),
    // biome-ignore lint/correctness/useYield: one step
    *decide(current, context) {
      return decideWrite(write, current, context);
    },
  };
}

/** What one write makes of an entity, in one step. */
export function decideWrite(sent: EntityWrite, current: EntityDraft | undefined, context: DecisionContext): Decision {
  const write = withoutLeftOut(sent, current);
  const target = missingTarget(write, current, context) ?? missingProperty(write, current);
  if (target !== undefined) return missingEntity(target);
  const preconditions = Object.entries(write.preconditions ?? {});
  const unmet = unmetPreconditions(preconditions, write.urn.entityType.keyAspect, current);
  const plain = withPlainAspects(draftOf(current), write, context);
  const defined = withWrittenDefinition(plain, write, isSoftDeleted(current), context);
  const assigned = withWrittenAssignments(defined.draft, write, context);
  const violations = [
    ...unmakeable(write, current),
    ...checkCreate(write, current),
    ...defined.violations,
    ...assigned.violations,
  ];
  const { draft, warnings, checkedAssignments } = assigned;
  return (
    refusalOf(violations, unmet) ??
    became(current, draft, {
      warnings,
      effects: definitionEffects(current, draft, write.definition !== undefined),
      ...(checkedAssignments === undefined ? {} : { checkedAssignments }),
    })
  );
}

/** Names of the aspects that a write sets. */
export function aspectNames(write: EntityWrite): string[] {
  return [
    ...Object.keys(write.plain),
    ...(write.definition === undefined ? [] : ['propertyDefinition']),
    ...(write.assignments === undefined && write.checkedAssignments === undefined ? [] : ['structuredProperties']),
  ];
}

/** The assignments that a write sends. */
function sentAssignments({ checkedAssignments, assignments }: EntityWrite): readonly Assignment[] {
  return checkedAssignments ?? assignments?.properties ?? [];
}

/** The entity that has to be there and is not: the dataset of a schema field, or what is to be updated. */
export function missingTarget(
  { urn, condition }: Pick<EntityWrite, 'urn' | 'condition'>,
  current: EntityDraft | undefined,
  { hasParent }: DecisionContext,
): string | undefined {
  if (!hasParent) return parseUrn(urn.key[0] ?? '').urn;
  return current === undefined && condition === 'update' ? urn.urn : undefined;
}

/** Why an entity that is not there cannot be made. */
export function unmakeable({ urn }: Pick<EntityWrite, 'urn'>, current: EntityDraft | undefined): Violation[] {
  if (current !== undefined || !isTooLongUrn(urn.urn)) return [];
  return [violation('invalid-urn', '', `the URN has more than ${MAX_URN_BYTES} bytes of UTF-8`)];
}

/** A property exists by its definition: without one it can be neither soft deleted nor shown in any way. */
function missingProperty({ urn, definition }: EntityWrite, current: EntityDraft | undefined): string | undefined {
  const isDefined = definition !== undefined || current?.aspects.propertyDefinition !== undefined;
  return urn.entityType.name === 'structuredProperty' && !isDefined ? urn.urn : undefined;
}

/** The write without the aspects that are to be written only where they are absent, and are there. */
function withoutLeftOut(write: EntityWrite, current: EntityDraft | undefined): EntityWrite {
  const stays = (name: string) => !isLeftOut([name, write.preconditions?.[name]], current);
  if (aspectNames(write).every(stays)) return write;
  const { plain, definition, assignments, checkedAssignments, ...rest } = write;
  return {
    ...rest,
    plain: Object.fromEntries(Object.entries(plain).filter(([name]) => stays(name))),
    ...(definition !== undefined && stays('propertyDefinition') ? { definition } : {}),
    ...(assignments !== undefined && stays('structuredProperties') ? { assignments } : {}),
    ...(checkedAssignments !== undefined && stays('structuredProperties') ? { checkedAssignments } : {}),
  };
}

function withPlainAspects(draft: EntityDraft, { plain }: EntityWrite, { stamp }: DecisionContext): EntityDraft {
  return Object.entries(plain).reduce((before, [name, value]) => withAspect(before, name, value, stamp), draft);
}

interface Drafted {
  readonly draft: EntityDraft;
  readonly violations: readonly Violation[];
}

/** The mark of the owner goes with the definition, and with the status alone. */
function withWrittenDefinition(
  draft: EntityDraft,
  { definition, owner, plain: { status } }: EntityWrite,
  wasRemoved: boolean,
  context: DecisionContext,
): Drafted {
  const isRestored = status !== undefined && status.removed !== true;
  const defined =
    definition === undefined
      ? { draft, violations: [] }
      : withDefinition(draft, definition, wasRemoved && !isRestored, context);
  if (owner === undefined || (definition ?? status) === undefined) return defined;
  return { ...defined, draft: withOwners(defined.draft, new Map([['', owner]])) };
}

function withWrittenAssignments(
  draft: EntityDraft,
  write: EntityWrite,
  context: DecisionContext,
): Drafted & { readonly warnings: readonly Violation[]; readonly checkedAssignments?: readonly StoredAssignment[] } {
  const { urn, assignments, owner } = write;
  let { checkedAssignments } = write;
  let warnings: readonly Violation[] = [];
  if (checkedAssignments === undefined) {
    if (assignments === undefined) return { draft, violations: [], warnings };
    const checked = checkReplacement(urn, assignments.properties, draft.assignments, context);
    if (checked.violations.length > 0) return { draft, ...checked };
    warnings = checked.warnings;
    checkedAssignments = withEpochs(checked.assignments, context.states);
  }
  const living = livingAssignments(draft.assignments, context.states);
  const replaced = replaceAssignments(living, checkedAssignments, context.states);
  const marks = new Map([
    ...marksOfRemains(draft.assignments, context.states),
    ...replacedMarks(draft, checkedAssignments, owner),
  ]);
  const next = withOwners(withAssignments(draft, replaced, context.stamp), marks);
  return { draft: next, violations: [], warnings, checkedAssignments };
}

/** A full replace with an owner: the listed properties are its own, others that were its own are no more. */
function replacedMarks(
  draft: EntityDraft,
  listed: readonly Assignment[],
  owner: OwnerMark | undefined,
): Map<string, OwnerMark | undefined> {
  if (owner === undefined) return new Map();
  const marks = new Map<string, OwnerMark | undefined>();
  for (const [propertyUrn, mark] of Object.entries(draft.owners)) {
    if (propertyUrn !== '' && sameOwner(mark, owner)) marks.set(propertyUrn, undefined);
  }
  for (const { propertyUrn } of listed) marks.set(propertyUrn, owner);
  return marks;
}

function* checkCreate(write: EntityWrite, current: EntityDraft | undefined): Generator<Violation> {
  if (write.onlyNew !== true || current === undefined) return;
  const { keyAspect } = write.urn.entityType;
  for (const name of [...(write.namesKey ? [keyAspect] : []), ...aspectNames(write)]) {
    if (name !== keyAspect && current.aspects[name] === undefined) continue;
    yield violation('already-exists', name, 'Cannot perform CREATE since the aspect already exists');
  }
}
