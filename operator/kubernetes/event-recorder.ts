import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KubeClient } from '../../kubernetes/kube-client.ts';
import { isKubeError, type KubeError } from '../../kubernetes/kube-error.ts';
import type { KubeRef, KubeResource } from '../../kubernetes/kube-object.ts';
import { type Clock, pause } from '../../process/clock.ts';
import { backoffDelay } from '../runtime/backoff.ts';
import { microTime } from './lease.ts';
import { SpamFilter } from './spam-filter.ts';

/** What `kubectl describe` shows under Events. */
export interface KubeEvent {
  readonly regarding: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly type: 'Normal' | 'Warning';
  /** Why, in one CamelCase word. */
  readonly reason: string;
  /** What was done or tried, in one CamelCase word. */
  readonly action: string;
  /** For people; cut after 1024 bytes. */
  readonly note: string;
}

export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'read' | 'create' | 'patch'>;
  /** With a domain: `proplane.dev/operator`. */
  readonly reportingController: string;
  /** Of this process. */
  readonly reportingInstance: string;
  /** Is told when events may not be written, once until one can be. */
  readonly log?: (message: string) => void;
  readonly clock: Clock;
}

interface Waiting {
  readonly event: KubeEvent;
  readonly first: number;
  last: number;
  times: number;
}

const EVENTS: KubeResource = { group: 'events.k8s.io', version: 'v1', plural: 'events' };
const LONGEST_NOTE = 1024;
const LONGEST_NAME = 230;
const LONGEST_INSTANCE = 128;
const MOST_WAITING = 1000;
const MOST_COUNTS = 4096;
const ATTEMPTS = 5;
const BACKOFF = { firstMs: 500, greatestMs: 10_000, random: Math.random };
const LONGEST_FLUSH_MS = 2000;

/**
 * Writes events, one after the other, beside whatever else is done: nobody waits for them, and none is worth a failure.
 * The same event again raises the count of the first one.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #spam = new SpamFilter();
  /** By name, in the order in which they are written. */
  readonly #waiting = new Map<string, Waiting>();
  /** How often an event was written, by name; the oldest are forgotten. */
  readonly #counts = new Map<string, number>();
  readonly #giveUp = new AbortController();
  #writing: Promise<void> | undefined;
  #isForbidden = false;
  #isStopped = false;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Never throws. Too many events of one object, or more than can be written, are dropped. */
  record(event: KubeEvent): void {
    if (this.#isStopped || !this.#spam.admits(event.regarding.uid, this.#options.clock.monotonic())) return;
    const name = this.#nameOf(event);
    const now = this.#options.clock.now();
    const known = this.#waiting.get(name);
    if (known !== undefined) {
      known.times += 1;
      known.last = now;
    } else if (this.#waiting.size < MOST_WAITING) this.#waiting.set(name, { event, first: now, last: now, times: 1 });
    this.#writing ??= this.#writeAll();
  }

  /** Takes no more, and gives what waits a moment to be written. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const done = new AbortController();
    await Promise.race([this.#writing, pause(this.#options.clock, LONGEST_FLUSH_MS, done.signal)]);
    done.abort();
    this.#giveUp.abort();
  }

  async #writeAll(): Promise<void> {
    // Not in the turn of whoever records.
    await nextTurn();
    for (const [name, waiting] of this.#waiting) {
      this.#waiting.delete(name);
      await this.#writePatiently(name, waiting);
      if (this.#giveUp.signal.aborted) break;
    }
    this.#writing = undefined;
  }

  /** Only a server that is away is waited for. */
  async #writePatiently(name: string, waiting: Waiting): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS && !this.#giveUp.signal.aborted; attempt++) {
      try {
        await this.#write(name, waiting);
        this.#isForbidden = false;
        return;
      } catch (error) {
        if (isKubeError(error, 'forbidden')) this.#tell(error);
        if (!isKubeError(error, 'unavailable')) return;
        const ms = Math.max(backoffDelay(attempt, BACKOFF), error.retryAfterMs ?? 0);
        await pause(this.#options.clock, ms, this.#giveUp.signal);
      }
    }
  }

  #tell({ message }: KubeError): void {
    if (!this.#isForbidden) this.#options.log?.(`events cannot be written: ${message}`);
    this.#isForbidden = true;
  }

  async #write(name: string, waiting: Waiting): Promise<void> {
    const known = this.#counts.get(name);
    const count = known ?? (await this.#begin(name, waiting));
    if (waiting.times === 0) return;
    const total = count + waiting.times;
    const series = { count: total, lastObservedTime: microTime(waiting.last) };
    try {
      await this.#options.client.patch(refOf(name, waiting), [{ op: 'add', path: '/series', value: series }]);
      this.#remember(name, total);
    } catch (error) {
      if (known === undefined || !isKubeError(error, 'missing')) throw error;
      // Events live for an hour: this one begins anew.
      this.#counts.delete(name);
      await this.#write(name, waiting);
    }
  }

  /** Creates the event, or finds it from before a restart. @returns how often it is counted. */
  async #begin(name: string, waiting: Waiting): Promise<number> {
    const { client } = this.#options;
    const ref = refOf(name, waiting);
    try {
      await client.create(EVENTS, this.#body(name, waiting), ref.namespace);
      waiting.times -= 1;
      this.#remember(name, 1);
      return 1;
    } catch (error) {
      if (!isKubeError(error, 'conflict')) throw error;
      const present = (await client.read(ref)) as { readonly series?: { readonly count?: number } };
      return present.series?.count ?? 1;
    }
  }

  #body(name: string, { event, first }: Waiting): object {
    const { reportingController, reportingInstance } = this.#options;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: event.regarding.namespace },
      eventTime: microTime(first),
      reportingController,
      reportingInstance: reportingInstance.slice(0, LONGEST_INSTANCE),
      ...event,
      note: cutToBytes(event.note, LONGEST_NOTE),
    };
  }

  #nameOf({ regarding, type, reason, action, note }: KubeEvent): string {
    const { reportingController } = this.#options;
    const same = JSON.stringify([reportingController, regarding.uid, type, reason, action, note]);
    const hash = createHash('sha256').update(same).digest('hex').slice(0, 16);
    return `${regarding.name.slice(0, LONGEST_NAME).replace(/[.-]+$/u, '')}.${hash}`;
  }

  #remember(name: string, count: number): void {
    this.#counts.delete(name);
    this.#counts.set(name, count);
    if (this.#counts.size > MOST_COUNTS) this.#counts.delete(this.#counts.keys().next().value as string);
  }
}

function refOf(name: string, { event }: Waiting): KubeRef {
  return { resource: EVENTS, namespace: event.regarding.namespace, name };
}

/** As many whole characters as fit, with a mark where something was left out. */
function cutToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most - Buffer.byteLength('…')));
  return `${text.slice(0, read)}…`;
}
