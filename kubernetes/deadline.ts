import type { CallOff, Clock } from '../process/clock.ts';

/** A time limit that can be extended, joined with an outer signal. To be cleared, or ended, when it is over. */
export class Deadline {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #end = () => this.#controller.abort(this.#outer?.reason);
  #callOff: CallOff;

  /** @param ms from now; then the signal is aborted with a `TimeoutError`. */
  constructor(clock: Clock, ms: number, outer?: AbortSignal) {
    this.#clock = clock;
    this.#outer = outer;
    this.#callOff = this.#start(ms);
    if (outer?.aborted === true) this.#end();
    outer?.addEventListener('abort', this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @param ms from now. */
  extend(ms: number): void {
    this.#callOff();
    this.#callOff = this.#start(ms);
  }

  /** Before its time. */
  end(): void {
    this.clear();
    this.#controller.abort();
  }

  /** The signal will not be aborted any more. */
  clear(): void {
    this.#callOff();
    this.#outer?.removeEventListener('abort', this.#end);
  }

  /** @returns what the promise gives, or rejects with the reason of the signal, whichever is first. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    if (signal.aborted) {
      promise.catch(() => undefined);
      throw signal.reason;
    }
    let lose = (): void => undefined;
    const lost = new Promise<never>((_, reject) => {
      lose = () => reject(signal.reason);
      signal.addEventListener('abort', lose, { once: true });
    });
    return Promise.race([promise, lost]).finally(() => signal.removeEventListener('abort', lose));
  }

  #start(ms: number): CallOff {
    const late = new DOMException(`no answer within ${ms} ms`, 'TimeoutError');
    return this.#clock.after(ms, () => this.#controller.abort(late));
  }
}
