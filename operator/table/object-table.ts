import { instructionsOf } from '../../model/resource/annotations.ts';
import type { DatasetPropertiesSpec } from '../../model/resource/dataset-properties.ts';
import { compareAge, type ResourceId, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import {
  type DatasetPropertiesResource,
  isDatasetProperties,
  isStructuredProperty,
  type OwningResource,
  type Resource,
  type StructuredPropertyResource,
} from '../../model/resource/resource.ts';
import { findCondition } from '../../model/resource/status.ts';
import { Emitter } from '../runtime/emitter.ts';
import type { SourceResource } from '../source/port.ts';
import { MultiMap } from './multi-map.ts';
import { referenceKey, referenceKeysOf } from './references.ts';
import { explicitTargets, isMeant } from './targets.ts';

/** A resource whose wish is known. */
export interface Wished<R> {
  readonly entry: SourceResource;
  readonly resource: R;
}

/** How a resource is from now on. */
export interface TableEvent<O> {
  readonly key: ResourceKey;
  /** As the source has it; absent: it has none. */
  readonly object?: O | undefined;
  /** As the operator is to see it; absent: not at all. */
  readonly resource?: SourceResource | undefined;
  /** It is more than our own doing: whoever has to do with the resource looks again. */
  readonly isNews: boolean;
}

export interface TableChange {
  readonly key: ResourceKey;
  readonly before: SourceResource | undefined;
  readonly after: SourceResource | undefined;
  readonly isNews: boolean;
}

/** The table as those see it who do not fill it. */
export type ResourceTable = Omit<ObjectTable<unknown>, 'apply' | 'objects'>;

/**
 * All resources of a source, and the one place where they are: what the source knows of each, what the operator is shown
 * of it, and who has to do with what. All that is asked follows from the resources alone, so that it is the same before
 * and after a restart.
 */
export class ObjectTable<O> {
  readonly #objects = new Map<ResourceKey, O>();
  readonly #resources = new Map<ResourceKey, SourceResource>();
  readonly #byQualifiedName = new MultiMap<string, ResourceKey>();
  readonly #byReference = new MultiMap<string, ResourceKey>();
  readonly #byDataset = new MultiMap<string, ResourceKey>();
  readonly #withSelector = new Set<ResourceKey>();
  readonly #inConflict = new Set<ResourceKey>();
  readonly #changes = new Emitter<TableChange>();

  /** By key, as the source has them, shown or not. */
  get objects(): ReadonlyMap<ResourceKey, O> {
    return this.#objects;
  }

  get(key: ResourceKey): SourceResource | undefined {
    return this.#resources.get(key);
  }

  /** Those that are shown, in no particular order. */
  list(): SourceResource[] {
    return [...this.#resources.values()];
  }

  keys(): ResourceKey[] {
    return [...this.#resources.keys()];
  }

  /** Told when the table has changed already. @returns how to stop listening. */
  subscribe(listener: (change: TableChange) => void): () => void {
    return this.#changes.on(listener);
  }

  /** Takes in a resource as it is now. */
  apply({ key, object, resource: after, isNews }: TableEvent<O>): void {
    if (object === undefined) this.#objects.delete(key);
    else this.#objects.set(key, object);
    const before = this.#resources.get(key);
    if (before !== after) {
      if (after === undefined) this.#resources.delete(key);
      else this.#resources.set(key, after);
      // A status comes often, and changes nothing of what a resource is about.
      if (before?.wish !== after?.wish) {
        if (before !== undefined) this.#link(key, before, 'delete');
        if (after !== undefined) this.#link(key, after, 'add');
      }
      const isInConflict = findCondition(after?.status, 'Ready')?.reason === 'Conflict';
      this.#inConflict[isInConflict ? 'add' : 'delete'](key);
    }
    if (before !== after || isNews) this.#changes.emit({ key, before, after, isNews });
  }

  /** The StructuredProperty of that name, whatever it wishes. */
  property(namespace: string, name: string): SourceResource | undefined {
    return this.#resources.get(resourceKey({ kind: 'StructuredProperty', namespace, name }));
  }

  /** Resources that define a qualified name, oldest first, without those that are deleted or only observe. */
  definers(qualifiedName: string): Wished<StructuredPropertyResource>[] {
    return this.#wished(this.#byQualifiedName.get(qualifiedName), isStructuredProperty);
  }

  /** Resources that mean a dataset, oldest first, without those that are deleted or only observe. */
  claimants(datasetUrn: string): Wished<DatasetPropertiesResource>[] {
    const selecting = [...this.#withSelector].filter((key) => this.#selects(key, datasetUrn));
    return this.#wished([...this.#byDataset.get(datasetUrn), ...selecting], isDatasetProperties);
  }

  /** The resources that refer to a property, by the name of its resource or by its qualified name. */
  dependents(id: ResourceId, qualifiedName: string | undefined): ResourceKey[] {
    const keys = [referenceKey(id.namespace, id.name)];
    if (qualifiedName !== undefined) keys.push(referenceKey(undefined, qualifiedName));
    return [...new Set(keys.flatMap((key) => [...this.#byReference.get(key)]))];
  }

  /** Other resources that mean a dataset that this one means as well. */
  neighbours(key: ResourceKey, spec: DatasetPropertiesSpec): ResourceKey[] {
    const urns = explicitTargets(spec);
    const near = new Set(urns.flatMap((urn) => [...this.#byDataset.get(urn)]));
    for (const other of this.#withSelector) {
      if (urns.length === 0 || urns.some((urn) => this.#selects(other, urn))) near.add(other);
    }
    if (spec.datasetSelector !== undefined) {
      for (const [urn, keys] of this.#byDataset) if (isMeant(spec, urn)) for (const other of keys) near.add(other);
    }
    near.delete(key);
    return [...near];
  }

  /** Resources that wait for another one to give way. */
  inConflict(): ReadonlySet<ResourceKey> {
    return this.#inConflict;
  }

  #link(key: ResourceKey, { wish, id }: SourceResource, verb: 'add' | 'delete'): void {
    if (wish.kind !== 'valid') return;
    const { resource } = wish;
    if (isStructuredProperty(resource)) {
      this.#byQualifiedName[verb](resource.spec.qualifiedName, key);
      return;
    }
    if (!isDatasetProperties(resource)) return;
    for (const reference of referenceKeysOf(resource.spec, id.namespace)) this.#byReference[verb](reference, key);
    for (const urn of explicitTargets(resource.spec)) this.#byDataset[verb](urn, key);
    if (resource.spec.datasetSelector !== undefined) this.#withSelector[verb](key);
  }

  #selects(key: ResourceKey, datasetUrn: string): boolean {
    const wish = this.#resources.get(key)?.wish;
    return wish?.kind === 'valid' && isDatasetProperties(wish.resource) && isMeant(wish.resource.spec, datasetUrn);
  }

  #wished<R extends OwningResource>(
    keys: Iterable<ResourceKey>,
    isKind: (resource: Resource) => resource is R,
  ): Wished<R>[] {
    const found: Wished<R>[] = [];
    for (const key of keys) {
      const entry = this.#resources.get(key);
      if (entry === undefined || entry.deleting || entry.wish.kind !== 'valid') continue;
      if (instructionsOf(entry.wish.resource.annotations).observeOnly) continue;
      if (isKind(entry.wish.resource)) found.push({ entry, resource: entry.wish.resource });
    }
    return found.sort((one, other) => compareAge(one.entry, other.entry));
  }
}
