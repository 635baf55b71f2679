import { type CallOff, type Clock, every } from '../../process/clock.ts';

const TICK_MS = 100;
/** A request of an earlier leader may still be carried out for so long: afterwards everything is looked at once more. */
const UNQUIET_MS = 60_000;
/** Keys are looked at together as far as that is not a burst: at least so many, and at least a tenth of all. */
const LEAST_PORTION = 500;
const MOST_PORTIONS = 10;

/**
 * Has every key looked at once in a period, in portions that are evenly spread over it: looking at all of them at once
 * would be a burst for those who are asked. The first two rounds take a minute each at most.
 */
export class ResyncRound {
  readonly #periodMs: number;
  readonly #keys: () => readonly string[];
  readonly #clock: Clock;
  /** Keys that this round has not come to yet. */
  #left: readonly string[] = [];
  #portion = 0;
  #perMs = 0;
  #rounds = 0;
  #due = 0;
  #callOff: CallOff | undefined;

  /** @param keys all keys, as they are at the beginning of a round. */
  constructor(periodSeconds: number, keys: () => readonly string[], clock: Clock) {
    this.#periodMs = periodSeconds * 1000;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** @param look returns false when it does not take the keys now: it is asked again a little later. */
  start(look: (keys: readonly string[]) => boolean): void {
    const tickMs = Math.min(TICK_MS, this.#periodMs);
    this.#callOff = every(this.#clock, tickMs, () => this.#advance(tickMs, look));
  }

  stop(): void {
    this.#callOff?.();
  }

  #advance(ms: number, look: (keys: readonly string[]) => boolean): void {
    if (this.#left.length === 0) this.#begin();
    this.#due += this.#perMs * ms;
    const portion = Math.min(this.#portion, this.#left.length);
    // Adding up shares is not exact.
    if (portion === 0 || this.#due < portion - 1e-6) return;
    const isTaken = look(this.#left.slice(0, portion));
    // What was not taken does not pile up.
    this.#due = isTaken ? this.#due - portion : portion;
    if (isTaken) this.#left = this.#left.slice(portion);
  }

  #begin(): void {
    this.#left = this.#keys();
    if (this.#left.length > 0) this.#rounds += 1;
    const periodMs = this.#rounds <= 2 ? Math.min(this.#periodMs, UNQUIET_MS) : this.#periodMs;
    this.#portion = Math.max(LEAST_PORTION, Math.ceil(this.#left.length / MOST_PORTIONS));
    this.#perMs = this.#left.length / periodMs;
    this.#due = 0;
  }
}
