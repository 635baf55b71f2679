import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import { isKubeError, KubeError } from '../../../kubernetes/kube-error.ts';
import type { JsonPatchOperation, KubeObject } from '../../../kubernetes/kube-object.ts';
import { canonicalJson } from '../../../model/canonical-json.ts';
import {
  API_VERSION,
  RESOURCE_KINDS,
  type ResourceId,
  type ResourceKind,
  resourceKey,
} from '../../../model/resource/identity.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import type { Clock } from '../../../process/clock.ts';
import { Informer, type InformerOptions, type InformerTimes } from '../../kubernetes/informer.ts';
import { Emitter } from '../../runtime/emitter.ts';
import type { ResourceTable } from '../../table/object-table.ts';
import { type ResourceSource, SourceError, type SourceProblem, type SourceResource } from '../port.ts';
import { StatusWriter } from '../status-writer.ts';
import { changeObject, readOrNothing } from './change-object.ts';
import { addFinalizer, isProtected, removeFinalizer } from './finalizer.ts';
import { KnownObjects } from './known-objects.ts';
import { KUBE_RESOURCES, refOf } from './kube-kinds.ts';
import { sourceErrorOf } from './source-error-of.ts';

export interface KubernetesSourceOptions {
  /** Names the source in owner marks. */
  readonly name: string;
  readonly client: KubeClient;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  /** Which resources this operator works on, by their labels. The others are known all the same. */
  readonly isOurs?: (labels: Readonly<Record<string, string>>) => boolean;
  readonly times?: Partial<InformerTimes>;
  readonly clock: Clock;
}

/** The object that an event is about. */
export interface Regarding extends ResourceId {
  readonly apiVersion: string;
  readonly uid: string;
}

/**
 * The resources of a Kubernetes cluster. A resource that has our finalizer is kept by the cluster until `finalized`; one
 * that vanishes without that was let go by hand, and is shown as abandoned until its marks are cleared.
 */
export class KubernetesSource implements ResourceSource {
  readonly name: string;
  readonly #client: KubeClient;
  readonly #namespaces: readonly string[];
  readonly #informers: readonly { readonly kind: ResourceKind; readonly informer: Informer }[];
  readonly #stopping = new AbortController();
  #started: Promise<unknown> | undefined;
  readonly #problemChanges = new Emitter<void>();
  readonly #statuses: StatusWriter;
  readonly #objects: KnownObjects;
  readonly #problems = new Map<string, SourceProblem>();

