import { instructionsOf } from '../../model/resource/annotations.ts';
import type { DatasetPropertiesSpec } from '../../model/resource/dataset-properties.ts';
import { compareAge, type ResourceId, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import {
  type DatasetPropertiesResource,
  isDatasetProperties,
  isStructuredProperty,
  type StructuredPropertyResource,
} from '../../model/resource/resource.ts';
import type { SourceResource } from '../source/port.ts';
import { findCondition } from './conditions.ts';
import { MultiMap } from './multi-map.ts';
import { referenceKey, referenceKeysOf } from './references.ts';
import { explicitTargets, isMeant } from './targets.ts';

/** A resource whose wish is known. */
export interface Wished<R> {
  readonly entry: SourceResource;
  readonly resource: R;
}

/**
 * All resources of the source, found by what they are about. It holds no state of its own: whatever is asked follows
 * from the manifests alone, so that it is the same before and after a restart.
 */
export class ResourceIndex {
  readonly #entries = new Map<ResourceKey, SourceResource>();
  readonly #byQualifiedName = new MultiMap<string, ResourceKey>();
  readonly #byReference = new MultiMap<string, ResourceKey>();
  readonly #byDataset = new MultiMap<string, ResourceKey>();
  readonly #withSelector = new Set<ResourceKey>();
  readonly #inConflict = new Set<ResourceKey>();

  get(key: ResourceKey): SourceResource | undefined {
    return this.#entries.get(key);
  }

  keys(): ResourceKey[] {
    return [...this.#entries.keys()];
  }

  /** Takes in a resource as it is now; `undefined`: it is gone. */
  set(key: ResourceKey, entry: SourceResource | undefined): void {
    const before = this.#entries.get(key);
    if (before !== undefined) this.#link(key, before, 'delete');
    this.#entries.delete(key);
    this.#inConflict.delete(key);
    if (entry === undefined) return;
    if (findCondition(entry.status, 'Ready')?.reason === 'Conflict') this.#inConflict.add(key);
    this.#entries.set(key, entry);
    this.#link(key, entry, 'add');
  }

  /** The StructuredProperty of that name, whatever it wishes. */
  property(namespace: string, name: string): SourceResource | undefined {
    return this.#entries.get(resourceKey({ kind: 'StructuredProperty', namespace, name }));
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
    for (const reference of referenceKeysOf(resource.spec, id.namespace)) this.#byReference[verb](reference, key);
    for (const urn of explicitTargets(resource.spec)) this.#byDataset[verb](urn, key);
    if (resource.spec.datasetSelector !== undefined) this.#withSelector[verb](key);
  }

  #selects(key: ResourceKey, datasetUrn: string): boolean {
    const wish = this.#entries.get(key)?.wish;
    return wish?.kind === 'valid' && isDatasetProperties(wish.resource) && isMeant(wish.resource.spec, datasetUrn);
  }

  #wished<R extends StructuredPropertyResource | DatasetPropertiesResource>(
    keys: Iterable<ResourceKey>,
    isKind: (resource: StructuredPropertyResource | DatasetPropertiesResource) => resource is R,
  ): Wished<R>[] {
    const found: Wished<R>[] = [];
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry === undefined || entry.deleting || entry.wish.kind !== 'valid') continue;
      if (instructionsOf(entry.wish.resource.annotations).observeOnly) continue;
      if (isKind(entry.wish.resource)) found.push({ entry, resource: entry.wish.resource });
    }
    return found.sort((one, other) => compareAge(one.entry, other.entry));
  }
}
