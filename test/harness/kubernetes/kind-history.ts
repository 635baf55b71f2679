import type { KubeObject } from '../../../kubernetes/kube-object.ts';
import type { ResourceKind } from '../../../model/resource/identity.ts';
import { KUBE_RESOURCES } from '../../../operator/source/kubernetes/kube-kinds.ts';
import type { Cluster } from './cluster.ts';
import { kubeClientOf } from './kube-client.ts';

const LONGEST_WATCH_S = 3000;

/** The states that the resources of a kind in a namespace go through from now on, none left out. */
export class KindHistory {
  readonly #states = new Map<string, KubeObject[]>();
  readonly #gone = new Set<string>();
  readonly #stopping = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  static async of(cluster: Cluster, kind: ResourceKind, namespace: string): Promise<KindHistory> {
    const client = kubeClientOf(cluster);
    const resource = KUBE_RESOURCES[kind];
    const history = new KindHistory();
    const { resourceVersion } = await client.list(resource, { namespace, limit: 1 });
    const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
    const query = { resourceVersion, timeoutSeconds: LONGEST_WATCH_S, idleMs: LONGEST_WATCH_S * 1000, opened };
    history.#watching = (async () => {
      for await (const { type, object } of client.watch(resource, namespace, query, history.#stopping.signal))
        if (type !== 'BOOKMARK') history.#take(type, object);
    })();
    await Promise.race([isOpen, history.#watching]);
    return history;
  }

  statesOf(name: string): readonly KubeObject[] {
    return this.#states.get(name) ?? [];
  }

  /** As last heard of; undefined: nothing has happened to it yet, or it is gone. */
  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  last(name: string): any {
    return this.isGone(name) ? undefined : this.statesOf(name).at(-1);
  }

  isGone(name: string): boolean {
    return this.#gone.has(name);
  }

  /** @throws what the watch broke off with. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  #take(type: string, object: KubeObject): void {
    const { name } = object.metadata;
    if (type === 'DELETED') {
      this.#gone.add(name);
      return;
    }
    const states = this.#states.get(name) ?? [];
    this.#states.set(name, [...states, object]);
  }
}
