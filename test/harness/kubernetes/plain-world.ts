import { expect } from '@jest/globals';
import type { ResourceKind } from '../../../model/resource/identity.ts';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { entityPath, eventually } from '../api.ts';
import { oneOf } from '../random.ts';
import { conditionOf, type KubeBench } from './kube-bench.ts';
import { People } from './people.ts';
import type { Sent } from './proxied-operator.ts';

const PROPERTIES = [0, 1, 2];
/** Each is about one dataset and one property; a dataset has several of them. */
const ASSIGNMENTS = [0, 1, 2, 3, 4, 5];
const DATASETS = [0, 1, 2, 3];
const LONGEST_AGREEMENT_MS = 120_000;

interface Named {
  readonly kind: ResourceKind;
  readonly name: string;
}

/**
 * A few resources that people change at random, and a plain model of what they wish: what cluster and catalogue have to
 * agree with in the end, whatever happened on the way.
 */
export class PlainWorld {
  /** What was done, for the message of a failure. */
  readonly #history: string[] = [];
  readonly #bench: KubeBench;
  readonly #people: People;
  /** Name in the owner marks. */
  readonly #source: string;
  readonly #random: () => number;
  /** Display names, by index. */
  readonly #properties = new Map<number, string>();
  /** Values, by index. */
  readonly #assignments = new Map<number, number>();
  /** URNs of properties that were deleted since the page was turned. */
  readonly #deleted = new Set<string>();
  #count = 0;

  private constructor(bench: KubeBench, people: People, source: string, random: () => number) {
    this.#bench = bench;
    this.#people = people;
    this.#source = source;
    this.#random = random;
  }

  /** With all the resources there may be. @param source of the operators. */
  static async create(bench: KubeBench, source: string, random: () => number = Math.random): Promise<PlainWorld> {
    const people = await People.of(bench.cluster, bench.namespace, bench.kubectl);
    bench.atEnd(() => people.close());
    const world = new PlainWorld(bench, people, source, random);
    for (const index of PROPERTIES) await world.#writeProperty(index);
    for (const index of ASSIGNMENTS) await world.#writeAssignment(index);
    return world;
  }

