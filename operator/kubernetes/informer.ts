import type { KubeClient, WatchEvent } from '../../kubernetes/kube-client.ts';
import { KubeError } from '../../kubernetes/kube-error.ts';
import type { KubeObject, KubeResource } from '../../kubernetes/kube-object.ts';
import { type Clock, pause } from '../../process/clock.ts';
import { backoffDelay } from '../runtime/backoff.ts';
import type { ObjectEvent } from './object-events.ts';
import { isNewerVersion } from './resource-version.ts';

/** Is told what is heard of the objects, and what keeps that from coming. Must not throw. */
export interface InformerListener {
  heard(event: ObjectEvent): void;
  /** Told once for each message, until `recovered`. The informer goes on trying. */
  problem(message: string): void;
  recovered(): void;
}

export interface InformerTimes {
  /** The server ends a watch after so long, give or take a thirtieth. */
  readonly watchSeconds: number;
  /** Longer than the time between two bookmarks, which is about a minute. */
  readonly idleMs: number;
  /** Before the first repetition; then doubling. */
  readonly firstDelayMs: number;
  readonly greatestDelayMs: number;
}

export interface InformerOptions {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly resource: KubeResource;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly listener: InformerListener;
  readonly times?: Partial<InformerTimes>;
  readonly clock: Clock;
}

const TIMES: InformerTimes = { watchSeconds: 290, idleMs: 90_000, firstDelayMs: 500, greatestDelayMs: 30_000 };
const PAGE = 500;
/** A connection may break now and then; this often without a word in between is told. */
const PATIENCE = 3;
/** After so many failures of the watch the objects are listed again, in case the server cannot go on from there. */
const FAILURES_UNTIL_LIST = 5;
/** Rights may come late, or be looked up late: with the delays so far this is about half a minute. */
const FORBIDDEN_UNTIL_LEFT = 7;
/** A watch that ends sooner, without a word, is taken for broken: it would be opened again without end. */
const SHORTEST_WATCH_MS = 1000;

/**
 * Tells of all objects of one resource, in one namespace or all: lists them, then follows a watch, whatever breaks on the
 * way. It keeps none of them; what it tells may be known, or older than what is. Begins once and stops once.
 */
export class Informer {
  readonly counters = { lists: 0, watches: 0, events: 0, failures: 0 };
  readonly #options: InformerOptions;
  readonly #times: InformerTimes;
  readonly #ending = new AbortController();
  readonly #listed = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  /** Where the watch goes on; absent: the objects have to be listed. */
  #version: string | undefined;
  /** The newest that was heard of, whatever has to be done next. */
  #newest = '0';
  /** In a row, for the delay. */
  #failures = 0;
  /** Since anything was last heard of the objects: a watch can be opened in good order and yet say nothing. */
  #unheard = 0;
  #problem: string | undefined;
  #heardAt: number;

  constructor(options: InformerOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#heardAt = options.clock.monotonic();
    this.#listed.promise.catch(() => undefined);
  }

  /**
   * Begins; the signal ends it, as `stop` does.
   * @returns when everything there is has been told, however long that takes; in a namespace also when nothing there may be
   * read for half a minute, since it may be gone with the right to read it.
   * @throws Error when it was stopped before.
   */
  start(signal: AbortSignal): Promise<void> {
    this.#running = this.#run(AbortSignal.any([signal, this.#ending.signal]));
    return this.#listed.promise;
  }

