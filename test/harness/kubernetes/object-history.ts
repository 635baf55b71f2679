import { KubeConfig } from '@kubernetes/client-node';
import type { ResourceId } from '../../../model/resource/identity.ts';
import { createKubeClient } from '../../../operator/kubernetes/create-kube-client.ts';
import type { KubeObject } from '../../../operator/kubernetes/kube-object.ts';
import { refOf } from '../../../operator/source/kubernetes/kube-kinds.ts';
import type { Cluster } from './cluster.ts';

const LONGEST_WATCH_S = 3000;

/** The states that a resource goes through from now on, none left out. */
export class ObjectHistory {
  readonly states: KubeObject[] = [];
  readonly #stopping = new AbortController();
  #isGone = false;
  #watching: Promise<void> = Promise.resolve();

  static async of(cluster: Cluster, id: ResourceId): Promise<ObjectHistory> {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromFile(cluster.kubeconfig);
    const client = createKubeClient({ kubeConfig, userAgent: 'proplane-test' });
    const { resource } = refOf(id);
    const history = new ObjectHistory();
    const { resourceVersion } = await client.list(resource, { namespace: id.namespace, limit: 1 });
    const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
    const query = { resourceVersion, timeoutSeconds: LONGEST_WATCH_S, idleMs: LONGEST_WATCH_S * 1000, opened };
    history.#watching = (async () => {
      for await (const { type, object } of client.watch(resource, id.namespace, query, history.#stopping.signal)) {
        if (object.metadata.name !== id.name || type === 'BOOKMARK') continue;
        if (type === 'DELETED') history.#isGone = true;
        else history.states.push(object);
      }
    })();
    await Promise.race([isOpen, history.#watching]);
    return history;
  }

  /** As last heard of; undefined: nothing has happened to it yet, or it is gone. */
  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  get last(): any {
    return this.#isGone ? undefined : this.states.at(-1);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** @throws what the watch broke off with. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }
}
