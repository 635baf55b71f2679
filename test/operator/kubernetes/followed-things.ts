import { Informer, type InformerTimes } from '../../../operator/kubernetes/informer.ts';
import type { KubeObject } from '../../../operator/kubernetes/kube-object.ts';
import { objectKey } from '../../../operator/kubernetes/object-view.ts';
import { type FakeKubeApi, THINGS } from './fake-kube-api.ts';

/** An informer over the things of a fake API server, with what it tells. */
export class FollowedThings {
  /** `+name`, `~name`, `-name`, `!message` or `ok`, in the order in which it was told. */
  readonly told: string[] = [];
  /** What the tellings amount to. */
  readonly replayed = new Map<string, KubeObject>();
  /** Tellings that do not follow from the ones before. */
  readonly wrong: string[] = [];
  readonly informer: Informer;
  readonly #ending = new AbortController();

  constructor(api: FakeKubeApi, times: Partial<InformerTimes> = {}, namespace?: string) {
    this.informer = new Informer({
      client: api.client({ timeoutMs: 2000 }),
      resource: THINGS,
      ...(namespace === undefined ? {} : { namespace }),
      times: { firstDelayMs: 10, greatestDelayMs: 50, ...times },
      listener: {
        upsert: (object, before) => this.#upsert(object, before),
        gone: (object) => this.#gone(object),
        problem: (message) => this.told.push(`!${message}`),
        recovered: () => this.told.push('ok'),
      },
    });
  }

  async start(): Promise<this> {
    await this.begin();
    return this;
  }

  begin(): Promise<void> {
    return this.informer.start(this.#ending.signal);
  }

  abort(): void {
    this.#ending.abort();
  }

  /** Puts the answer of a write of our own, which whoever listens knows. */
  own(object: KubeObject): void {
    this.informer.put(object);
    const key = objectKey(object.metadata);
    if (this.replayed.get(key)?.metadata.uid === object.metadata.uid) this.replayed.set(key, object);
  }

  /** Names and values, as the informer sees them. */
  get view(): Record<string, unknown> {
    return valuesOf(this.informer.list());
  }

  get replay(): Record<string, unknown> {
    return valuesOf([...this.replayed.values()]);
  }

  #upsert(object: KubeObject, before: KubeObject | undefined): void {
    const key = objectKey(object.metadata);
    const known = this.replayed.get(key);
    this.told.push(`${before === undefined ? '+' : '~'}${object.metadata.name}`);
    if (known?.metadata.uid !== before?.metadata.uid) this.wrong.push(`${key}: not told before`);
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) this.wrong.push(`${key}: another uid`);
    if (before?.metadata.resourceVersion === object.metadata.resourceVersion) this.wrong.push(`${key}: told twice`);
    if (known !== undefined && Number(object.metadata.resourceVersion) < Number(known.metadata.resourceVersion))
      this.wrong.push(`${key}: an older state`);
    this.replayed.set(key, object);
  }

  #gone(object: KubeObject): void {
    const key = objectKey(object.metadata);
    this.told.push(`-${object.metadata.name}`);
    if (this.replayed.get(key)?.metadata.uid !== object.metadata.uid) this.wrong.push(`${key}: gone, never there`);
    this.replayed.delete(key);
  }
}

export function valuesOf(objects: readonly KubeObject[]): Record<string, unknown> {
  const entries = objects.map(({ metadata, value }) => [`${objectKey(metadata)} ${metadata.uid}`, value] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
