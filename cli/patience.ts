import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../client/http-errors.ts';
import type { Progress } from './progress.ts';

export interface PatienceOptions {
  readonly progress: Progress;
  /** How long the server may be away before it is given up, in ms. */
  readonly patience: number;
  /** How often the server is asked, in ms. */
  readonly interval?: number;
}

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
    this.#until = Date.now() + this.#options.patience;
  }

  /** Waits before the next attempt. @throws the error itself when another attempt is of no use, or the time is over. */
  async bear(error: unknown): Promise<void> {
    if (!(error instanceof UnavailableError) || Date.now() > this.#until) throw error;
    this.#options.progress.wait(error.message);
    await sleep(this.#options.interval ?? 500);
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
