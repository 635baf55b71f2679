import { Informer, type InformerTimes } from '../../../operator/kubernetes/informer.ts';
import type { KubeObject } from '../../../operator/kubernetes/kube-object.ts';
import { effectsOf, type ObjectEvent, objectKey } from '../../../operator/kubernetes/object-events.ts';
import { type FakeKubeApi, THINGS } from './fake-kube-api.ts';

/** An informer over the things of a fake API server, with what it tells. */
export class FollowedThings {
  /** `+name`, `~name`, `-name`, `!message` or `ok`, in the order in which it was told. */
  readonly told: string[] = [];
  /** By `objectKey`. */
  readonly objects = new Map<string, KubeObject>();
  /** Effects that do not follow from the ones before. */
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
        heard: (event) => this.#apply(event),
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

  /** Takes in the answer of a write of our own. */
  own(object: KubeObject): void {
    this.#apply({ type: 'written', object });
  }

  /** Names and values. */
  get view(): Record<string, unknown> {
    return valuesOf([...this.objects.values()]);
  }

  #apply(event: ObjectEvent): void {
    for (const { object, now } of effectsOf(event, this.objects)) {
      if (now === 'there') this.#there(object);
      else this.#gone(object);
    }
  }

  #there(object: KubeObject): void {
    const key = objectKey(object.metadata);
    const known = this.objects.get(key);
    this.told.push(`${known === undefined ? '+' : '~'}${object.metadata.name}`);
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) this.wrong.push(`${key}: another uid`);
    if (known?.metadata.resourceVersion === object.metadata.resourceVersion) this.wrong.push(`${key}: told twice`);
    if (known !== undefined && Number(object.metadata.resourceVersion) < Number(known.metadata.resourceVersion))
      this.wrong.push(`${key}: an older state`);
    this.objects.set(key, object);
  }

  #gone(object: KubeObject): void {
    const key = objectKey(object.metadata);
    this.told.push(`-${object.metadata.name}`);
    if (this.objects.get(key)?.metadata.uid !== object.metadata.uid) this.wrong.push(`${key}: gone, never there`);
    this.objects.delete(key);
  }
}

export function valuesOf(objects: readonly KubeObject[]): Record<string, unknown> {
  const entries = objects.map(({ metadata, value }) => [`${objectKey(metadata)} ${metadata.uid}`, value] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
