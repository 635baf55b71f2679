/** A time limit that can be extended, joined with an outer signal. To be cleared, or ended, when it is over. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #end = () => this.#controller.abort(this.#outer?.reason);
  #timer: NodeJS.Timeout;

  /** @param ms from now; then the signal is aborted with a `TimeoutError`. */
  constructor(ms: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = this.#start(ms);
    if (outer?.aborted === true) this.#end();
    outer?.addEventListener('abort', this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @param ms from now. */
  extend(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start(ms);
  }

  /** Before its time. */
  end(): void {
    this.clear();
    this.#controller.abort();
  }

  /** The signal will not be aborted any more. */
  clear(): void {
    clearTimeout(this.#timer);
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

  #start(ms: number): NodeJS.Timeout {
    const late = new DOMException(`no answer within ${ms} ms`, 'TimeoutError');
    return setTimeout(() => this.#controller.abort(late), ms);
  }
}
