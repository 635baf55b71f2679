import { isHttpError, RejectedError } from '../../client/http-errors.ts';
import type { Assignment } from '../../model/assignment.ts';
import { selects } from '../../model/resource/dataset-selector.ts';
import { searchNameOf } from '../../model/search-name.ts';
import { keyAspectOf, parseUrn, tryParseUrn } from '../../model/urn.ts';
import {
  type AssignmentChange,
  type Catalogue,
  isOnAssignment,
  type ObservedHolder,
  type ObservedProperty,
  type OwnedProperty,
  type Owner,
  type OwnerMark,
} from '../../operator/catalogue/catalogue.ts';
import type { Base } from './base.ts';
import { MemoryCatalogue } from './memory-catalogue.ts';

/** Who writes: for the reader of the plan. */
export interface Writer {
  /** Such as `StructuredProperty governance/retention`; absent for an entry of a file of the command line. */
  readonly resource?: string;
  /** `file:line`. */
  readonly location?: string;
}

/** Where a write without a mark of an owner goes to: the assignment or, without a property, the entity itself. */
type Place = string;

/**
 * The operator's catalogue as it would be: reads come from a base and, once something was written, from memory; writes
 * go into memory by the catalogue's own rules. What was there before stays known, so that the two can be compared.
 */
export class Overlay implements Catalogue {
  readonly base: Base;
  readonly memory = new MemoryCatalogue();
  /** As the base has them; an entity that was asked for and does not exist is here too. */
  readonly propertiesBefore = new Map<string, ObservedProperty | undefined>();
  readonly assignmentsBefore = new Map<string, readonly Assignment[] | undefined>();
  marksBefore: readonly OwnerMark[] = [];
  /** On whose behalf the next writes are made. */
  writer: Writer = {};
  /** How many writes there were. */
  writes = 0;
  /** Why the base could not be read. A reconcile bears with that; a plan cannot. */
  fault: unknown;
  readonly #source: string;
  readonly #writers = new Map<Place, Writer>();
  readonly #loaded = new Map<string, Promise<void>>();

  constructor(base: Base, source: string) {
    this.base = base;
    this.#source = source;
  }

  /** To be called first: marks have to be known as a whole. */
  async open(): Promise<void> {
    this.marksBefore = await this.base.marks();
    for (const mark of this.marksBefore) this.memory.marks.set(mark.urn, mark.propertyUrn, mark);
  }

