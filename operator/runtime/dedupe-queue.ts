/** `change`: somebody waits for it; `resync`: a routine look. A change is always taken before any resync. */
export type Priority = 'change' | 'resync';

export interface QueuedKey {
  readonly key: string;
  readonly priority: Priority;
}

/** Hears what happens to the keys of a queue, in the order in which it happens. */
export interface QueueObserver {
  /** A key waits from now on, or waits with another priority. */
  waits(key: string, priority: Priority): void;
  /** A key that waited is being worked on. */
  taken(key: string): void;
  finished(key: string): void;
  /** The key will be worked on again, since it was not settled. */
  repeats(key: string): void;
  /** Nothing waits any more. */
  cleared(): void;
}

/**
 * A queue in which a key stands at most once. A key that is added while it is being worked on is marked and queued again
 * when that work is finished, so no two workers ever have the same key and no change is missed.
 */
export class DedupeQueue {
  readonly #changes = new Set<string>();
  readonly #resyncs = new Set<string>();
  readonly #observer: QueueObserver | undefined;
  /** Keys being worked on, with the priority with which they were added meanwhile. */
  readonly #working = new Map<string, Priority | undefined>();

  constructor(observer?: QueueObserver) {
    this.#observer = observer;
  }

  /** Keys that wait to be taken. */
  get size(): number {
    return this.#changes.size + this.#resyncs.size;
  }

  /** Keys taken and not finished yet. */
  get working(): number {
    return this.#working.size;
  }

  add(key: string, priority: Priority): void {
    if (this.#working.has(key)) {
      if (this.#working.get(key) !== 'change') this.#working.set(key, priority);
    } else if (!this.#changes.has(key) && !(priority === 'resync' && this.#resyncs.has(key))) {
      this.#resyncs.delete(key);
      (priority === 'change' ? this.#changes : this.#resyncs).add(key);
      this.#observer?.waits(key, priority);
    }
  }

  /** Takes the key that has waited longest among those of the highest priority. @param changesOnly no resync. */
  take(changesOnly = false): QueuedKey | undefined {
    for (const [priority, keys] of [
      ['change', this.#changes],
      ['resync', this.#resyncs],
    ] as const) {
      if (changesOnly && priority === 'resync') return undefined;
      for (const key of keys) {
        keys.delete(key);
        this.#working.set(key, undefined);
        this.#observer?.taken(key);
        return { key, priority };
      }
    }
    return undefined;
  }

  /** Ends the work on a key that was taken. */
  finish(key: string): void {
    const priority = this.#working.get(key);
    this.#working.delete(key);
    this.#observer?.finished(key);
    if (priority !== undefined) this.add(key, priority);
  }

  /** Forgets what waits; what is being worked on does not come back. */
  clear(): void {
    this.#changes.clear();
    this.#resyncs.clear();
    for (const key of this.#working.keys()) this.#working.set(key, undefined);
    this.#observer?.cleared();
  }
}
