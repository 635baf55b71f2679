import { MissingError, RejectedError } from '../../client/http-errors.ts';
import { type Assignment, checkAssignments } from '../../model/assignment.ts';
import { compatibility, refusedChanges } from '../../model/compatibility.ts';
import { type Definition, parseDefinition } from '../../model/definition.ts';
import { searchNameOf } from '../../model/search-name.ts';
import { type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { describeViolations, type Violation, violation } from '../../model/violation.ts';
import type { AssignmentChange, ObservedProperty, Owner } from '../../operator/catalogue/catalogue.ts';
import { namespaceWordOf } from '../../operator/reconcile/definition-differences.ts';
import { MarkTable } from './mark-table.ts';

export interface MemoryProperty {
  readonly definition?: Definition;
  readonly removed: boolean;
  /** Of the definition between two breaking changes: an assignment is visible under its own only. */
  readonly epoch: number;
  /** Of this incarnation; absent: it never had one. */
  readonly greatestVersion?: string;
}

export interface MemoryAssignment extends Assignment {
  readonly epoch: number;
}

/** The epoch of definitions and assignments that were there before anything was written here. */
export const FIRST_EPOCH = 0;

/** The rules of the API server's catalogue, in memory and by the same functions of the model. */
export class MemoryCatalogue {
  readonly marks = new MarkTable();
  readonly #properties = new Map<string, MemoryProperty>();
  readonly #holders = new Map<string, readonly MemoryAssignment[]>();
  /** URNs of properties by search name. */
  readonly #named = new Map<string, Set<string>>();
  /** URNs of schema fields by dataset. */
  readonly #fields = new Map<string, Set<string>>();
  /** URNs of properties that were deleted here, also of those that were made again. */
  readonly #deleted = new Set<string>();
  #epochs = FIRST_EPOCH;

  get properties(): ReadonlyMap<string, MemoryProperty> {
    return this.#properties;
  }

  /** What holds assignments, of whatever entity type; one that is not here does not exist. */
  get holders(): ReadonlyMap<string, readonly MemoryAssignment[]> {
    return this.#holders;
  }

  /** URNs of the properties with this search name. */
  propertiesNamed(searchName: string): string[] {
    return [...(this.#named.get(searchName) ?? [])];
  }

  /** Puts a property in as it is, without any rule. */
  setProperty(urn: string, property: MemoryProperty): void {
    this.#properties.set(urn, property);
    addTo(this.#named, searchNameOf(parseUrn(urn).id), urn);
  }

  /** Puts in what an entity holds as it is, without any rule. */
  setHolder(urn: string, assignments: readonly MemoryAssignment[]): void {
    this.#holders.set(urn, assignments);
    const { entityType, key } = parseUrn(urn);
    if (entityType.name === 'schemaField') addTo(this.#fields, key[0] ?? '', urn);
  }

  readProperty(urn: string): ObservedProperty | undefined {
    const property = this.properties.get(urn);
    if (property === undefined) return undefined;
    const { definition, removed } = property;
    return { removed, ...(definition === undefined ? {} : { definition }) };
  }

  /** Visible assignments; `undefined`: there is no such entity. */
  readAssignments(urn: string): Assignment[] | undefined {
    return this.holders.get(urn) && this.#visible(urn).map(withoutEpoch);
  }

  /** What is not collected: visible assignments and those that a soft deletion hides. */
  living(urn: string): MemoryAssignment[] {
    const isLiving = ({ propertyUrn, epoch }: MemoryAssignment) => this.properties.get(propertyUrn)?.epoch === epoch;
    return (this.holders.get(urn) ?? []).filter(isLiving);
  }

  /** @throws RejectedError when a rule is violated. */
  define(text: string, body: unknown, owner: Owner | undefined): void {
    const urn = parseUrn(text);
    const property = this.properties.get(urn.urn);
    if (property?.removed)
      reject([violation('soft-deleted', '', 'Cannot mutate a soft deleted Structured Property Definition')]);
    const checked = parseDefinition(body, urn, this.#namespaceWord());
    if (!checked.ok) reject(checked.violations);
    const { definition: previous, greatestVersion } = property ?? {};
    const breaking = previous === undefined ? [] : compatibility(previous, checked.value);
    const refused = refusedChanges(breaking, checked.value.version, greatestVersion);
    if (refused.length > 0) reject(refused);
    this.#checkSearchName(urn);
    const greatest = [greatestVersion, checked.value.version].filter((version) => version !== undefined).sort();
    this.setProperty(urn.urn, {
      definition: checked.value,
      removed: false,
      epoch: property === undefined || breaking.length > 0 ? this.#newEpoch() : property.epoch,
      ...(greatest.length === 0 ? {} : { greatestVersion: greatest.at(-1)! }),
    });
    if (owner !== undefined) this.marks.set(urn.urn, undefined, owner);
  }

  /** @throws MissingError when there is no such property. */
  setRemoved(urn: string, removed: boolean, owner: Owner | undefined): void {
    const property = this.properties.get(urn);
    if (property?.definition === undefined) throw new MissingError(`There is no ${urn}`);
    this.setProperty(urn, { ...property, removed });
    if (owner !== undefined) this.marks.set(urn, undefined, owner);
  }

  /** Hard-deletes whatever it is, a dataset with its fields. */
  delete(urn: string): void {
    for (const each of [urn, ...(this.#fields.get(urn) ?? [])]) {
      if (this.#properties.delete(each)) this.#deleted.add(each);
      this.#holders.delete(each);
      this.marks.deleteEntity(each);
    }
    this.#fields.delete(urn);
  }

  /** What happens to values that nobody can see any more: they go, and the marks on them. */
  collect(): void {
    for (const urn of this.holders.keys()) this.#dropRemains(urn);
    for (const { urn, propertyUrn } of [...this.marks]) {
      // What nobody has looked at holds what it always held.
      const isKnown = propertyUrn === undefined || this.holders.has(urn);
      if (!isKnown && this.#hasEnded(propertyUrn, FIRST_EPOCH)) this.marks.delete(urn, propertyUrn);
    }
  }

  /**
   * What PATCH does: all changes or none, and with an owner its marks.
   * @throws RejectedError when a rule is violated, MissingError when the entity is not there and not to be created.
   */
  patchAssignments(
    text: string,
    changes: readonly AssignmentChange[],
    { owner, create }: { readonly owner?: Owner | undefined; readonly create: boolean },
  ): void {
    const urn = parseUrn(text);
    this.#checkExists(urn, create);
    const wished = new Map<string, Assignment>(this.living(text).map((one) => [one.propertyUrn, withoutEpoch(one)]));
    const added = new Set<string>();
    for (const { propertyUrn, ...change } of changes) {
      if (change.op === 'remove') wished.delete(propertyUrn);
      else wished.set(propertyUrn, { propertyUrn, values: [...change.values] });
      if (change.op === 'add') added.add(propertyUrn);
    }
    // Only `remove` may name what a soft deletion hides; what it does not name stays hidden.
    const isHidden = ({ propertyUrn }: Assignment) =>
      this.properties.get(propertyUrn)?.removed === true && !added.has(propertyUrn);
    const stored = this.#checked(
      urn,
      [...wished.values()].filter((one) => !isHidden(one)),
    );
    const hidden = this.living(text).filter((one) => wished.has(one.propertyUrn) && isHidden(one));
    this.#dropRemains(text);
    this.setHolder(text, [...stored, ...hidden]);
    if (owner === undefined) return;
    for (const { op, propertyUrn } of changes) {
      if (op === 'add') this.marks.set(text, propertyUrn, owner);
      else this.marks.clear(text, propertyUrn, owner);
    }
  }

  /** What a POST of the whole aspect does, without an owner: marks stay. Errors as {@link patchAssignments}. */
  replaceAssignments(text: string, assignments: readonly Assignment[], create: boolean): void {
    const urn = parseUrn(text);
    this.#checkExists(urn, create);
    const stored = this.#checked(urn, assignments);
    const hidden = this.living(text).filter(({ propertyUrn }) => this.properties.get(propertyUrn)?.removed === true);
    this.#dropRemains(text);
    this.setHolder(text, [...stored, ...hidden]);
  }

  /** Makes an entity exist. */
  create(urn: string): void {
    if (!this.holders.has(urn)) this.setHolder(urn, []);
  }

  #dropRemains(urn: string): void {
    const held = this.holders.get(urn) ?? [];
    const remains = held.filter(({ propertyUrn, epoch }) => this.#hasEnded(propertyUrn, epoch));
    if (remains.length === 0) return;
    for (const { propertyUrn } of remains) this.marks.delete(urn, propertyUrn);
    this.#holders.set(
      urn,
      held.filter((one) => !remains.includes(one)),
    );
  }

  #hasEnded(propertyUrn: string, epoch: number): boolean {
    const property = this.properties.get(propertyUrn);
    return property === undefined ? this.#deleted.has(propertyUrn) : property.epoch !== epoch;
  }

  #checkExists(urn: ParsedUrn, create: boolean): void {
    if (this.holders.has(urn.urn)) return;
    // A field is made by its first write, if its dataset exists.
    const isField = urn.entityType.name === 'schemaField';
    if (isField ? this.holders.has(urn.key[0] ?? '') : create) return;
    throw new MissingError(`There is no ${urn.urn}`);
  }

  /** The assignments in stored form, if an entity may visibly hold just these. */
  #checked(urn: ParsedUrn, assignments: readonly Assignment[]): MemoryAssignment[] {
    const visible = this.#visible(urn.urn);
    const checked = checkAssignments(assignments, {
      entityType: urn.entityType.name,
      property: (propertyUrn) => {
        const { definition, removed = false } = this.properties.get(propertyUrn) ?? {};
        return definition && { definition, removed };
      },
      standing: (propertyUrn) => visible.find((assignment) => assignment.propertyUrn === propertyUrn),
      entityTypesCheck: 'enforce',
    });
    const kept = new Set(assignments.map(({ propertyUrn }) => propertyUrn));
    const dropped = visible
      .map(({ propertyUrn }) => propertyUrn)
      .filter((each) => !kept.has(each) && this.properties.get(each)?.definition?.immutable === true)
      .map((each) => violation('immutable-value', 'properties', `Cannot delete an immutable property: ${each}`));
    const violations = [...checked.violations, ...dropped];
    if (violations.length > 0) reject(violations);
    return checked.assignments.map((assignment) => {
      return { ...assignment, epoch: this.properties.get(assignment.propertyUrn)?.epoch ?? FIRST_EPOCH };
    });
  }

  #visible(urn: string): MemoryAssignment[] {
    return this.living(urn).filter(({ propertyUrn }) => this.properties.get(propertyUrn)?.removed === false);
  }

  #checkSearchName({ urn, id }: ParsedUrn): void {
    const name = searchNameOf(id);
    const other = this.propertiesNamed(name).find((each) => {
      return each !== urn && this.#properties.get(each)?.definition !== undefined;
    });
    if (other === undefined) return;
    const message = `Structured property search field '${name}' collides with existing property ${other}`;
    reject([violation('search-name-collision', 'qualifiedName', message)]);
  }

  /** The word of the names of types that the catalogue has already. */
  #namespaceWord(): string {
    for (const { definition } of this.properties.values())
      if (definition !== undefined) return namespaceWordOf(definition);
    return 'datahub';
  }

  #newEpoch(): number {
    this.#epochs += 1;
    return this.#epochs;
  }
}

function reject(violations: readonly Violation[]): never {
  throw new RejectedError(400, describeViolations(violations), violations);
}

function addTo(sets: Map<string, Set<string>>, key: string, member: string): void {
  const set = sets.get(key) ?? new Set<string>();
  sets.set(key, set.add(member));
}

function withoutEpoch({ epoch: _epoch, ...assignment }: MemoryAssignment): Assignment {
  return assignment;
}
