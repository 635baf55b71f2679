import { type ResourceId, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import type { ResourceStatus } from '../../model/resource/status.ts';
import { type BackoffOptions, backoffDelay } from '../runtime/backoff.ts';
import { pause } from '../runtime/pause.ts';

const BACKOFF: BackoffOptions = { firstMs: 500, greatestMs: 30_000, random: Math.random };

/**
 * Stores statuses, one write a resource at a time, only ever the latest one, and again until it succeeds: a status that
 * was reported while the server was away must not be lost, since nothing reports it a second time. What has failed is
 * tried again one after the other, ever more seldom while nothing succeeds.
 */
export class StatusWriter {
  readonly #write: (id: ResourceId, status: ResourceStatus) => Promise<void>;
  readonly #backoff: BackoffOptions;
  readonly #latest = new Map<ResourceKey, { readonly id: ResourceId; readonly status: ResourceStatus }>();
  readonly #writing = new Map<ResourceKey, Promise<void>>();
  /** In the order in which they are tried again. */
  readonly #failed = new Set<ResourceKey>();
  readonly #stopping = new AbortController();
  #retrying: Promise<void> | undefined;
  #retryAfterMs = 0;

  constructor(write: (id: ResourceId, status: ResourceStatus) => Promise<void>, backoff: Partial<BackoffOptions> = {}) {
    this.#write = write;
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
    this.#failed.delete(key);
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
    } catch (error) {
      if (this.#latest.has(key)) this.#failed.add(key);
      this.#retryAfterMs = retryAfterMs(error);
      this.#retrying ??= this.#retry();
    } finally {
      // In the same turn as the last look at what is to be written, so that no status slips in between.
      this.#writing.delete(key);
    }
  }

  async #retry(): Promise<void> {
    // Not in the turn of whoever failed.
    await Promise.resolve();
    for (let failures = 0; this.#failed.size > 0 && !this.#isStopped; ) {
      await pause(Math.max(backoffDelay(failures, this.#backoff), this.#retryAfterMs), this.#stopping.signal);
      let succeeds = true;
      while (succeeds && !this.#isStopped) {
        const [key] = this.#failed;
        if (key === undefined) break;
        await this.#flush(key);
        succeeds = !this.#failed.has(key);
        if (succeeds) failures = 0;
      }
      failures += 1;
    }
    this.#retrying = undefined;
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
