import type { KubeObject } from '../../../kubernetes/kube-object.ts';
import { canonicalJson } from '../../../model/canonical-json.ts';
import { type ResourceId, type ResourceKey, type ResourceKind, resourceKey } from '../../../model/resource/identity.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import { effectsOf, type ObjectEvent, objectKey } from '../../kubernetes/object-events.ts';
import { ObjectTable } from '../../table/object-table.ts';
import type { SourceResource } from '../port.ts';
import { isProtected } from './finalizer.ts';
import { awaitedBy, idOf, isBeingDeleted, saysTheSame, showObject } from './shown-object.ts';

/** Names of deleted objects that are remembered, for events about their end. */
const MOST_REMEMBERED = 1000;

/**
 * Fills the table with what is known of the objects of a cluster. An object that lost our finalizer without our doing was
 * let go by hand: it is shown as abandoned until its marks are cleared. One that was deleted in the moment in which it got
 * our finalizer is shown as deleted until that is carried out.
 */
export class KnownObjects {
  readonly table = new ObjectTable<KubeObject>();
  readonly #isOurs: (labels: Readonly<Record<string, string>>) => boolean;
  /** Statuses that were reported and are not stored yet. */
  readonly #pending = new Map<ResourceKey, ResourceStatus>();
  /** Resources that are shown although their objects are gone, before we have done with them. */
  readonly #outlived = new Set<ResourceKey>();
  /** Uids of objects that have our finalizer. */
  readonly #kept = new Set<string>();
  /** Those of them from which we take it. */
  readonly #released = new Set<string>();
  readonly #uids = new Map<ResourceKey, string>();

  constructor(isOurs: (labels: Readonly<Record<string, string>>) => boolean) {
    this.#isOurs = isOurs;
  }

  objectOf(id: ResourceId): KubeObject | undefined {
    return this.table.objects.get(resourceKey(id));
  }

  /** Also of one that was deleted a short while ago. */
  uidOf(id: ResourceId): string | undefined {
    return this.#uids.get(resourceKey(id));
  }

  /** Takes in what was heard of objects of a kind. @param namespace what a list is of; absent: all. */
  apply(kind: ResourceKind, event: ObjectEvent, namespace?: string): void {
    for (const { object, now } of effectsOf(event, this.#knownTo(kind, event, namespace))) {
      if (now === 'there') this.#take(kind, object);
      else this.#drop(kind, object, now === 'gone' && isOverlooked(object));
    }
  }

  /** A resource was deleted while nobody looked. */
  abandon(id: ResourceId): void {
    const resource = this.#outlive(unknownResource(id), true);
    this.table.apply({ key: resourceKey(id), object: this.objectOf(id), resource, isNews: true });
  }

  /** @returns whether its object was gone already. */
  forgetOutlived(id: ResourceId): boolean {
    const isOutlived = this.#outlived.delete(resourceKey(id));
    if (isOutlived) this.#show(id, true);
    return isOutlived;
  }

  /** Shows a status before it is stored. @returns whether there is an object that can store it. */
  setStatus(id: ResourceId, status: ResourceStatus): boolean {
    const key = resourceKey(id);
    const resource = this.table.get(key);
    const isOutlived = this.#outlived.has(key);
    if (!isOutlived) this.#pending.set(key, status);
    const object = this.objectOf(id);
    if (resource !== undefined) this.table.apply({ key, object, resource: { ...resource, status }, isNews: false });
    return !isOutlived;
  }

  /** That status, or whatever there is, is shown no longer: it is stored, or nobody wants it any more. */
  clearStatus(id: ResourceId, status = this.#pending.get(resourceKey(id))): void {
    const key = resourceKey(id);
    if (this.#pending.get(key) === status && this.#pending.delete(key)) this.#show(id, false);
  }

  /** From now on it is our doing when the object loses our finalizer. @returns how to take that back. */
  release(id: ResourceId, uid: string): () => void {
    const show = (): void => {
      if (this.objectOf(id)?.metadata.uid === uid) this.#show(id, true);
    };
    this.#released.add(uid);
    show();
    return () => {
      this.#released.delete(uid);
      show();
    };
  }

  #knownTo(kind: ResourceKind, event: ObjectEvent, namespace: string | undefined): Map<string, KubeObject> {
    const { objects } = this.table;
    if (event.type !== 'listed') {
      const object = objects.get(resourceKey(idOf(kind, event.object)));
      return new Map(object === undefined ? [] : [[objectKey(object.metadata), object]]);
    }
    const isInList = (key: ResourceKey, { metadata }: KubeObject): boolean =>
      key.startsWith(`${kind}/`) && (namespace === undefined || metadata.namespace === namespace);
    const found = [...objects].filter(([key, object]) => isInList(key, object));
    return new Map(found.map(([, object]) => [objectKey(object.metadata), object]));
  }

  /** An object is there, or has changed. */
  #take(kind: ResourceKind, object: KubeObject): void {
    const id = idOf(kind, object);
    const key = resourceKey(id);
    const known = this.table.objects.get(key);
    const before = this.table.get(key);
    this.#remember(key, object);
    let outlived = this.#outlived.has(key) ? before : undefined;
    if (isBeingDeleted(object) && !isProtected(object)) outlived = this.#leave(id, object, before, false) ?? outlived;
    else if (this.#outlived.delete(key)) outlived = undefined;
    const resource = this.#hasGone(object) ? outlived : this.#shown(kind, object);
    const isNews = known === undefined || !this.#saysTheSame(known, object) || !isSameStatus(before, resource);
    this.table.apply({ key, object, resource, isNews });
  }

  /** An object is not there any more. */
  #drop(kind: ResourceKind, object: KubeObject, wasOverlooked: boolean): void {
    const id = idOf(kind, object);
    const key = resourceKey(id);
    const before = this.table.get(key);
    this.#pending.delete(key);
    const outlived = this.#outlived.has(key) ? before : undefined;
    const resource = this.#leave(id, object, before, wasOverlooked) ?? outlived;
    this.table.apply({ key, resource, isNews: true });
  }

