import { type Assignment, checkAssignments } from '../../model/assignment.ts';
import { compatibility, isGreaterVersion } from '../../model/compatibility.ts';
import { type Definition, parseDefinition } from '../../model/definition.ts';
import { type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { describeViolations, type Violation, violation } from '../../model/violation.ts';
import type { Owner, OwnerMark } from '../../operator/catalogue/catalogue.ts';

/** An answer that is no success. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Property {
  definition?: Definition;
  removed: boolean;
  /** Of the definition between two breaking changes: an assignment is visible under its own only. */
  epoch: number;
}

interface Holder {
  assignments: (Assignment & { epoch: number })[];
}

export interface PatchOperation {
  readonly op: 'add' | 'remove';
  readonly path: string;
  readonly value?: Assignment;
}

/** The rules of the catalogue that the operator meets, in memory. */
export class FakeCatalogue {
  readonly properties = new Map<string, Property>();
  readonly holders = new Map<string, Holder>();
  /** By `<urn> <property URN or nothing>`. */
  readonly marks = new Map<string, OwnerMark>();
  #epochs = 0;

  addDataset(urn: string): void {
    this.holders.set(urn, { assignments: [] });
  }

  readEntity(text: string): Record<string, unknown> {
    const { urn, entityType } = parseUrn(text);
    if (entityType.name === 'structuredProperty') {
      const property = this.properties.get(urn);
      if (property === undefined) throw new Refusal(404, `There is no ${urn}`);
      const definition =
        property.definition === undefined ? {} : { propertyDefinition: { value: property.definition } };
      return { urn, ...definition, status: { value: { removed: property.removed } } };
    }
    const holder = this.holders.get(urn);
    if (holder === undefined) throw new Refusal(404, `There is no ${urn}`);
    const properties = this.#visible(holder);
    return { urn, ...(properties.length === 0 ? {} : { structuredProperties: { value: { properties } } }) };
  }

  define(text: string, body: unknown, owner: Owner | undefined): void {
    const urn = parseUrn(text);
    const property = this.properties.get(urn.urn);
    if (property?.removed) throw new Refusal(400, 'Cannot mutate a soft deleted Structured Property Definition');
    const checked = parseDefinition(body, urn, 'datahub');
    if (!checked.ok) throw new Refusal(400, describeViolations(checked.violations));
    const previous = property?.definition;
    const breaking = previous === undefined ? [] : compatibility(previous, checked.value);
    if (breaking.length > 0 && !isGreaterVersion(checked.value.version, previous?.version)) {
      throw new Refusal(400, breaking.map(({ message }) => message).join('; '));
    }
    const epoch = property === undefined || breaking.length > 0 ? this.#newEpoch() : property.epoch;
    this.properties.set(urn.urn, { definition: checked.value, removed: false, epoch });
    this.#mark(urn.urn, undefined, owner);
  }

  setRemoved(urn: string, removed: boolean, owner: Owner | undefined): void {
    const property = this.properties.get(urn);
    if (property === undefined) throw new Refusal(404, `There is no ${urn}`);
    property.removed = removed;
    this.#mark(urn, undefined, owner);
  }

  delete(urn: string): void {
    const gone = [...this.holders.keys()].filter((holder) => holder === urn || holder.includes(`(${urn},`));
    for (const each of [urn, ...gone]) {
      this.properties.delete(each);
      this.holders.delete(each);
      for (const [key, mark] of this.marks) if (mark.urn === each) this.marks.delete(key);
    }
  }

