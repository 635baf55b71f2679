import type { KubeObject } from '../../../kubernetes/kube-object.ts';
import { Informer, type InformerOptions, type InformerTimes } from '../../../operator/kubernetes/informer.ts';
import { effectsOf, type ObjectEvent, objectKey } from '../../../operator/kubernetes/object-events.ts';
import type { Clock } from '../../../process/clock.ts';
import { type FakeKubeApi, THINGS } from '../../kubernetes/fake-kube-api.ts';

/** An informer, with what it tells. */
export class FollowedObjects {
  /** `+name`, `~name`, `-name`, `!message` or `ok`, in the order in which it was told. */
  readonly told: string[] = [];
  /** By `objectKey`. */
  readonly objects = new Map<string, KubeObject>();
  /** Effects that do not follow from the ones before. */
  readonly wrong: string[] = [];
  readonly informer: Informer;
  readonly #ending = new AbortController();

  constructor(options: Omit<InformerOptions, 'listener'>) {
    this.informer = new Informer({
      ...options,
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

/** Follows the things of a fake API server. */
export function followThings(
  api: FakeKubeApi,
  clock: Clock,
  times: Partial<InformerTimes> = {},
  where: Pick<InformerOptions, 'namespace'> = {},
): FollowedObjects {
  const impatience = { firstDelayMs: 10, greatestDelayMs: 50 };
  return new FollowedObjects({
    client: api.client({ clock }),
    resource: THINGS,
    ...where,
    clock,
    times: { ...impatience, ...times },
  });
}

/** What objects say: things by their value, ConfigMaps by their data. */
export function valuesOf(objects: readonly KubeObject[]): Record<string, unknown> {
  const entries = objects.map(
    ({ metadata, value, data }) => [`${objectKey(metadata)} ${metadata.uid}`, value ?? data] as const,
  );
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
