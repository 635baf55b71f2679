import { UnavailableError } from '../client/http-errors.ts';
import { type Clock, pause } from '../process/clock.ts';
import type { Progress } from './progress.ts';

export interface PatienceOptions {
  readonly clock: Clock;
  readonly progress: Progress;
  /** How long the server may be away before it is given up, in ms. */
  readonly patience: number;
  /** How often the server is asked, in ms. */
  readonly interval?: number;
}

/** How often a server is asked where nothing else is said, in ms. */
export const INTERVAL = 500;

/** Bears with a server that is away, for instance because it is started anew. */
export class Patience {
  readonly #options: PatienceOptions;
  #until = 0;

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.renew();
  }

  /** The server has answered: it may be away for the whole time again. */
  renew(): void {
    this.#until = this.#options.clock.monotonic() + this.#options.patience;
  }

  /** Waits before the next attempt. @throws the error itself when another attempt is of no use, or the time is over. */
  async bear(error: unknown): Promise<void> {
    const { clock, progress, interval = INTERVAL } = this.#options;
    if (!(error instanceof UnavailableError) || clock.monotonic() > this.#until) throw error;
    progress.wait(error.message);
    await pause(clock, interval);
  }

  /** Does something again and again until the server can do it. */
  async try<T>(work: () => Promise<T>): Promise<T> {
    this.renew();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        await this.bear(error);
      }
    }
  }
}
