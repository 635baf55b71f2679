import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import { KubeError } from '../../../kubernetes/kube-error.ts';
import type { JsonPatchOperation, KubeObject, KubeRef } from '../../../kubernetes/kube-object.ts';
import type { Clock } from '../../../process/clock.ts';

type Call = 'read' | 'create' | 'replace' | 'patch';

/** Objects in memory, written as the API server lets them be written: conditionally, with uid and resourceVersion. */
export class FakeObjects implements Pick<KubeClient, Call> {
  readonly objects = new Map<string, KubeObject>();
  readonly calls: Call[] = [];
  /** While set, asked before every call; what it throws or waits for happens to the caller. */
  before: ((call: Call) => Promise<void> | void) | undefined;
  readonly #now: Clock['now'];
  #version = 0;
  #uids = 0;

  constructor({ now }: Clock) {
    this.#now = now;
  }

  async read({ name }: KubeRef): Promise<KubeObject> {
    await this.#called('read');
    return structuredClone(this.#known(name));
  }

  async create(_resource: unknown, object: object): Promise<KubeObject> {
    await this.#called('create');
    const { metadata } = object as KubeObject;
    if (this.objects.has(metadata.name)) throw new KubeError('conflict', 'it is there');
    this.#uids += 1;
    const creationTimestamp = `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
    return this.#keep({
      ...object,
      metadata: { ...metadata, uid: `uid-${this.#uids}`, creationTimestamp },
    } as KubeObject);
  }

  async replace({ name }: KubeRef, object: object): Promise<KubeObject> {
    await this.#called('replace');
    const { resourceVersion } = (object as KubeObject).metadata;
    if (this.#known(name).metadata.resourceVersion !== resourceVersion)
      throw new KubeError('conflict', 'another version');
    return this.#keep(object as KubeObject);
  }

  /** Of the first level only. */
  async patch({ name }: KubeRef, operations: readonly JsonPatchOperation[]): Promise<KubeObject> {
    await this.#called('patch');
    const fields = operations.map((operation) => [operation.path.slice(1), 'value' in operation && operation.value]);
    return this.#keep({ ...this.#known(name), ...Object.fromEntries(fields) });
  }

  /** As somebody else does it. */
  change(name: string, fields: object): void {
    this.#keep({ ...this.#known(name), ...fields });
  }

  async #called(call: Call): Promise<void> {
    this.calls.push(call);
    await this.before?.(call);
  }

  #known(name: string): KubeObject {
    const object = this.objects.get(name);
    if (object === undefined) throw new KubeError('missing', `there is no ${name}`);
    return object;
  }

  #keep(object: KubeObject): KubeObject {
    this.#version += 1;
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.objects.set(object.metadata.name, kept);
    return structuredClone(kept);
  }
}