  constructor({ name, client, namespaces, isOurs = () => true, times = {}, clock }: KubernetesSourceOptions) {
    this.name = name;
    this.#client = client;
    this.#namespaces = namespaces;
    this.#objects = new KnownObjects(isOurs);
    this.#statuses = new StatusWriter((id, status) => this.#writeStatus(id, status), clock);
    const places = namespaces.length === 0 ? [undefined] : namespaces;
    this.#informers = RESOURCE_KINDS.flatMap((kind) =>
      places.map((namespace) => ({ kind, informer: this.#createInformer(kind, namespace, { times, clock }) })),
    );
  }

  async start(owned: readonly ResourceId[]): Promise<void> {
    this.#started ??= Promise.all(this.#informers.map(({ kind, informer }) => this.#begin(kind, informer)));
    await this.#started;
    for (const id of owned) {
      const isWatched = this.#namespaces.length === 0 || this.#namespaces.includes(id.namespace);
      if (!isWatched || this.table.get(resourceKey(id)) !== undefined) continue;
      if (this.#objects.objectOf(id) !== undefined || (await this.#isGone(id))) this.#objects.abandon(id);
    }
  }

  /** Nobody refers to a token, and nothing in the catalogue is one's own: a cluster without that kind keeps no other waiting. */
  async #begin(kind: ResourceKind, informer: Informer): Promise<void> {
    const isComplete = informer.start(this.#stopping.signal);
    if (kind === 'AccessToken') isComplete.catch(() => undefined);
    else await isComplete;
  }

  /** What may not be looked at is not known to be gone. */
  async #isGone(id: ResourceId): Promise<boolean> {
    try {
      return (await this.#read(id)) === undefined;
    } catch (error) {
      if (isKubeError(error, 'forbidden')) return false;
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#informers.map(({ informer }) => informer.stop()));
    await this.#statuses.stop();
  }

  get table(): ResourceTable {
    return this.#objects.table;
  }

  onProblems(listener: () => void): () => void {
    return this.#problemChanges.on(listener);
  }

  problems(): SourceProblem[] {
    return [...this.#problems.values()];
  }

  /** Also of one that was deleted a short while ago. */
  regarding(id: ResourceId): Regarding | undefined {
    const uid = this.#objects.uidOf(id);
    return uid === undefined ? undefined : { ...id, apiVersion: API_VERSION, uid };
  }

  /** Whether nothing, not even a sign of life, was heard of the cluster for so long. */
  isStale(ms: number): boolean {
    return this.#informers.some(({ informer }) => informer.isStale(ms));
  }

  async protect(id: ResourceId): Promise<void> {
    const seen = this.#objects.objectOf(id);
    if (seen !== undefined && isProtected(seen)) return;
    const now = await this.#change(id, addFinalizer);
    if (now === undefined || !isProtected(now)) {
      throw new SourceError('ResourceGone', `${id.kind} ${id.namespace}/${id.name} was deleted meanwhile`);
    }
  }

  async reportStatus(id: ResourceId, status: ResourceStatus): Promise<void> {
    if (this.#objects.setStatus(id, status)) await this.#statuses.put(id, status);
  }

  async finalized({ id, uid }: Pick<SourceResource, 'id' | 'uid'>): Promise<void> {
    const isGone = this.#objects.forgetOutlived(id);
    const object = this.#objects.objectOf(id);
    if (!isGone && object !== undefined && object.metadata.uid !== uid) return;
    await this.#statuses.forget(id);
    this.#objects.clearStatus(id);
    if (!isGone && uid !== undefined) await this.#removeFinalizer(id, uid);
  }

  async #removeFinalizer(id: ResourceId, uid: string): Promise<void> {
    // Before it is sent: the news that the object is gone may come before the answer.
    const takeBack = this.#objects.release(id, uid);
    try {
      await this.#change(id, (object) => (object.metadata.uid === uid ? removeFinalizer(object) : undefined));
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  #createInformer(
    kind: ResourceKind,
    namespace: string | undefined,
    options: Pick<InformerOptions, 'times' | 'clock'>,
  ): Informer {
    const place = `${kind}/${namespace ?? ''}`;
    return new Informer({
      client: this.#client,
      resource: KUBE_RESOURCES[kind],
      ...(namespace === undefined ? {} : { namespace }),
      ...options,
      listener: {
        heard: (event) => this.#objects.apply(kind, event, namespace),
        problem: (message) => this.#setProblem(place, { severity: 'error', reason: 'CannotWatch', message }),
        recovered: () => this.#setProblem(place, undefined),
      },
    });
  }

  async #writeStatus(id: ResourceId, status: ResourceStatus): Promise<void> {
    const place = `status/${id.kind}/${id.namespace}`;
    try {
      const plan = ({ status: stored }: KubeObject): JsonPatchOperation[] | undefined =>
        canonicalJson(stored ?? null) === canonicalJson(status)
          ? undefined
          : [{ op: 'add', path: '/status', value: status }];
      await this.#change(id, plan, 'status');
      this.#setProblem(place, undefined);
    } catch (error) {
      const code = error instanceof SourceError && error.cause instanceof KubeError ? error.cause.code : undefined;
      // One is enough: without the right to it there is one for each resource, again and again.
      if ((code === 'invalid' || code === 'forbidden') && !this.#problems.has(place)) {
        const message = `the status of ${id.kind} ${id.namespace}/${id.name} cannot be written: ${(error as Error).message}`;
        this.#setProblem(place, { severity: 'error', reason: 'CannotWriteStatus', message });
      }
      // The same status would be refused again and again.
      if (code !== 'invalid') throw error;
    }
    this.#objects.clearStatus(id, status);
  }

  /** @throws SourceError */
  async #change(
    id: ResourceId,
    plan: (object: KubeObject) => readonly JsonPatchOperation[] | undefined,
    subresource?: 'status',
  ): Promise<KubeObject | undefined> {
    try {
      const seen = this.#objects.objectOf(id) ?? (await this.#read(id));
      if (seen === undefined) return undefined;
      const now = await changeObject(this.#client, refOf(id), seen, plan, subresource);
      if (now !== undefined) this.#objects.apply(id.kind, { type: 'written', object: now });
      return now;
    } catch (error) {
      throw sourceErrorOf(error);
    }
  }

  async #read(id: ResourceId): Promise<KubeObject | undefined> {
    return await readOrNothing(this.#client, refOf(id));
  }

  #setProblem(place: string, problem: SourceProblem | undefined): void {
    if (this.#problems.get(place)?.message === problem?.message) return;
    if (problem === undefined) this.#problems.delete(place);
    else this.#problems.set(place, problem);
    this.#problemChanges.emit();
  }
}