  #remember(key: ResourceKey, object: KubeObject): void {
    const { uid } = object.metadata;
    if (isProtected(object)) this.#kept.add(uid);
    this.#uids.delete(key);
    this.#uids.set(key, uid);
    const [oldest] = this.#uids.keys();
    if (this.#uids.size > this.table.objects.size + MOST_REMEMBERED && oldest !== undefined) this.#uids.delete(oldest);
  }

  /** Shows what has changed in what we know of an object, not in the object. */
  #show(id: ResourceId, isNews: boolean): void {
    const key = resourceKey(id);
    const object = this.objectOf(id);
    if (this.#outlived.has(key)) return;
    const isShown = object !== undefined && !this.#hasGone(object);
    this.table.apply({ key, object, resource: isShown ? this.#shown(id.kind, object) : undefined, isNews });
  }

  #shown(kind: ResourceKind, object: KubeObject): SourceResource {
    const key = resourceKey(idOf(kind, object));
    const known = this.table.objects.get(key);
    const before = this.table.get(key);
    const wish = known !== undefined && before !== undefined && saysTheSame(known, object) ? before.wish : undefined;
    const resource = showObject(kind, object, this.#isOurs, wish);
    const status = this.#pending.get(key);
    return status === undefined ? resource : { ...resource, status };
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
   * @returns what is shown although the object is gone.
   */
  #leave(
    id: ResourceId,
    { metadata: { uid } }: KubeObject,
    before: SourceResource | undefined,
    isOverlooked: boolean,
  ): SourceResource | undefined {
    const wasKept = this.#kept.delete(uid);
    if (this.#released.delete(uid) || (!wasKept && !isOverlooked) || before?.elsewhere) return undefined;
    return this.#outlive(before ?? unknownResource(id), !isOverlooked);
  }

  #outlive({ awaited, ...resource }: SourceResource, isAbandoned: boolean): SourceResource {
    this.#outlived.add(resourceKey(resource.id));
    return { ...resource, deleting: true, ...(isAbandoned ? { abandoned: true as const } : {}) };
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