  /** Resolves when nothing more will be told. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** Whether nothing, not even a bookmark, was heard for so long: with twice the idle time something is wrong. */
  isStale(ms: number): boolean {
    return this.#options.clock.monotonic() - this.#heardAt > ms;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#version ??= await this.#takeList(signal);
        await this.#follow(this.#version, signal);
      } catch (error) {
        if (!signal.aborted) await pause(this.#options.clock, this.#failed(error), signal);
      }
    }
    this.#listed.reject(new Error('stopped before the first list was complete'));
  }

  async #takeList(signal: AbortSignal): Promise<string> {
    const { client, resource, namespace } = this.#options;
    const where = namespace === undefined ? {} : { namespace };
    const objects: KubeObject[] = [];
    this.counters.lists += 1;
    let page = await client.list(resource, { ...where, limit: PAGE }, signal);
    for (;;) {
      this.#heard();
      for (const object of page.items) objects.push(object);
      if (page.continue === undefined) break;
      page = await client.list(resource, { ...where, limit: PAGE, continue: page.continue }, signal);
    }
    if (signal.aborted) throw signal.reason;
    const isOlder = isRewound(page.resourceVersion, this.#newest);
    this.#options.listener.heard({ type: 'listed', objects, isRewound: isOlder });
    this.#newest = page.resourceVersion;
    this.#unheard = 0;
    this.#listed.resolve();
    return page.resourceVersion;
  }

  /** @returns when the server ended the watch in good order, or at the signal. */
  async #follow(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { client, resource, namespace, clock } = this.#options;
    const begun = clock.monotonic();
    const said = this.counters.events;
    const timeoutSeconds = Math.max(1, Math.round(this.#times.watchSeconds * (1 + (Math.random() - 0.5) / 15)));
    const query = { resourceVersion, timeoutSeconds, idleMs: this.#times.idleMs, opened: () => this.#opened() };
    this.counters.watches += 1;
    try {
      for await (const event of client.watch(resource, namespace, query, signal)) {
        if (signal.aborted) return;
        this.#failures = 0;
        this.#unheard = 0;
        this.#opened();
        this.#apply(event);
      }
    } finally {
      // One that was only quiet is no failure after others: it took its time, so that it need not be put off as well.
      const { idleMs, greatestDelayMs } = this.#times;
      if (clock.monotonic() - begun > Math.min(idleMs, greatestDelayMs)) this.#failures = 0;
    }
    if (this.counters.events === said && clock.monotonic() - begun < SHORTEST_WATCH_MS)
      throw new KubeError('unavailable', 'the watch ended as soon as it began');
  }

  #apply({ type, object }: WatchEvent): void {
    this.counters.events += 1;
    if (type !== 'BOOKMARK') this.#options.listener.heard({ type: type === 'DELETED' ? 'deleted' : 'changed', object });
    const { resourceVersion } = object.metadata;
    if (!isNewerVersion(resourceVersion, this.#newest)) return;
    this.#newest = resourceVersion;
    this.#version = resourceVersion;
  }

  #heard(): void {
    this.#heardAt = this.#options.clock.monotonic();
  }

  #opened(): void {
    this.#heard();
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#options.listener.recovered();
  }

  /** @returns how long to wait before it is tried again, in ms. */
  #failed(error: unknown): number {
    const { code, retryAfterMs = 0 } = error instanceof KubeError ? error : { code: 'unavailable' };
    const did = this.#version === undefined ? 'list' : 'watch';
    this.counters.failures += 1;
    this.#failures += 1;
    this.#unheard += 1;
    // An answer is a sign of life, whatever it says.
    if (error instanceof KubeError && error.status !== undefined) this.#heard();
    if (code === 'forbidden' && this.#options.namespace !== undefined && this.#unheard >= FORBIDDEN_UNTIL_LEFT)
      this.#listed.resolve();
    // A resource that is missing may come back with other objects.
    if (code === 'expired' || code === 'missing' || this.#unheard % FAILURES_UNTIL_LIST === 0)
      this.#version = undefined;
    const isTold = code !== 'expired' && (code !== 'unavailable' || this.#unheard >= PATIENCE);
    if (isTold) this.#tell(`Cannot ${did} ${this.#what()}: ${messageOf(error)}${HINTS[code] ?? ''}`);
    const { firstDelayMs: firstMs, greatestDelayMs: greatestMs } = this.#times;
    return Math.max(backoffDelay(this.#failures - 1, { firstMs, greatestMs, random: Math.random }), retryAfterMs);
  }

  #tell(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#options.listener.problem(problem);
  }

  #what(): string {
    const { resource, namespace } = this.#options;
    const where = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
    return `${[resource.plural, resource.group].filter((part) => part !== '').join('.')} ${where}`;
  }
}

const HINTS: Readonly<Record<string, string>> = {
  forbidden: '; grant the verbs get, list and watch on it',
  missing: '; install its CustomResourceDefinition',
  unauthorized: '; check the credentials in the kubeconfig',
};

/** A complete list is never older than what was heard before it, unless the server lost a part of its history. */
function isRewound(version: string, newest: string): boolean {
  return /^\d+$/u.test(version + newest) && isNewerVersion(newest, version);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
