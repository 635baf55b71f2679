import { randomUUID } from 'node:crypto';
import type { HttpClient } from '../client/http-client.ts';
import { leaseSource, releaseSource } from '../client/source-records.ts';
import type { SourceHolder, SourcePlace, SourceRecord } from '../model/wire/source-record.ts';
import { type Clock, pause } from '../process/clock.ts';
import { isGone, PROCESSES } from './own-process.ts';

export interface LeaseTimes {
  /** How long the lease outlives a holder that is silent. It is renewed at a third of that. */
  readonly leaseMs: number;
  /** Between two attempts to get it. */
  readonly retryMs: number;
}

export const LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, retryMs: 2000 };

export interface SourceLeaseOptions {
  readonly http: HttpClient;
  readonly source: string;
  readonly place: SourcePlace;
  readonly times: LeaseTimes;
  readonly clock: Clock;
  /** Somebody else works on the source. */
  onHeld(holder: SourceHolder & { readonly since: number }): void;
  /** It could not be asked for; that is tried again. */
  onError(error: unknown): void;
}

/**
 * The right to work on a source, which one operator has at a time. The API server keeps it, and refuses what an earlier
 * holder still sends: so a holder that cannot renew it goes on until somebody else has it.
 */
export class SourceLease {
  readonly #options: SourceLeaseOptions;
  readonly #holder: SourceHolder;

  constructor(options: SourceLeaseOptions) {
    this.#options = options;
    this.#holder = { id: randomUUID(), place: options.place, pid: process.pid, processes: PROCESSES };
  }

  /**
   * Waits until it has the source and works on it, again and again until the signal is aborted.
   * @param work ends when its signal is aborted, because somebody else works on the source or all is to end.
   */
  async run(work: (source: SourceRecord, signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const source = await this.#take();
      if (source === undefined) {
        await pause(this.#options.clock, this.#options.times.retryMs, signal);
        continue;
      }
      const over = new AbortController();
      const lost = new AbortController();
      const renewing = this.#renew(source, lost, AbortSignal.any([over.signal, lost.signal]));
      await work(source, AbortSignal.any([signal, lost.signal]));
      over.abort();
      await renewing;
      await this.#release();
    }
  }

  /** @returns `undefined` when somebody else has it, or the server cannot be asked. */
  async #take(): Promise<SourceRecord | undefined> {
    try {
      const found = await this.#ask();
      const isLeftBehind = found.holder !== undefined && found.holder.id !== this.#holder.id && isGone(found.holder);
      const source = isLeftBehind ? await this.#ask(found.holder?.id) : found;
      if (source.holder === undefined || source.holder.id === this.#holder.id) return source;
      this.#options.onHeld(source.holder);
    } catch (error) {
      this.#options.onError(error);
    }
    return undefined;
  }

  async #renew({ term }: SourceRecord, lost: AbortController, signal: AbortSignal): Promise<void> {
    const { clock, times, onError } = this.#options;
    for (;;) {
      await pause(clock, times.leaseMs / 3, signal);
      if (signal.aborted) return;
      try {
        const source = await this.#ask();
        if (source.holder?.id !== this.#holder.id || source.term !== term) lost.abort();
      } catch (error) {
        onError(error);
      }
    }
  }

  #ask(instead?: string): Promise<SourceRecord> {
    const { http, source, times } = this.#options;
    const request = { holder: this.#holder, ms: times.leaseMs };
    return leaseSource(http, source, instead === undefined ? request : { ...request, instead });
  }

  /** Nobody has to wait for its end. */
  async #release(): Promise<void> {
    const { http, source, onError } = this.#options;
    await releaseSource(http, source, this.#holder.id).catch(onError);
  }
}
