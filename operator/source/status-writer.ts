import { type ResourceId, type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import type { ResourceStatus } from '../../model/resource/status.ts';

/**
 * Stores statuses, one write a resource at a time, only ever the latest one, and again until it succeeds: a status that
 * was reported while the server was away must not be lost, since nothing reports it a second time.
 */
export class StatusWriter {
  readonly #write: (id: ResourceId, status: ResourceStatus) => Promise<void>;
  readonly #retryMs: number;
  readonly #latest = new Map<ResourceKey, { readonly id: ResourceId; readonly status: ResourceStatus }>();
  readonly #writing = new Map<ResourceKey, Promise<void>>();
  readonly #timers = new Map<ResourceKey, NodeJS.Timeout>();
  #stopped = false;

  constructor(write: (id: ResourceId, status: ResourceStatus) => Promise<void>, retryMs = 1000) {
    this.#write = write;
    this.#retryMs = retryMs;
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
    this.#cancelTimer(key);
    await this.#writing.get(key);
  }

  /** Resolves when nothing is being written any more; what could not be stored is given up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const key of [...this.#timers.keys()]) this.#cancelTimer(key);
    await Promise.all(this.#writing.values());
  }

  async #flush(key: ResourceKey): Promise<void> {
    const busy = this.#writing.get(key);
    if (busy !== undefined) return busy;
    this.#cancelTimer(key);
    const run = Promise.resolve().then(() => this.#writeLatest(key));
    this.#writing.set(key, run);
    await run;
  }

  async #writeLatest(key: ResourceKey): Promise<void> {
    try {
      for (let next = this.#latest.get(key); next !== undefined && !this.#stopped; next = this.#latest.get(key)) {
        await this.#write(next.id, next.status);
        if (this.#latest.get(key) === next) this.#latest.delete(key);
      }
    } catch {
      this.#retryLater(key);
    } finally {
      // In the same turn as the last look at what is to be written, so that no status slips in between.
      this.#writing.delete(key);
    }
  }

  #retryLater(key: ResourceKey): void {
    if (this.#stopped || !this.#latest.has(key)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      void this.#flush(key);
    }, this.#retryMs);
    this.#timers.set(key, timer);
  }

  #cancelTimer(key: ResourceKey): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }
}