  /** Changes something by chance: it is done when the cluster has it, however long that takes. */
  async change(): Promise<void> {
    const [property, assignment] = [oneOf(PROPERTIES, this.#random), oneOf(ASSIGNMENTS, this.#random)];
    const change = oneOf(
      [
        () => this.#writeProperty(property),
        () => this.#writeAssignment(assignment),
        () => this.#writeAssignment(assignment),
        () => this.#removeProperty(property),
        () => this.#removeAssignment(assignment),
        () => this.#spoil(assignment),
      ],
      this.#random,
    );
    await change();
  }

  async changes(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) await this.change();
  }

  /** Waits until cluster and catalogue are as the model says. @throws what differs, with the history. */
  async agrees(): Promise<void> {
    try {
      await eventually(async () => {
        await this.#resourcesAgree();
        await this.#catalogueAgrees();
      }, LONGEST_AGREEMENT_MS);
    } catch (error) {
      throw new Error(`${String(error)}\n${this.#history.join('\n')}`, { cause: error });
    }
  }

  /** That no request of an operator has deleted what nobody deleted. */
  checkDeletions(journal: readonly Sent[]): void {
    const deleted = journal
      .filter(({ method, path }) => method === 'DELETE' && path.includes('/entity/'))
      .map(({ path }) => decodeURIComponent(path).replace(/^.*\/(urn:[^/]*).*$/u, '$1'));
    expect(deleted.filter((urn) => !this.#deleted.has(urn))).toEqual([]);
  }

  /** Enters something else that happened in the history. */
  note(text: string): void {
    this.#history.push(`${new Date().toISOString()} ${text}`);
  }

  /** After all agreed: what was deleted up to now is done with, and must not be deleted again unasked. */
  turnPage(): void {
    this.#history.length = 0;
    this.#deleted.clear();
  }

  async #writeProperty(index: number): Promise<void> {
    const displayName = `Name ${this.#next()}`;
    const spec = { qualifiedName: qualifiedName(index), valueType: 'number', entityTypes: ['dataset'], displayName };
    if (await this.#apply(propertyResource(index), spec)) this.#properties.set(index, displayName);
  }

  async #writeAssignment(index: number): Promise<void> {
    const value = this.#next();
    const spec = {
      datasetUrn: datasetUrn(index),
      whenMissing: 'Create',
      properties: [{ propertyRef: { name: propertyResource(propertyOf(index)).name }, values: [value] }],
    };
    if (await this.#apply(assignmentResource(index), spec)) this.#assignments.set(index, value);
  }

  async #removeProperty(index: number): Promise<void> {
    if (!this.#properties.delete(index)) return;
    this.#deleted.add(propertyUrn(index));
    await this.#remove(propertyResource(index));
  }

  async #removeAssignment(index: number): Promise<void> {
    if (this.#assignments.delete(index)) await this.#remove(assignmentResource(index));
  }

  /** Somebody takes a value away by hand, past the resources. */
  async #spoil(index: number): Promise<void> {
    this.note(`take ${propertyUrn(propertyOf(index))} off ${datasetUrn(index)} by hand`);
    const patch = { patch: [{ op: 'remove', path: `/properties/${propertyUrn(propertyOf(index))}` }] };
    // The server may be away.
    await this.#bench.api.patch(entityPath('v3', datasetUrn(index), 'structuredProperties'), patch).catch(() => {});
  }

  /** @returns whether it could be written: one that is being deleted cannot. */
  async #apply({ kind, name }: Named, spec: object): Promise<boolean> {
    return await eventually(async () => {
      const found = await this.#people.read(kind, name);
      if (found?.metadata.deletionTimestamp !== undefined) return false;
      this.note(`apply ${kind} ${name} ${JSON.stringify(spec)}`);
      await this.#people.apply(kind, name, spec);
      return true;
    });
  }

  async #remove({ kind, name }: Named): Promise<void> {
    this.note(`delete ${kind} ${name}`);
    await eventually(() => this.#people.remove(kind, name));
  }

  async #resourcesAgree(): Promise<void> {
    const found = [
      ...(await this.#people.list('StructuredProperty')),
      ...(await this.#people.list('DatasetProperties')),
    ];
    const shown = found.map((object) => {
      const { reason, status } = conditionOf(object, 'Ready') ?? {};
      return {
        name: object.metadata.name,
        reason,
        status,
        isCurrent: object.status?.observedGeneration === object.metadata.generation,
        // One that waits for its reference may have written nothing yet.
        finalizers: status === 'True' ? object.metadata.finalizers : [FINALIZER],
        deleted: object.metadata.deletionTimestamp,
        holders: object.status?.holders,
      };
    });
    const properties = [...this.#properties.keys()].map((index) => ({
      ...upToDate(propertyResource(index).name, 'Applied'),
      holders: [...this.#assignments.keys()].filter((one) => propertyOf(one) === index).length,
    }));
    const assignments = [...this.#assignments.keys()].map((index) =>
      upToDate(assignmentResource(index).name, this.#isVisible(index) ? 'Applied' : 'ReferenceNotFound'),
    );
    expect(byName(shown)).toEqual(byName([...properties, ...assignments]));
  }

  async #catalogueAgrees(): Promise<void> {
    const { api, namespace } = this.#bench;
    for (const index of PROPERTIES) {
      const { body } = await api.get(entityPath('v3', propertyUrn(index)));
      const displayName = body.propertyDefinition?.value.displayName;
      expect([propertyUrn(index), displayName]).toEqual([propertyUrn(index), this.#properties.get(index)]);
    }
    const visible = [...this.#assignments.keys()].filter((index) => this.#isVisible(index));
    for (const dataset of DATASETS) {
      const urn = urnOfDataset(dataset);
      const { body } = await api.get(`${entityPath('v3', urn)}?aspects=structuredProperties`);
      const assigned: { propertyUrn: string; values: object[] }[] = body.structuredProperties?.value.properties ?? [];
      const values = assigned.map((one) => [one.propertyUrn, one.values]);
      const wished = visible
        .filter((index) => datasetUrn(index) === urn)
        .map((index) => [propertyUrn(propertyOf(index)), [{ double: this.#assignments.get(index) }]]);
      expect([urn, ...values.toSorted()]).toEqual([urn, ...wished.toSorted()]);
    }
    const { body } = await api.get(`/owners?source=${this.#source}`);
    // A mark may stay on a value that somebody took away by hand before its property was deleted.
    const ofHidden = new Set(
      [...this.#assignments.keys()].filter((index) => !this.#isVisible(index)).map((index) => markOf(index)),
    );
    const marks: string[] = body.owners.map(
      (one: { name: string; urn: string; propertyUrn?: string; namespace: string }) => {
        expect(one.namespace).toBe(namespace);
        return [one.name, one.urn, one.propertyUrn ?? ''].join(' ');
      },
    );
    const wished = [
      ...[...this.#properties.keys()].map((index) => `${propertyResource(index).name} ${propertyUrn(index)} `),
      ...visible.map((index) => markOf(index)),
    ];
    expect(marks.filter((mark) => !ofHidden.has(mark)).toSorted()).toEqual(wished.toSorted());
  }

  #isVisible(assignment: number): boolean {
    return this.#properties.has(propertyOf(assignment));
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

function upToDate(name: string, reason: 'Applied' | 'ReferenceNotFound'): Record<string, unknown> & { name: string } {
  const status = reason === 'Applied' ? 'True' : 'False';
  return { name, reason, status, isCurrent: true, finalizers: [FINALIZER], deleted: undefined, holders: undefined };
}

const propertyResource = (index: number): Named => ({ kind: 'StructuredProperty', name: `property-${index}` });
const assignmentResource = (index: number): Named => ({ kind: 'DatasetProperties', name: `values-${index}` });
const propertyOf = (assignment: number): number => assignment % PROPERTIES.length;
const markOf = (assignment: number): string =>
  [assignmentResource(assignment).name, datasetUrn(assignment), propertyUrn(propertyOf(assignment))].join(' ');
const qualifiedName = (index: number): string => `world.property${index}`;
const propertyUrn = (index: number): string => `urn:li:structuredProperty:${qualifiedName(index)}`;
const urnOfDataset = (index: number): string => `urn:li:dataset:(urn:li:dataPlatform:hive,world.t${index},PROD)`;
const datasetUrn = (assignment: number): string => urnOfDataset(assignment % DATASETS.length);

function byName<T extends { readonly name: string }>(shown: readonly T[]): T[] {
  return shown.toSorted((one, other) => one.name.localeCompare(other.name));
}
