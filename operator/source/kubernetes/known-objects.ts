import { canonicalJson } from '../../../model/canonical-json.ts';
import { type ResourceId, type ResourceKey, type ResourceKind, resourceKey } from '../../../model/resource/identity.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import type { KubeObject } from '../../kubernetes/kube-object.ts';
import type { SourceResource } from '../port.ts';
import { isProtected } from './finalizer.ts';
import { awaitedBy, idOf, isBeingDeleted, type SeenObject, saysTheSame, showObject } from './shown-object.ts';

/** Names of deleted objects that are remembered, for events about their end. */
const MOST_REMEMBERED = 1000;

/**
 * What is known of the objects of a cluster, and what the operator is shown of it. An object that lost our finalizer
 * without our doing was let go by hand: it is shown as abandoned until its marks are cleared. One that was deleted in the
 * moment in which it got our finalizer is shown as deleted until that is carried out.
 */
export class KnownObjects {
  readonly #isOurs: (labels: Readonly<Record<string, string>>) => boolean;
  readonly #seen = new Map<ResourceKey, SeenObject>();
  /** Statuses that were reported and are not stored yet. */
  readonly #pending = new Map<ResourceKey, ResourceStatus>();
  /** Resources whose objects are gone before we have done with them. */
  readonly #outlived = new Map<ResourceKey, SourceResource>();
  /** Uids of objects that have our finalizer. */
  readonly #kept = new Set<string>();
  /** Those of them from which we take it. */
  readonly #released = new Set<string>();
  readonly #uids = new Map<ResourceKey, string>();

  constructor(isOurs: (labels: Readonly<Record<string, string>>) => boolean) {
    this.#isOurs = isOurs;
  }

  list(): SourceResource[] {
    return [...new Set([...this.#seen.keys(), ...this.#outlived.keys()])]
      .map((key) => this.get(key))
      .filter((resource) => resource !== undefined);
  }

  get(key: ResourceKey): SourceResource | undefined {
    const seen = this.#seen.get(key);
    if (seen === undefined || this.#hasGone(seen.object)) return this.#outlived.get(key);
    const status = this.#pending.get(key);
    return status === undefined ? seen.shown : { ...seen.shown, status };
  }

  /** As the cluster has it. */
  objectOf(key: ResourceKey): KubeObject | undefined {
    return this.#seen.get(key)?.object;
  }

  /** Also of one that was deleted a short while ago. */
  uidOf(key: ResourceKey): string | undefined {
    return this.#uids.get(key);
  }

  /**
   * An object is there, or has changed.
   * @param told how it was when that was last told. A write of our own may have refreshed it since, together with what
   * others had changed before.
   * @returns whether it brings news, our own finalizer and status aside.
   */
  upsert(kind: ResourceKind, object: KubeObject, told: KubeObject | undefined): boolean {
    const key = resourceKey(idOf(kind, object));
    const before = this.get(key);
    this.refresh(kind, object);
    if (isBeingDeleted(object) && !isProtected(object)) this.#leave(kind, object, before, false);
    else this.#outlived.delete(key);
    return told === undefined || !this.#saysTheSame(told, object) || !isSameStatus(before, this.get(key));
  }

  /** An object as a write of our own has left it. */
  refresh(kind: ResourceKind, object: KubeObject): void {
    const key = resourceKey(idOf(kind, object));
    const { uid } = object.metadata;
    this.#seen.set(key, showObject(kind, object, this.#isOurs, this.#seen.get(key)));
    if (isProtected(object)) this.#kept.add(uid);
    this.#uids.delete(key);
    this.#uids.set(key, uid);
    const [oldest] = this.#uids.keys();
    if (this.#uids.size > this.#seen.size + MOST_REMEMBERED && oldest !== undefined) this.#uids.delete(oldest);
  }

  /**
   * An object is not there any more.
   * @param isFinal whether it is as it was when it was deleted, not only as it was seen last.
   */
  gone(kind: ResourceKind, object: KubeObject, isFinal: boolean): void {
    const key = resourceKey(idOf(kind, object));
    const before = this.get(key);
    this.#seen.delete(key);
    this.#pending.delete(key);
    this.#leave(kind, object, before, isFinal && isOverlooked(object));
  }

  /** A resource was deleted while nobody looked. */
  abandon(id: ResourceId): void {
    this.#outlive(unknownResource(id), true);
  }

  /** @returns whether its object was gone already. */
  forgetOutlived(key: ResourceKey): boolean {
    return this.#outlived.delete(key);
  }

  /** Shows a status before it is stored. @returns whether there is an object that can store it. */
  setStatus(key: ResourceKey, status: ResourceStatus): boolean {
    const outlived = this.#outlived.get(key);
    if (outlived === undefined) this.#pending.set(key, status);
    else this.#outlived.set(key, { ...outlived, status });
    return outlived === undefined;
  }

  /** That status, or whatever there is, is shown no longer: it is stored, or nobody wants it any more. */
  clearStatus(key: ResourceKey, status = this.#pending.get(key)): void {
    if (this.#pending.get(key) === status) this.#pending.delete(key);
  }

  /** From now on it is our doing when the object loses our finalizer. @returns how to take that back. */
  release(uid: string): () => void {
    this.#released.add(uid);
    return () => this.#released.delete(uid);
  }

  /** Whether nothing has changed in what people want, and in what we have to do about it. */
  #saysTheSame(told: KubeObject, now: KubeObject): boolean {
    return (
      saysTheSame(told, now) &&
      isBeingDeleted(told) === isBeingDeleted(now) &&
      (isProtected(now) || !isProtected(told)) &&
      canonicalJson(awaitedBy(told)) === canonicalJson(awaitedBy(now)) &&
      this.#isOurs(told.metadata.labels ?? {}) === this.#isOurs(now.metadata.labels ?? {})
    );
  }

  /** For us an object has gone as soon as its deletion does not wait for us any more. */
  #hasGone(object: KubeObject): boolean {
    return isBeingDeleted(object) && (!isProtected(object) || this.#released.has(object.metadata.uid));
  }

  /**
   * An object has got rid of our finalizer. If that was not our doing, its marks are still to be cleared, by its shard; if
   * the cluster has overlooked it, its deletion is still to be carried out.
   */
  #leave(kind: ResourceKind, object: KubeObject, before: SourceResource | undefined, isOverlooked: boolean): void {
    const { uid } = object.metadata;
    const wasKept = this.#kept.delete(uid);
    if (this.#released.delete(uid) || (!wasKept && !isOverlooked) || before?.elsewhere) return;
    this.#outlive(before ?? unknownResource(idOf(kind, object)), !isOverlooked);
  }

  /** Shows a resource although its object is gone. */
  #outlive({ awaited, ...resource }: SourceResource, isAbandoned: boolean): void {
    const shown = { ...resource, deleting: true, ...(isAbandoned ? { abandoned: true as const } : {}) };
    this.#outlived.set(resourceKey(resource.id), shown);
  }
}

/**
 * Whether the object had our finalizer when it was deleted at once. kube-apiserver does that when the finalizer is added
 * between its look at the finalizers and the deletion.
 */
function isOverlooked(object: KubeObject): boolean {
  return isProtected(object) && !isBeingDeleted(object);
}

function unknownResource(id: ResourceId): SourceResource {
  return { id, wish: { kind: 'unknown' }, generation: 0, created: 0, deleting: true };
}

function isSameStatus(before: SourceResource | undefined, after: SourceResource | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return canonicalJson(before.status ?? null) === canonicalJson(after.status ?? null);
}
