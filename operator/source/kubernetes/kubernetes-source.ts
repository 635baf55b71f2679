import { canonicalJson } from '../../../model/canonical-json.ts';
import {
  API_VERSION,
  RESOURCE_KINDS,
  type ResourceId,
  type ResourceKey,
  type ResourceKind,
  resourceKey,
} from '../../../model/resource/identity.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import { Informer, type InformerTimes } from '../../kubernetes/informer.ts';
import type { KubeClient } from '../../kubernetes/kube-client.ts';
import { KubeError } from '../../kubernetes/kube-error.ts';
import type { JsonPatchOperation, KubeObject } from '../../kubernetes/kube-object.ts';
import { objectKey } from '../../kubernetes/object-view.ts';
import { Emitter } from '../../runtime/emitter.ts';
import {
  type ResourceSource,
  type SourceChange,
  SourceError,
  type SourceProblem,
  type SourceResource,
} from '../port.ts';
import { StatusWriter } from '../status-writer.ts';
import { changeObject, readOrNothing } from './change-object.ts';
import { FINALIZER, KUBE_RESOURCES, refOf } from './kube-kinds.ts';
import { idOf, isBeingDeleted, isProtected, type SeenObject, saysTheSame, showObject } from './shown-object.ts';

export interface KubernetesSourceOptions {
  /** Names the source in owner marks. */
  readonly name: string;
  readonly client: KubeClient;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  /** Which resources this operator works on, by their labels. The others are known all the same. */
  readonly isOurs?: (labels: Readonly<Record<string, string>>) => boolean;
  readonly times?: Partial<InformerTimes>;
}

/** The object that an event is about. */
export interface Regarding extends ResourceId {
  readonly apiVersion: string;
  readonly uid: string;
}

/** Names of deleted objects that are remembered, for events about their end. */
const MOST_REMEMBERED = 1000;

/**
 * The resources of a Kubernetes cluster. A resource that has our finalizer is kept by the cluster until `finalized`; one
 * that vanishes without that was let go by hand, and is shown as abandoned until its marks are cleared.
 */
export class KubernetesSource implements ResourceSource {
  readonly name: string;
  readonly #client: KubeClient;
  readonly #isOurs: NonNullable<KubernetesSourceOptions['isOurs']>;
  readonly #namespaces: readonly string[];
  readonly #informers: readonly { readonly kind: ResourceKind; readonly informer: Informer }[];
  readonly #stopping = new AbortController();
  readonly #changes = new Emitter<SourceChange>();
  readonly #statuses: StatusWriter;
  readonly #seen = new Map<ResourceKey, SeenObject>();
  /** Statuses that were reported and are not stored yet. */
  readonly #pending = new Map<ResourceKey, ResourceStatus>();
  readonly #abandoned = new Map<ResourceKey, SourceResource>();
  /** Uids of objects that have our finalizer. */
  readonly #kept = new Set<string>();
  /** Those of them from which we take it. */
  readonly #released = new Set<string>();
  readonly #uids = new Map<ResourceKey, string>();
  readonly #problems = new Map<string, SourceProblem>();

