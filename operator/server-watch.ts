import type { HttpClient } from '../client/http-client.ts';
import { type Clock, pause } from '../process/clock.ts';
import { backoffDelay } from './runtime/backoff.ts';

const BACKOFF = { firstMs: 250, greatestMs: 2000, random: Math.random };

/**
 * Asks the server whether it is ready, ever more seldom, until it is or the signal is aborted.
 * @param onWait is told once, with the reason, when it is not ready at the first question.
 * @returns whether it is ready.
 */
export async function untilReady(
  http: HttpClient,
  clock: Clock,
  signal: AbortSignal,
  onWait: (reason: string) => void = () => undefined,
): Promise<boolean> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await http.send({ method: 'GET', path: '/ready' });
      return true;
    } catch (error) {
      if (attempt === 0) onWait(error instanceof Error ? error.message : String(error));
      await pause(clock, backoffDelay(attempt, BACKOFF), signal);
    }
  }
  return false;
}

interface ServerWatchListener {
  lost(reason: string): void;
  back(keys: readonly string[]): void;
}

/**
 * Notices with the first key that cannot reach the server that it is away, and wakes all those keys when it is back. A
 * server that is ready after all has a quarrel with that one request: its key is left to its back-off.
 */
export class ServerWatch {
  readonly #http: HttpClient;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #listener: ServerWatchListener;
  readonly #waiting = new Set<string>();
  #asking = false;

  constructor(http: HttpClient, clock: Clock, signal: AbortSignal, listener: ServerWatchListener) {
    this.#http = http;
    this.#clock = clock;
    this.#signal = signal;
    this.#listener = listener;
  }

  /** A key that is to be woken when the server can be reached again. */
  add(key: string): void {
    this.#waiting.add(key);
    if (this.#asking) return;
    this.#asking = true;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    let lost = false;
    const ready = await untilReady(this.#http, this.#clock, this.#signal, (reason) => {
      lost = true;
      this.#listener.lost(reason);
    });
    const keys = [...this.#waiting];
    this.#waiting.clear();
    this.#asking = false;
    if (ready && lost) this.#listener.back(keys);
  }
}