  /** Reads an entity of the base, once. */
  load(urn: string): Promise<void> {
    const standing = this.#loaded.get(urn);
    if (standing !== undefined) return standing;
    const loading = this.#load(urn).catch((error: unknown) => {
      if (!isHttpError(error) || error.code !== 'rejected') this.fault ??= error;
      throw error;
    });
    this.#loaded.set(urn, loading);
    return loading;
  }

  /** Who wrote last; `undefined`: nobody did. */
  writerOf(urn: string, propertyUrn?: string): Writer | undefined {
    return this.#writers.get(place(urn, propertyUrn));
  }

  async readProperty(urn: string): Promise<OwnedProperty | undefined> {
    await this.load(urn);
    const property = this.memory.readProperty(urn);
    const mark = this.memory.marks.get(urn, undefined);
    return property === undefined || mark === undefined ? property : { ...property, mark };
  }

  async readProperties(urns: readonly string[]): Promise<Map<string, ObservedProperty>> {
    await this.#loadAll(urns);
    const found = urns.map((urn) => [urn, this.memory.readProperty(urn)] as const);
    return new Map(found.filter((pair): pair is readonly [string, ObservedProperty] => pair[1] !== undefined));
  }

  async writeDefinition(urn: string, definition: unknown, owner: Owner | undefined): Promise<void> {
    await this.load(urn);
    if (this.memory.readProperty(urn)?.definition === undefined) {
      const rivals = await this.base.propertiesNamed(searchNameOf(parseUrn(urn).id));
      await Promise.all(rivals.map((rival) => this.load(rival)));
    }
    this.memory.define(urn, definition, owner);
    this.#note(urn);
  }

  async writeRemoved(urn: string, removed: boolean, owner?: Owner): Promise<void> {
    await this.load(urn);
    this.memory.setRemoved(urn, removed, owner);
    this.#note(urn);
  }

  async hardDelete(urn: string): Promise<void> {
    await this.load(urn);
    this.memory.delete(urn);
    this.#note(urn);
  }

  /** Nobody looks at the statuses of a dry run. */
  async countHolders(): Promise<undefined> {
    return undefined;
  }

  /** Values are collected later; a plan does not wait for it. */
  async cascadeOf(): Promise<undefined> {
    return undefined;
  }

  async readHolder(urn: string): Promise<ObservedHolder | undefined> {
    await this.load(urn);
    const assignments = this.memory.readAssignments(urn);
    return assignments && { assignments, marks: this.memory.marks.on(urn).filter(isOnAssignment) };
  }

  async patchAssignments(
    urn: string,
    changes: readonly AssignmentChange[],
    write: { readonly owner: Owner; readonly create: boolean },
  ): Promise<readonly Assignment[]> {
    await this.load(urn);
    await this.#loadAll(changes.map(({ propertyUrn }) => propertyUrn));
    this.memory.patchAssignments(urn, changes, write);
    this.#note(urn);
    for (const { propertyUrn } of changes) this.#note(urn, propertyUrn);
    return this.memory.readAssignments(urn) ?? [];
  }

  /** What `proplane dataset upsert` does with the values of an entity. */
  async replaceAssignments(urn: string, assignments: readonly Assignment[]): Promise<void> {
    await this.load(urn);
    const before = this.memory.readAssignments(urn) ?? [];
    await this.#loadAll(assignments.map(({ propertyUrn }) => propertyUrn));
    this.memory.replaceAssignments(urn, assignments);
    this.#note(urn);
    for (const { propertyUrn } of [...before, ...assignments]) this.#note(urn, propertyUrn);
  }

  async create(urn: string): Promise<void> {
    await this.load(urn);
    if (this.memory.holders.has(urn)) return;
    this.memory.create(urn);
    this.#note(urn);
  }

  async listDatasets(selector: Parameters<Catalogue['listDatasets']>[0]): Promise<string[]> {
    const known = await this.base.listDatasets(selector);
    const made = [...this.memory.holders.keys()].filter((urn) => {
      const parsed = parseUrn(urn);
      return parsed.entityType.name === 'dataset' && selects(selector, parsed);
    });
    return [...new Set([...known, ...made])];
  }

  async marksOf(id?: Parameters<Catalogue['marksOf']>[0]): Promise<OwnerMark[]> {
    return this.memory.marks.of(this.#source, id);
  }

  async clearMarks(id: NonNullable<Parameters<Catalogue['marksOf']>[0]>): Promise<void> {
    for (const { urn, propertyUrn } of this.memory.marks.of(this.#source, id)) {
      this.memory.marks.clear(urn, propertyUrn, { ...id, source: this.#source });
      this.#note(urn, propertyUrn);
    }
  }

  async #loadAll(urns: readonly string[]): Promise<void> {
    await Promise.all([...new Set(urns)].map((urn) => this.load(urn)));
  }

  async #load(urn: string): Promise<void> {
    const parsed = tryParseUrn(urn);
    // As the server would answer.
    if (parsed === undefined) throw new RejectedError(400, `Invalid urn!: ${urn}`);
    if (parsed.entityType.name === 'structuredProperty') {
      const property = await this.base.readProperty(urn);
      this.propertiesBefore.set(urn, property);
      if (property === undefined) return;
      this.memory.setProperty(urn, property);
      return;
    }
    const { parent } = keyAspectOf(parsed);
    if (parsed.entityType.name === 'schemaField' && parent !== undefined) await this.load(parent);
    const assignments = await this.base.readAssignments(urn);
    await this.#loadAll((assignments ?? []).map(({ propertyUrn }) => propertyUrn));
    this.assignmentsBefore.set(urn, assignments);
    if (assignments === undefined) return;
    this.memory.setHolder(urn, assignments);
  }

  #note(urn: string, propertyUrn?: string): void {
    this.writes += 1;
    this.#writers.set(place(urn, propertyUrn), this.writer);
  }
}

function place(urn: string, propertyUrn: string | undefined): Place {
  return `${urn} ${propertyUrn ?? ''}`;
}