  patch(text: string, operations: readonly PatchOperation[], owner: Owner | undefined, create: boolean): object {
    const urn = parseUrn(text);
    const holder = this.#holderToWrite(urn, create);
    const additions = operations.filter(({ op }) => op === 'add').map(({ value }) => value as Assignment);
    const violations = [...this.#check(urn, holder, additions), ...this.#checkRemovals(operations)];
    if (violations.length > 0) throw new Refusal(400, describeViolations(violations));
    this.holders.set(urn.urn, holder);
    for (const { op, path, value } of operations) {
      const propertyUrn = value?.propertyUrn ?? propertyOf(path);
      holder.assignments = holder.assignments.filter((assignment) => assignment.propertyUrn !== propertyUrn);
      if (op === 'add' && value !== undefined) {
        const [stored] = this.#checked(urn, holder, [value]).assignments;
        holder.assignments.push({ ...stored!, epoch: this.properties.get(propertyUrn)?.epoch ?? 0 });
        this.#mark(urn.urn, propertyUrn, owner);
      } else if (owner !== undefined && this.#isOwn(`${urn.urn} ${propertyUrn}`, owner)) {
        this.marks.delete(`${urn.urn} ${propertyUrn}`);
      }
    }
    return { urn: urn.urn, structuredProperties: { value: { properties: this.#visible(holder) } } };
  }

  /** What a dataset visibly holds, as `{qualified name: [values]}`. */
  values(urn: string): Record<string, unknown[]> | undefined {
    const holder = this.holders.get(urn);
    if (holder === undefined) return undefined;
    return Object.fromEntries(
      this.#visible(holder).map(({ propertyUrn, values }) => [
        propertyUrn.replace('urn:li:structuredProperty:', ''),
        values.map((value) => Object.values(value)[0]),
      ]),
    );
  }

  #holderToWrite(urn: ParsedUrn, create: boolean): Holder {
    const standing = this.holders.get(urn.urn);
    if (standing !== undefined) return { assignments: [...standing.assignments] };
    const parent = urn.entityType.name === 'schemaField' ? urn.key[0] : undefined;
    if (!create && (parent === undefined || !this.holders.has(parent)))
      throw new Refusal(404, `There is no ${urn.urn}`);
    return { assignments: [] };
  }

  #check(urn: ParsedUrn, holder: Holder, additions: readonly Assignment[]): Violation[] {
    return this.#checked(urn, holder, additions).violations;
  }

  #checked(urn: ParsedUrn, holder: Holder, additions: readonly Assignment[]) {
    return checkAssignments(additions, {
      entityType: urn.entityType.name,
      property: (propertyUrn) => {
        const property = this.properties.get(propertyUrn);
        return property?.definition && { definition: property.definition, removed: property.removed };
      },
      standing: (propertyUrn) => this.#visible(holder).find((assignment) => assignment.propertyUrn === propertyUrn),
      entityTypesCheck: 'enforce',
    });
  }

  #checkRemovals(operations: readonly PatchOperation[]): Violation[] {
    return operations
      .filter(
        ({ op, path }) => op === 'remove' && this.properties.get(propertyOf(path))?.definition?.immutable === true,
      )
      .map(({ path }) => violation(path, `Cannot delete an immutable property: ${propertyOf(path)}`));
  }

  #visible({ assignments }: Holder): Assignment[] {
    return assignments
      .filter(({ propertyUrn, epoch }) => {
        const property = this.properties.get(propertyUrn);
        return property !== undefined && !property.removed && property.epoch === epoch;
      })
      .map(({ epoch: _epoch, ...assignment }) => assignment);
  }

  #mark(urn: string, propertyUrn: string | undefined, owner: Owner | undefined): void {
    if (owner === undefined) return;
    this.marks.set(`${urn} ${propertyUrn ?? ''}`, {
      ...owner,
      urn,
      ...(propertyUrn === undefined ? {} : { propertyUrn }),
    });
  }

  #isOwn(key: string, owner: Owner): boolean {
    const mark = this.marks.get(key);
    return (
      mark === undefined ||
      (mark.source === owner.source &&
        mark.kind === owner.kind &&
        mark.namespace === owner.namespace &&
        mark.name === owner.name)
    );
  }

  #newEpoch(): number {
    this.#epochs += 1;
    return this.#epochs;
  }
}

function propertyOf(path: string): string {
  return path.slice('/properties/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
}
