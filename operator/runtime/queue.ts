import type { CallOff, Clock } from '../../process/clock.ts';
import { type BackoffOptions, backoffDelay } from './backoff.ts';
import { DedupeQueue, type Priority, type QueueObserver } from './dedupe-queue.ts';

/** What becomes of a key after it was worked on. */
export type Next =
  /** All is said; a later add works on it again, or that time in ms. Its count of attempts starts anew. */
  | { readonly kind: 'settled'; readonly again?: number }
  /** Work on it again after so many milliseconds. */
  | { readonly kind: 'after'; readonly ms: number }
  /** Work on it again after a delay that grows with each attempt. */
  | { readonly kind: 'backoff' };

export interface QueueOptions {
  readonly concurrency: number;
  readonly clock: Clock;
  /** `attempt`: how many times in a row this key was not settled. A rejection counts as `backoff`. */
  work(key: string, attempt: number, priority: Priority): Promise<Next>;
  onError(key: string, error: unknown): void;
  readonly backoff?: Partial<BackoffOptions>;
  readonly observer?: QueueObserver;
}

interface Timer {
  readonly callOff: CallOff;
  /** By the monotonic clock. */
  readonly due: number;
}

const BACKOFF: BackoffOptions = { firstMs: 250, greatestMs: 30_000, random: Math.random };

/**
 * Works on keys, several at once but never twice on one, with per-key back-off and timers. Of several workers one has
 * time for changes at any moment: a routine look at a resource that means thousands of datasets takes long.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #backoff: BackoffOptions;
  readonly #waiting: DedupeQueue;
  readonly #attempts = new Map<string, number>();
  readonly #timers: Readonly<Record<Priority, Map<string, Timer>>> = { change: new Map(), resync: new Map() };
  readonly #running = new Set<Promise<void>>();
  #resyncing = 0;
  #held = false;
  #stopped = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#waiting = new DedupeQueue(options.observer);
    this.#backoff = { ...BACKOFF, ...options.backoff };
  }

  /** Whether nothing waits and nothing is worked on; keys with a timer do not count. */
  get idle(): boolean {
    return this.#waiting.size === 0 && this.#running.size === 0;
  }

  add(key: string, priority: Priority = 'change'): void {
    if (this.#stopped) return;
    this.#waiting.add(key, priority);
    this.#startWorkers();
  }

  /** As {@link add}, later. Of two delays with one priority the one that ends first counts. */
  addAfter(key: string, ms: number, priority: Priority = 'change'): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    const due = clock.monotonic() + ms;
    const timers = this.#timers[priority];
    const standing = timers.get(key);
    if (standing !== undefined && standing.due <= due) return;
    standing?.callOff();
    const callOff = clock.after(ms, () => {
      timers.delete(key);
      this.add(key, priority);
    });
    timers.set(key, { callOff, due });
  }

  /** Forgets earlier attempts of a key, so that its back-off starts anew. */
  forget(key: string): void {
    this.#attempts.delete(key);
  }

  /** Begins nothing until `release`; what is added waits, and what runs goes on. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#startWorkers();
  }

  /** Takes no more work; resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    for (const timers of Object.values(this.#timers)) {
      for (const { callOff } of timers.values()) callOff();
      timers.clear();
    }
    await Promise.all(this.#running);
  }

  #startWorkers(): void {
    while (!this.#stopped && !this.#held && this.#running.size < this.#options.concurrency) {
      const { concurrency } = this.#options;
      const taken = this.#waiting.take(this.#resyncing >= Math.max(1, concurrency - 1));
      if (taken === undefined) return;
      const { key, priority } = taken;
      // The result of the work supersedes a repetition; a routine look that was asked for stands.
      this.#timers.change.get(key)?.callOff();
      this.#timers.change.delete(key);
      const share = priority === 'resync' ? 1 : 0;
      this.#resyncing += share;
      const run = this.#work(key, priority).then(() => {
        this.#running.delete(run);
        this.#resyncing -= share;
        this.#startWorkers();
      });
      this.#running.add(run);
    }
  }

  async #work(key: string, priority: Priority): Promise<void> {
    const attempt = this.#attempts.get(key) ?? 0;
    let next: Next;
    try {
      next = await this.#options.work(key, attempt, priority);
    } catch (error) {
      this.#options.onError(key, error);
      next = { kind: 'backoff' };
    }
    this.#waiting.finish(key);
    if (next.kind === 'settled') {
      this.#attempts.delete(key);
      if (next.again !== undefined) this.addAfter(key, next.again);
    } else {
      this.#attempts.set(key, attempt + 1);
      this.#options.observer?.repeats(key);
      this.addAfter(key, next.kind === 'after' ? next.ms : backoffDelay(attempt, this.#backoff));
    }
  }
}
