/** `change`: somebody waits for it; `resync`: a routine look. A change is always taken before any resync. */
export type Priority = 'change' | 'resync';

export interface QueuedKey {
  readonly key: string;
  readonly priority: Priority;
}

/**
 * A queue in which a key stands at most once. A key that is added while it is being worked on is marked and queued again
 * when that work is finished, so no two workers ever have the same key and no change is missed.
 */
export class DedupeQueue {
  readonly #changes = new Set<string>();
  readonly #resyncs = new Set<string>();
  /** Keys being worked on, with the priority with which they were added meanwhile. */
  readonly #working = new Map<string, Priority | undefined>();

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
    } else if (priority === 'change') {
      this.#resyncs.delete(key);
      this.#changes.add(key);
    } else if (!this.#changes.has(key)) {
      this.#resyncs.add(key);
    }
  }

  /** Takes the key that has waited longest among those of the highest priority. */
  take(): QueuedKey | undefined {
    for (const [priority, keys] of [
      ['change', this.#changes],
      ['resync', this.#resyncs],
    ] as const) {
      for (const key of keys) {
        keys.delete(key);
        this.#working.set(key, undefined);
        return { key, priority };
      }
    }
    return undefined;
  }

  /** Ends the work on a key that was taken. */
  finish(key: string): void {
    const priority = this.#working.get(key);
    this.#working.delete(key);
    if (priority !== undefined) this.add(key, priority);
  }

  clear(): void {
    this.#changes.clear();
    this.#resyncs.clear();
  }
}