  constructor({ name, client, namespaces, isOurs = () => true, times }: KubernetesSourceOptions) {
    this.name = name;
    this.#client = client;
    this.#namespaces = namespaces;
    this.#isOurs = isOurs;
    this.#statuses = new StatusWriter((id, status) => this.#writeStatus(id, status));
    const places = namespaces.length === 0 ? [undefined] : namespaces;
    this.#informers = RESOURCE_KINDS.flatMap((kind) =>
      places.map((namespace) => ({ kind, informer: this.#createInformer(kind, namespace, times) })),
    );
  }

  async start(owned: readonly ResourceId[]): Promise<void> {
    await Promise.all(this.#informers.map(({ informer }) => informer.start(this.#stopping.signal)));
    for (const id of owned) {
      const key = resourceKey(id);
      const isWatched = this.#namespaces.length === 0 || this.#namespaces.includes(id.namespace);
      if (!isWatched || this.get(key) !== undefined || this.#abandoned.has(key)) continue;
      const isGone = this.#seen.has(key) || (await this.#read(id)) === undefined;
      if (isGone) this.#abandon({ id, wish: { kind: 'unknown' }, generation: 0, created: 0, deleting: true });
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#informers.map(({ informer }) => informer.stop()));
    await this.#statuses.stop();
  }

  list(): SourceResource[] {
    return [...new Set([...this.#seen.keys(), ...this.#abandoned.keys()])]
      .map((key) => this.get(key))
      .filter((resource) => resource !== undefined);
  }

  get(key: ResourceKey): SourceResource | undefined {
    const seen = this.#seen.get(key);
    if (seen === undefined || this.#hasGone(seen.object)) return this.#abandoned.get(key);
    const status = this.#pending.get(key);
    return status === undefined ? seen.shown : { ...seen.shown, status };
  }

  subscribe(listener: (change: SourceChange) => void): () => void {
    return this.#changes.on(listener);
  }

  problems(): SourceProblem[] {
    return [...this.#problems.values()];
  }

  /** Also of one that was deleted a short while ago. */
  regarding(id: ResourceId): Regarding | undefined {
    const uid = this.#uids.get(resourceKey(id));
    return uid === undefined ? undefined : { ...id, apiVersion: API_VERSION, uid };
  }

  /** Whether nothing, not even a sign of life, was heard of the cluster for so long. */
  isStale(ms: number): boolean {
    return this.#informers.some(({ informer }) => informer.isStale(ms));
  }

  async protect(id: ResourceId): Promise<void> {
    const seen = this.#seen.get(resourceKey(id));
    if (seen !== undefined && isProtected(seen.object)) return;
    const now = await this.#change(id, addFinalizer);
    if (now === undefined || !isProtected(now)) {
      throw new SourceError('ResourceGone', `${id.kind} ${id.namespace}/${id.name} was deleted meanwhile`);
    }
  }

  async reportStatus(id: ResourceId, status: ResourceStatus): Promise<void> {
    this.#pending.set(resourceKey(id), status);
    await this.#statuses.put(id, status);
  }

  async finalized(id: ResourceId): Promise<void> {
    const key = resourceKey(id);
    await this.#statuses.forget(id);
    this.#pending.delete(key);
    if (this.#abandoned.delete(key)) {
      this.#tell(key);
      return;
    }
    const uid = this.#seen.get(key)?.object.metadata.uid ?? '';
    // Before it is sent: the news that the object is gone may come before the answer.
    this.#released.add(uid);
    try {
      await this.#change(id, removeFinalizer);
    } catch (error) {
      this.#released.delete(uid);
      throw error;
    }
    this.#tell(key);
  }

  /** For us an object has gone as soon as its deletion does not wait for us any more. */
  #hasGone(object: KubeObject): boolean {
    return isBeingDeleted(object) && (!isProtected(object) || this.#released.has(object.metadata.uid));
  }

  #createInformer(
    kind: ResourceKind,
    namespace: string | undefined,
    times: Partial<InformerTimes> | undefined,
  ): Informer {
    const place = `${kind}/${namespace ?? ''}`;
    return new Informer({
      client: this.#client,
      resource: KUBE_RESOURCES[kind],
      ...(namespace === undefined ? {} : { namespace }),
      ...(times === undefined ? {} : { times }),
      listener: {
        upsert: (object) => this.#onObject(kind, object),
        gone: (object) => this.#onGone(kind, object),
        problem: (message) => this.#setProblem(place, { severity: 'error', reason: 'CannotWatch', message }),
        recovered: () => this.#setProblem(place, undefined),
      },
    });
  }

  #onObject(kind: ResourceKind, object: KubeObject): void {
    const key = resourceKey(idOf(kind, object));
    const before = this.get(key);
    const seenBefore = this.#seen.get(key)?.object;
    this.#take(kind, object);
    if (isBeingDeleted(object) && !isProtected(object)) this.#leave(kind, object, before);
    else this.#abandoned.delete(key);
    const after = this.get(key);
    if (seenBefore === undefined || !isSameNews(seenBefore, object) || !isSameShown(before, after)) this.#tell(key);
  }

  #onGone(kind: ResourceKind, object: KubeObject): void {
    const key = resourceKey(idOf(kind, object));
    const before = this.get(key);
    this.#seen.delete(key);
    this.#pending.delete(key);
    this.#leave(kind, object, before);
    this.#tell(key);
  }

  /** An object has got rid of our finalizer. If that was not our doing, its marks are still to be cleared. */
  #leave(kind: ResourceKind, object: KubeObject, before: SourceResource | undefined): void {
    const { uid } = object.metadata;
    const wasKept = this.#kept.delete(uid);
    if (this.#released.delete(uid) || !wasKept) return;
    const unknown = { id: idOf(kind, object), wish: { kind: 'unknown' }, generation: 0, created: 0 } as const;
    this.#abandon({ ...(before ?? unknown), deleting: true });
  }

  #abandon({ awaited, ...resource }: SourceResource): void {
    this.#abandoned.set(resourceKey(resource.id), { ...resource, abandoned: true });
  }

  #take(kind: ResourceKind, object: KubeObject): void {
    const key = resourceKey(idOf(kind, object));
    const { uid } = object.metadata;
    this.#seen.set(key, showObject(kind, object, this.#isOurs, this.#seen.get(key)));
    if (isProtected(object)) this.#kept.add(uid);
    this.#uids.delete(key);
    this.#uids.set(key, uid);
    const [oldest] = this.#uids.keys();
    if (this.#uids.size > this.#seen.size + MOST_REMEMBERED && oldest !== undefined) this.#uids.delete(oldest);
  }

  async #writeStatus(id: ResourceId, status: ResourceStatus): Promise<void> {
    const key = resourceKey(id);
    try {
      const plan = ({ status: stored }: KubeObject): JsonPatchOperation[] | undefined =>
        canonicalJson(stored ?? null) === canonicalJson(status)
          ? undefined
          : [{ op: 'add', path: '/status', value: status }];
      await this.#change(id, plan, 'status');
      this.#setProblem('status', undefined);
    } catch (error) {
      const code = error instanceof SourceError && error.cause instanceof KubeError ? error.cause.code : undefined;
      if (code === 'invalid' || code === 'forbidden') {
        const message = `the status of ${id.kind} ${id.namespace}/${id.name} cannot be written: ${(error as Error).message}`;
        this.#setProblem('status', { severity: 'error', reason: 'CannotWriteStatus', message });
      }
      // The same status would be refused again and again.
      if (code !== 'invalid') throw error;
    }
    if (this.#pending.get(key) === status) this.#pending.delete(key);
  }

  /** @throws SourceError */
  async #change(
    id: ResourceId,
    plan: (object: KubeObject) => readonly JsonPatchOperation[] | undefined,
    subresource?: 'status',
  ): Promise<KubeObject | undefined> {
    const key = resourceKey(id);
    try {
      const seen = this.#seen.get(key)?.object ?? (await this.#read(id));
      if (seen === undefined) return undefined;
      const now = await changeObject(this.#client, refOf(id), seen, plan, subresource);
      if (now === undefined) return undefined;
      const informer = this.#informerOf(id);
      informer?.put(now);
      // The informer knows whether something newer has come meanwhile.
      const newest = informer?.get(objectKey(now.metadata));
      if (newest !== undefined) this.#take(id.kind, newest);
      return now;
    } catch (error) {
      throw sourceErrorOf(error);
    }
  }

  async #read(id: ResourceId): Promise<KubeObject | undefined> {
    return await readOrNothing(this.#client, refOf(id));
  }

  #informerOf({ kind, namespace }: ResourceId): Informer | undefined {
    const index = this.#namespaces.length === 0 ? 0 : this.#namespaces.indexOf(namespace);
    return this.#informers.filter((one) => one.kind === kind)[index]?.informer;
  }

  #setProblem(place: string, problem: SourceProblem | undefined): void {
    if (this.#problems.get(place)?.message === problem?.message) return;
    if (problem === undefined) this.#problems.delete(place);
    else this.#problems.set(place, problem);
    this.#changes.emit({ kind: 'problems' });
  }

  #tell(key: ResourceKey): void {
    this.#changes.emit({ kind: 'resource', key });
  }
}

/** Whether an object brings no news of what people want; its status aside. A finalizer of ours that is new is none. */
function isSameNews(before: KubeObject, after: KubeObject): boolean {
  return (
    saysTheSame(before, after) &&
    isBeingDeleted(before) === isBeingDeleted(after) &&
    (isProtected(after) || !isProtected(before))
  );
}

function isSameShown(before: SourceResource | undefined, after: SourceResource | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  const parts = ({ status, awaited, elsewhere }: SourceResource) =>
    canonicalJson({ status: status ?? null, awaited: awaited ?? [], elsewhere: elsewhere ?? false });
  return parts(before) === parts(after);
}

function addFinalizer(object: KubeObject): JsonPatchOperation[] | undefined {
  if (isProtected(object) || isBeingDeleted(object)) return undefined;
  const { finalizers } = object.metadata;
  return finalizers === undefined || finalizers.length === 0
    ? [{ op: 'add', path: '/metadata/finalizers', value: [FINALIZER] }]
    : [{ op: 'add', path: '/metadata/finalizers/-', value: FINALIZER }];
}

/** By its place, and only if it is there: others add and remove theirs at the same time. */
function removeFinalizer(object: KubeObject): JsonPatchOperation[] | undefined {
  const index = object.metadata.finalizers?.indexOf(FINALIZER) ?? -1;
  if (index < 0) return undefined;
  const path = `/metadata/finalizers/${index}`;
  return [
    { op: 'test', path, value: FINALIZER },
    { op: 'remove', path },
  ];
}

function sourceErrorOf(error: unknown): unknown {
  if (!(error instanceof KubeError)) return error;
  const reason = REASONS[error.code] ?? 'KubernetesUnavailable';
  return new SourceError(reason, error.message, error);
}

const REASONS: Partial<Record<KubeError['code'], string>> = {
  forbidden: 'KubernetesForbidden',
  unauthorized: 'KubernetesForbidden',
  invalid: 'KubernetesRefused',
  conflict: 'WriteConflict',
  fenced: 'LostLeadership',
};
