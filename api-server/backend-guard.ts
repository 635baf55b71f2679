import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  wrap,
} from 'cockatiel';
import type { Logger } from 'pino';
import { aroundCalls } from './around-calls.ts';

/** Calls to a backend at one time. */
const AT_ONCE = 100;
/** Calls that wait for their turn; more are refused at once. */
const WAITING = 1_000;
/** So many failures in a row, and the backend is left alone for a while. */
const FAILURES = 5;
const LEFT_ALONE = 1_000;

export interface BackendState {
  /** `store` or `search`. */
  readonly name: string;
  /** Nothing is sent to it, because it has failed again and again; now and then one call tries. */
  readonly left: boolean;
  readonly running: number;
  readonly waiting: number;
  /** Calls that were refused without being sent, since the start. */
  readonly refused: number;
  /** Time in which at least one call was under way, in seconds since the start. */
  readonly busySeconds: number;
}

export interface GuardOptions {
  readonly name: string;
  /** Whether an error means that the backend is away, and not that it has answered something else. */
  readonly isOutage: (error: unknown) => boolean;
  /** The error for a call that is not sent. */
  readonly refusal: (message: string) => Error;
  readonly log: Logger;
}

/**
 * Keeps requests from piling up at a backend that is slow or away: a limit to the calls under way and to those that
 * wait, and a circuit breaker. Time limits are the adapters' own.
 */
export class BackendGuard {
  readonly #options: GuardOptions;
  readonly #bulkhead = bulkhead(AT_ONCE, WAITING);
  readonly #breaker;
  readonly #policy;
  readonly #busy = new BusyTime();
  #refused = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    const { name, isOutage, log } = options;
    const breaker = new ConsecutiveBreaker(FAILURES);
    this.#breaker = circuitBreaker(handleWhen(isOutage), { halfOpenAfter: LEFT_ALONE, breaker });
    this.#breaker.onBreak(() => log.warn({ backend: name }, 'the backend does not answer; it is left alone'));
    this.#breaker.onReset(() => log.info({ backend: name }, 'the backend answers again'));
    // The breaker inside: it also refuses what had to wait for its turn until then.
    this.#policy = wrap(this.#bulkhead, this.#breaker);
  }

  get state(): BackendState {
    return {
      name: this.#options.name,
      left: this.#breaker.state !== CircuitState.Closed,
      running: AT_ONCE - this.#bulkhead.executionSlots,
      waiting: WAITING - this.#bulkhead.queueSlots,
      refused: this.#refused,
      busySeconds: this.#busy.seconds,
    };
  }

  /**
   * The same object, its calls guarded.
   * @param free methods that are not: what asks how the backend is must not be held back.
   */
  guard<T extends object>(target: T, free: readonly (keyof T)[] = []): T {
    return aroundCalls(target, (name, call) => (free.includes(name as keyof T) ? call() : this.#call(call)));
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#policy.execute(() => this.#busy.during(work));
    } catch (error) {
      const refusal = refusalOf(error, this.#options.name);
      if (refusal === undefined) throw error;
      this.#refused += 1;
      throw this.#options.refusal(refusal);
    }
  }
}

class BusyTime {
  #total = 0;
  #since = 0;
  #running = 0;

  get seconds(): number {
    return (this.#total + (this.#running > 0 ? performance.now() - this.#since : 0)) / 1000;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running++ === 0) this.#since = performance.now();
    try {
      return await work();
    } finally {
      if (--this.#running === 0) this.#total += performance.now() - this.#since;
    }
  }
}

function refusalOf(error: unknown, name: string): string | undefined {
  if (error instanceof BrokenCircuitError) return `the ${name} has failed several times and is left alone for a moment`;
  if (error instanceof BulkheadRejectedError) return `too many requests wait for the ${name}`;
  return undefined;
}
