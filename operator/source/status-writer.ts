import { type ResourceId, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import type { ResourceStatus } from '../../model/resource/status.ts';
import { type Clock, pause } from '../../process/clock.ts';
import { type BackoffOptions, backoffDelay } from '../runtime/backoff.ts';

interface Failure {
  /** How often in a row. */
  readonly times: number;
  /** When it is tried again, by the monotonic clock. */
  readonly due: number;
}

const BETWEEN_FAILURES_MS = 50;
const LONGEST_PAUSE_MS = 500;
const BACKOFF: BackoffOptions = { firstMs: 500, greatestMs: 30_000, random: Math.random };

/**
 * Stores statuses, one write a resource at a time, only ever the latest one, and again until it succeeds: a status that
 * was reported while the server was away must not be lost, since nothing reports it a second time. What has failed is
 * tried again one after the other, each ever more seldom, those first that have failed least often.
 */
export class StatusWriter {
  readonly #write: (id: ResourceId, status: ResourceStatus) => Promise<void>;
  readonly #clock: Clock;
  readonly #backoff: BackoffOptions;
  readonly #latest = new Map<ResourceKey, { readonly id: ResourceId; readonly status: ResourceStatus }>();
  readonly #writing = new Map<ResourceKey, Promise<void>>();
  readonly #failed = new Map<ResourceKey, Failure>();
  readonly #stopping = new AbortController();
  #retrying: Promise<void> | undefined;

  constructor(
    write: (id: ResourceId, status: ResourceStatus) => Promise<void>,
    clock: Clock,
    backoff: Partial<BackoffOptions> = {},
  ) {
    this.#write = write;
    this.#clock = clock;
    this.#backoff = { ...BACKOFF, ...backoff };
  }

  /** Resolves when the status is stored, or when the first attempt failed and another is planned. */
  async put(id: ResourceId, status: ResourceStatus): Promise<void> {
    this.#latest.set(resourceKey(id), { id, status });
    await this.#flush(resourceKey(id));
  }

  /** Forgets what is still to be stored for a resource; resolves when nothing is being written for it any more. */
  async forget(id: ResourceId): Promise<void> {
    const key = resourceKey(id);
    this.#latest.delete(key);
    this.#failed.delete(key);
    await this.#writing.get(key);
  }

  /** Resolves when nothing is being written any more; what could not be stored is given up. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#writing.values(), this.#retrying]);
  }

  async #flush(key: ResourceKey): Promise<void> {
    const busy = this.#writing.get(key);
    if (busy !== undefined) return busy;
    const run = Promise.resolve().then(() => this.#writeLatest(key));
    this.#writing.set(key, run);
    await run;
  }

  async #writeLatest(key: ResourceKey): Promise<void> {
    try {
      for (let next = this.#latest.get(key); next !== undefined && !this.#isStopped; next = this.#latest.get(key)) {
        await this.#write(next.id, next.status);
        if (this.#latest.get(key) === next) this.#latest.delete(key);
      }
      this.#failed.delete(key);
    } catch (error) {
      if (!this.#latest.has(key)) return;
      const times = (this.#failed.get(key)?.times ?? 0) + 1;
      const ms = Math.max(backoffDelay(times - 1, this.#backoff), retryAfterMs(error));
      this.#failed.set(key, { times, due: this.#clock.monotonic() + ms });
      this.#retrying ??= this.#retry();
    } finally {
      // In the same turn as the last look at what is to be written, so that no status slips in between.
      this.#writing.delete(key);
    }
  }

  async #retry(): Promise<void> {
    // Not in the turn of whoever failed.
    await Promise.resolve();
    for (let next = this.#nextFailed(); next !== undefined && !this.#isStopped; next = this.#nextFailed()) {
      const waitMs = (this.#failed.get(next)?.due ?? 0) - this.#clock.monotonic();
      // One that is due sooner may come meanwhile.
      if (waitMs > 0) await pause(this.#clock, Math.min(waitMs, LONGEST_PAUSE_MS), this.#stopping.signal);
      else {
        await this.#flush(next);
        if (this.#failed.has(next)) await pause(this.#clock, BETWEEN_FAILURES_MS, this.#stopping.signal);
      }
    }
    this.#retrying = undefined;
  }

  /** Of those that are due the one that has failed least often, or else the one that is due first. */
  #nextFailed(): ResourceKey | undefined {
    const now = this.#clock.monotonic();
    let next: { readonly key: ResourceKey; readonly failure: Failure } | undefined;
    for (const [key, failure] of this.#failed)
      if (next === undefined || goesBefore(failure, next.failure, now)) next = { key, failure };
    return next?.key;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }
}

/** What a server that is asked too much wants us to wait; 0: it did not say. */
function retryAfterMs(error: unknown): number {
  const { retryAfterMs: ms } = ((error as Error).cause ?? error) as { readonly retryAfterMs?: number };
  return ms ?? 0;
}

function goesBefore(one: Failure, other: Failure, now: number): boolean {
  const [isDue, isOtherDue] = [one.due <= now, other.due <= now];
  if (isDue !== isOtherDue) return isDue;
  return isDue ? one.times < other.times : one.due < other.due;
}
