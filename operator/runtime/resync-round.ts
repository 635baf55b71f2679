const TICK_MS = 100;
/** A request of an earlier leader may still be carried out for so long: afterwards everything is looked at once more. */
const UNQUIET_MS = 60_000;

/**
 * Has every key looked at once in a period, evenly spread over it: looking at all of them at once would be a burst for
 * those who are asked, and would make everything else wait. The first two rounds take a minute each at most.
 */
export class ResyncRound {
  readonly #periodMs: number;
  readonly #keys: () => readonly string[];
  /** Keys that this round has not come to yet. */
  #left: string[] = [];
  #perMs = 0;
  #rounds = 0;
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
    if (this.#left.length > 0) this.#rounds += 1;
    const periodMs = this.#rounds <= 2 ? Math.min(this.#periodMs, UNQUIET_MS) : this.#periodMs;
    this.#perMs = this.#left.length / periodMs;
    this.#due = 0;
  }
}
