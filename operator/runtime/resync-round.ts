const TICK_MS = 100;

/**
 * Has every key looked at once in a period, evenly spread over it: looking at all of them at once would be a burst for
 * those who are asked, and would make everything else wait.
 */
export class ResyncRound {
  readonly #periodMs: number;
  readonly #keys: () => readonly string[];
  /** Keys that this round has not come to yet. */
  #left: string[] = [];
  #perMs = 0;
  #due = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param keys all keys, as they are at the beginning of a round. */
  constructor(periodSeconds: number, keys: () => readonly string[]) {
    this.#periodMs = periodSeconds * 1000;
    this.#keys = keys;
  }

  start(look: (key: string) => void): void {
    const tickMs = Math.min(TICK_MS, this.#periodMs);
    this.#timer = setInterval(() => this.#advance(tickMs, look), tickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #advance(ms: number, look: (key: string) => void): void {
    if (this.#left.length === 0) this.#begin();
    for (this.#due += this.#perMs * ms; this.#due >= 1; this.#due -= 1) {
      const key = this.#left.pop();
      if (key !== undefined) look(key);
    }
  }

  #begin(): void {
    this.#left = this.#keys().toReversed();
    this.#perMs = this.#left.length / this.#periodMs;
    this.#due = 0;
  }
}
