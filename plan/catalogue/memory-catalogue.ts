import { MissingError, RejectedError } from '../../client/http-errors.ts';
import type { Assignment } from '../../model/assignment.ts';
import type { Definition } from '../../model/definition.ts';
import { livingAssignments, visibleAssignments, withoutEpoch } from '../../model/entity/assignments.ts';
import { type Change, decide, type Refusal } from '../../model/entity/change.ts';
import { searchNameCollision } from '../../model/entity/definitions.ts';
import { draftOf, type EntityDraft, type StoredAssignment } from '../../model/entity/draft.ts';
import { parseAspects } from '../../model/entity/parse-aspects.ts';
import { patching } from '../../model/entity/patch.ts';
import { type AssignmentChange, assignmentPatch } from '../../model/entity/patch-assignments.ts';
import { isSoftDeleted, type PropertyState, propertyStateOf } from '../../model/entity/property-state.ts';
import { collecting, deleting } from '../../model/entity/removals.ts';
import { conditionOfValues, type EntityWrite, writing } from '../../model/entity/write.ts';
import type { Patch } from '../../model/patch.ts';
import { searchNameOf } from '../../model/search-name.ts';
import { type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { describeViolations } from '../../model/violation.ts';
import { DEFAULT_NAMESPACE_WORD } from '../../model/vocabulary.ts';
import type { ObservedProperty, Owner } from '../../operator/catalogue/catalogue.ts';
import { namespaceWordOf } from '../../operator/reconcile/definition-differences.ts';
import { MarkTable } from './mark-table.ts';

/** The epoch of definitions and assignments that were there before anything was written here. */
const FIRST_EPOCH = 'first';
/** Nobody asks here when something was written, and by whom. */
const STAMP = { time: 0, actor: '' };

/** The API server's catalogue in memory: what is written is decided by the same rules of the model. */
export class MemoryCatalogue {
  /** The owner marks of everything, also of what was not put in. */
  readonly marks = new MarkTable();
  /** Without their owner marks. */
  readonly #entities = new Map<string, EntityDraft>();
  readonly #properties = new Map<string, ObservedProperty>();
  readonly #holders = new Map<string, readonly StoredAssignment[]>();
  /** URNs of properties by search name. */
  readonly #named = new Map<string, Set<string>>();
  /** URNs of schema fields by dataset. */
  readonly #fields = new Map<string, Set<string>>();
  /** URNs of properties that were deleted here, also of those that were made again. */
  readonly #deleted = new Set<string>();
  #epochs = 0;

  get properties(): ReadonlyMap<string, ObservedProperty> {
    return this.#properties;
  }

  /** What holds assignments, of whatever entity type; one that is not here does not exist. */
  get holders(): ReadonlyMap<string, readonly StoredAssignment[]> {
    return this.#holders;
  }

  /** URNs of the properties with this search name. */
  propertiesNamed(searchName: string): string[] {
    return [...(this.#named.get(searchName) ?? [])];
  }

  /** Puts a property in as it is, without any rule. */
  setProperty(urn: string, { definition, removed }: ObservedProperty): void {
    const aspect = (value: object) => ({ value: { ...value }, version: 1, created: STAMP, modified: STAMP });
    const greatest = definition?.version === undefined ? {} : { greatestVersion: definition.version };
    this.#put(parseUrn(urn), {
      aspects: {
        ...(definition === undefined ? {} : { propertyDefinition: aspect(definition) }),
        ...(removed ? { status: aspect({ removed }) } : {}),
      },
      assignments: [],
      owners: {},
      ...(definition === undefined ? {} : { definitionState: { epoch: FIRST_EPOCH, ...greatest } }),
    });
  }

  /** Puts in what an entity holds as it is, without any rule. */
  setHolder(urn: string, assignments: readonly Assignment[]): void {
    const stored = assignments.map((one) => ({ ...one, epoch: FIRST_EPOCH, valueType: 'string' as const }));
    this.#put(parseUrn(urn), { ...draftOf(undefined), assignments: stored });
  }

  readProperty(urn: string): ObservedProperty | undefined {
    return this.#properties.get(urn);
  }

  /** Whether the property has had a breaking change here, or was made anew. */
  isBroken(urn: string): boolean {
    return this.#stateOf(urn)?.epoch !== FIRST_EPOCH;
  }

  /** Visible assignments; `undefined`: there is no such entity. */
  readAssignments(urn: string): Assignment[] | undefined {
    const held = this.#holders.get(urn);
    return held && visibleAssignments(held, this.#statesOf(held)).map(withoutEpoch);
  }

  /** What is not collected: visible assignments and those that a soft deletion hides. */
  living(urn: string): Assignment[] {
    const held = this.#holders.get(urn) ?? [];
    return livingAssignments(held, this.#statesOf(held)).map(withoutEpoch);
  }

  /**
   * Makes a change, or nothing of it.
   * @throws RejectedError when a rule is violated, MissingError when an entity that has to be there is not.
   */
  apply(change: Change): void {
    const { urn } = change;
    const draft = this.#entities.get(urn.urn);
    const current = draft && { ...draft, owners: this.marks.owners(urn.urn) };
    this.#epochs += 1;
    const decision = decide(change, current, {
      states: this.#statesOf([...change.involvedProperties(current)].map((propertyUrn) => ({ propertyUrn }))),
      settings: { namespaceWord: this.#namespaceWord(), entityTypesCheck: 'enforce' },
      stamp: STAMP,
      newEpoch: String(this.#epochs),
      hasParent: urn.entityType.name !== 'schemaField' || this.#entities.has(urn.key[0] ?? ''),
    });
    if (decision.kind === 'refusal') throw errorOf(decision);
    if (decision.kind === 'leave') return;
    if (decision.effects.some(({ kind }) => kind === 'claim')) this.#checkSearchName(urn);
    if (decision.draft === undefined) this.#drop(urn.urn);
    else {
      this.#put(urn, decision.draft);
      this.marks.setOwners(urn.urn, decision.draft.owners);
    }
  }

  /** Errors as {@link apply}. */
  define(urn: string, propertyDefinition: unknown, owner: Owner | undefined): void {
    this.#write(urn, { propertyDefinition }, owner);
  }

  /** Errors as {@link apply}. */
  setRemoved(urn: string, removed: boolean, owner: Owner | undefined): void {
    this.#write(urn, { status: { removed } }, owner);
  }

  /** Hard-deletes whatever it is, a dataset with its fields. */
  delete(urn: string): void {
    this.apply(deleting(parseUrn(urn)));
  }

  /** What PATCH does: all changes or none, and with an owner its marks. Errors as {@link apply}. */
  patchAssignments(
    urn: string,
    changes: readonly AssignmentChange[],
    write: { readonly owner?: Owner | undefined; readonly create: boolean },
  ): void {
    this.patch(urn, assignmentPatch(changes), write);
  }

  patch(
    text: string,
    patch: Patch,
    { owner, create }: { readonly owner?: Owner | undefined; readonly create: boolean },
  ): void {
    const urn = parseUrn(text);
    const patches = [{ aspect: 'structuredProperties', patch }];
    this.apply(patching({ urn, patches, condition: conditionOfValues(urn, create), ...(owner && { owner }) }));
  }

  /** What a POST of the whole aspect does, without an owner: marks stay. Errors as {@link apply}. */
  replaceAssignments(urn: string, properties: readonly Assignment[]): void {
    this.#write(urn, { structuredProperties: { properties } }, undefined);
  }

  /** Makes an entity exist. */
  create(urn: string): void {
    if (!this.#entities.has(urn)) this.#write(urn, {}, undefined);
  }

  /** What happens to values that nobody can see any more: they go, and the marks on them. */
  collect(): void {
    for (const [urn, held] of this.#holders) {
      for (const { propertyUrn, epoch } of held) {
        if (this.#hasEnded(propertyUrn, epoch)) this.apply(collecting(parseUrn(urn), propertyUrn, epoch));
      }
    }
    for (const { urn, propertyUrn } of [...this.marks]) {
      // What nobody has looked at holds what it always held.
      const isKnown = propertyUrn === undefined || this.#holders.has(urn);
      if (!isKnown && this.#hasEnded(propertyUrn, FIRST_EPOCH)) this.marks.delete(urn, propertyUrn);
    }
  }

  #write(text: string, aspects: Readonly<Record<string, unknown>>, owner: Owner | undefined): void {
    const urn = parseUrn(text);
    const parsed = parseAspects({ namespaceWord: this.#namespaceWord() }, urn, aspects);
    if (!parsed.ok) throw errorOf({ code: 'invalid', violations: parsed.violations });
    const write: EntityWrite = { urn, ...parsed.value, condition: 'upsert', ...(owner && { owner }) };
    this.apply(writing(write));
  }

  #put({ urn, id, entityType, key }: ParsedUrn, draft: EntityDraft): void {
    this.#entities.set(urn, draft);
    if (entityType.name === 'structuredProperty') {
      const definition = draft.aspects.propertyDefinition?.value as Definition | undefined;
      this.#properties.set(urn, { removed: isSoftDeleted(draft), ...(definition && { definition }) });
      addTo(this.#named, searchNameOf(id), urn);
    } else this.#holders.set(urn, draft.assignments);
    if (entityType.name === 'schemaField') addTo(this.#fields, key[0] ?? '', urn);
  }

  #drop(urn: string): void {
    for (const each of [urn, ...(this.#fields.get(urn) ?? [])]) {
      this.#entities.delete(each);
      if (this.#properties.delete(each)) this.#deleted.add(each);
      this.#holders.delete(each);
      this.marks.deleteEntity(each);
    }
    this.#fields.delete(urn);
  }

  #stateOf(propertyUrn: string): PropertyState | undefined {
    return propertyStateOf(this.#entities.get(propertyUrn));
  }

  #statesOf(assignments: Iterable<{ readonly propertyUrn: string }>): Map<string, PropertyState> {
    const states = new Map<string, PropertyState>();
    for (const { propertyUrn } of assignments) {
      const state = this.#stateOf(propertyUrn);
      if (state !== undefined) states.set(propertyUrn, state);
    }
    return states;
  }

  #hasEnded(propertyUrn: string, epoch: string): boolean {
    const state = this.#stateOf(propertyUrn);
    return state === undefined ? this.#deleted.has(propertyUrn) : state.epoch !== epoch;
  }

  #checkSearchName(urn: ParsedUrn): void {
    const holder = this.propertiesNamed(searchNameOf(urn.id)).find((each) => {
      return each !== urn.urn && this.#stateOf(each) !== undefined;
    });
    if (holder === undefined) return;
    throw errorOf({ code: 'invalid', violations: [searchNameCollision(urn, holder)] });
  }

  /** The word of the names of types that the catalogue has already. */
  #namespaceWord(): string {
    for (const { definition } of this.#properties.values())
      if (definition !== undefined) return namespaceWordOf(definition);
    return DEFAULT_NAMESPACE_WORD;
  }
}

/** As the API server would answer. */
function errorOf({ code, violations }: Omit<Refusal, 'kind'>): Error {
  const message = describeViolations(violations);
  return code === 'missing' ? new MissingError(message) : new RejectedError(400, message, violations);
}

function addTo(sets: Map<string, Set<string>>, key: string, member: string): void {
  const set = sets.get(key) ?? new Set<string>();
  sets.set(key, set.add(member));
}
