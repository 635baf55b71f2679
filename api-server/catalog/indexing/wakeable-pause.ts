import { type Clock, pause } from '../../../process/clock.ts';

/** The pause of a loop that looks for work now and then, and at once when it is woken. */
export class WakeablePause {
  readonly #clock: Clock;
  #woken = false;
  #taken = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The loop looks now: what wakes it from here on is something that the look may have missed. */
  look(): void {
    this.#woken = false;
  }

  /** Ends the pause, or the next one if there is none at the moment. */
  wake(): void {
    this.#woken = true;
    this.#taken.abort();
  }

  /** Resolves after so many milliseconds, or when somebody wakes it; at once when that was since the last look. */
  take(milliseconds: number): Promise<void> {
    if (this.#woken) return Promise.resolve();
    this.#taken = new AbortController();
    return pause(this.#clock, milliseconds, this.#taken.signal);
  }
}
