import type { KubeObject } from '../../../kubernetes/kube-object.ts';
import type { ResourceId } from '../../../model/resource/identity.ts';
import type { Cluster } from './cluster.ts';
import { KindHistory } from './kind-history.ts';

/** The states that a resource goes through from now on, none left out. */
export class ObjectHistory {
  readonly #ofKind: KindHistory;
  readonly #name: string;

  private constructor(ofKind: KindHistory, name: string) {
    this.#ofKind = ofKind;
    this.#name = name;
  }

  static async of(cluster: Cluster, { kind, namespace, name }: ResourceId): Promise<ObjectHistory> {
    return new ObjectHistory(await KindHistory.of(cluster, kind, namespace), name);
  }

  get states(): readonly KubeObject[] {
    return this.#ofKind.statesOf(this.#name);
  }

  /** As last heard of; undefined: nothing has happened to it yet, or it is gone. */
  // biome-ignore lint/suspicious/noExplicitAny: objects as the API gives them
  get last(): any {
    return this.#ofKind.last(this.#name);
  }

  get isGone(): boolean {
    return this.#ofKind.isGone(this.#name);
  }

  /** @throws what the watch broke off with. */
  async stop(): Promise<void> {
    await this.#ofKind.stop();
  }
}
