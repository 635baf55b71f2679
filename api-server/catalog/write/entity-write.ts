import { type Assignment, checkAssignments, type StructuredProperties } from '../../../model/assignment.ts';
import type { Definition } from '../../../model/definition.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { type Violation, violation } from '../../../model/violation.ts';
import type { OwnerMark, Stamp, StoredAssignment } from '../../store/port.ts';
import { missing } from '../errors.ts';
import type { CatalogSettings } from '../parts.ts';
import {
  droppedImmutables,
  livingAssignments,
  marksOfRemains,
  type PropertyStates,
  replaceAssignments,
  visibleAssignments,
  withEpochs,
} from './assignments.ts';
import { withDefinition } from './definitions.ts';
import { draftOf, type EntityDraft, withAspect, withAssignments, withOwners } from './entity-draft.ts';
import { isLeftOut, type Precondition, unmetPreconditions } from './preconditions.ts';

/** A checked write of one entity: its shape is right; whether the rules let it happen depends on what there is. */
export interface EntityWrite {
  readonly urn: ParsedUrn;
  /** Aspects without rules of their own, `status` among them. */
  readonly plain: Readonly<Record<string, Record<string, unknown>>>;
  /** The key aspect is among what was sent: it says what the URN says, and is never stored. */
  readonly namesKey?: boolean;
  readonly definition?: Definition;
  /** The whole `structuredProperties` aspect, as it was sent. */
  readonly assignments?: StructuredProperties;
  /** The same, already checked against these epochs: a batch that is carried out does not check again. */
  readonly checkedAssignments?: readonly StoredAssignment[];
  /** The incarnation of the entity that the write was checked for, or `nothing`: of a batch that is carried out. */
  readonly checkedFor?: string;
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

export interface Decided {
  readonly draft: EntityDraft;
  readonly violations: readonly Violation[];
  /** Preconditions that do not hold. */
  readonly unmet: readonly Violation[];
  readonly warnings: readonly Violation[];
  /** With their epochs, for a batch. */
  readonly checkedAssignments?: readonly StoredAssignment[];
}

/**
 * What the entity becomes. Pure: the same inputs, the same answer; nothing is written here.
 * @throws CatalogError `missing` when the condition is `update` and there is nothing to update.
 */
export function decideWrite(
  sent: EntityWrite,
  current: EntityDraft | undefined,
  states: PropertyStates,
  settings: CatalogSettings,
  stamp: Stamp,
): Decided {
  const write = withoutLeftOut(sent, current);
  if (current === undefined && write.condition === 'update') throw missing(write.urn.urn);
  checkStatusTarget(write, current);
  const preconditions = Object.entries(write.preconditions ?? {});
  const unmet = unmetPreconditions(preconditions, write.urn.entityType.keyAspect, current);
  const violations: Violation[] = [...checkCreate(write, current)];
  const warnings: Violation[] = [];
  let draft = draftOf(current);
  const wasRemoved = draft.aspects.status?.value.removed === true;
  for (const [name, value] of Object.entries(write.plain)) draft = withAspect(draft, name, value, stamp);
  if (write.definition !== undefined) {
    const restored = write.plain.status !== undefined && write.plain.status.removed !== true;
    const result = withDefinition(draft, write.definition, wasRemoved && !restored, stamp);
    violations.push(...result.violations);
    draft = withOwners(result.draft, new Map(write.owner === undefined ? [] : [['', write.owner]]));
  } else if (write.owner !== undefined && write.plain.status !== undefined) {
    draft = withOwners(draft, new Map([['', write.owner]]));
  }
  let checkedAssignments = write.checkedAssignments;
  if (checkedAssignments === undefined && write.assignments !== undefined) {
    const checked = checkReplacement(write.urn, write.assignments.properties, draft, states, settings);
    violations.push(...checked.violations);
    warnings.push(...checked.warnings);
    if (checked.violations.length === 0) checkedAssignments = withEpochs(checked.assignments, states);
  }
  if (checkedAssignments !== undefined) {
    const living = livingAssignments(draft.assignments, states);
    const marks = new Map([
      ...marksOfRemains(draft.assignments, states),
      ...ownerMarks(draft, checkedAssignments, write.owner),
    ]);
    draft = withAssignments(draft, replaceAssignments(living, checkedAssignments, states), stamp);
    draft = withOwners(draft, marks);
  }
  return { draft, violations, unmet, warnings, ...(checkedAssignments === undefined ? {} : { checkedAssignments }) };
}

/** Checks the visible assignments that an entity is to have, against what stands on it. */
export function checkReplacement(
  urn: ParsedUrn,
  sent: readonly Assignment[],
  draft: EntityDraft,
  states: PropertyStates,
  settings: CatalogSettings,
): ReturnType<typeof checkAssignments> {
  const visible = visibleAssignments(draft.assignments, states);
  const standing = new Map(visible.map((assignment) => [assignment.propertyUrn, assignment]));
  const checked = checkAssignments(sent, {
    entityType: urn.entityType.name,
    property: (propertyUrn) => states.get(propertyUrn),
    standing: (propertyUrn) => standing.get(propertyUrn),
    entityTypesCheck: settings.entityTypesCheck,
  });
  return { ...checked, violations: [...checked.violations, ...droppedImmutables(visible, sent, states)] };
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

/** A full replace with an owner: the listed properties are its own, others that were its own are no more. */
function ownerMarks(
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

export function sameOwner(one: OwnerMark, other: OwnerMark): boolean {
  return (
    one.source === other.source &&
    one.kind === other.kind &&
    one.namespace === other.namespace &&
    one.name === other.name
  );
}

/** A property exists by its definition: without one it can be neither soft deleted nor shown in any way. */
function checkStatusTarget(write: EntityWrite, current: EntityDraft | undefined): void {
  if (write.urn.entityType.name !== 'structuredProperty') return;
  if (write.definition === undefined && current?.aspects.propertyDefinition === undefined) throw missing(write.urn.urn);
}

function* checkCreate(write: EntityWrite, current: EntityDraft | undefined): Generator<Violation> {
  if (write.onlyNew !== true || current === undefined) return;
  const { keyAspect } = write.urn.entityType;
  for (const name of [...(write.namesKey ? [keyAspect] : []), ...aspectNames(write)]) {
    if (name !== keyAspect && current.aspects[name] === undefined) continue;
    yield violation('already-exists', name, 'Cannot perform CREATE since the aspect already exists');
  }
}

/** Names of the aspects that a write sets. */
export function aspectNames(write: EntityWrite): string[] {
  return [
    ...Object.keys(write.plain),
    ...(write.definition === undefined ? [] : ['propertyDefinition']),
    ...(write.assignments === undefined && write.checkedAssignments === undefined ? [] : ['structuredProperties']),
  ];
}

/** URNs of all properties whose state the decision depends on. */
export function involvedProperties(write: EntityWrite, current: EntityDraft | undefined): string[] {
  const sent = write.checkedAssignments ?? write.assignments?.properties ?? [];
  return [...sent, ...(current?.assignments ?? [])].map(({ propertyUrn }) => propertyUrn);
}
