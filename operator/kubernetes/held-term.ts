import { Deadline } from '../../kubernetes/deadline.ts';
import type { KubeObject } from '../../kubernetes/kube-object.ts';
import type { Clock } from '../../process/clock.ts';
import type { Term } from './leadership.ts';
import { fenceOf, isOfTerm } from './lease.ts';

/** As both clocks say it: the one that nobody can set, and the one that goes on while the machine sleeps. */
export interface Moment {
  readonly monotonic: number;
  readonly now: number;
}

export interface TermOptions {
  readonly identity: string;
  readonly clock: Clock;
  /** How long the term is valid after its Lease was taken or renewed, unless it is renewed again. */
  readonly validMs: number;
  /** Ends the term; its Lease is kept. */
  readonly signal: AbortSignal;
}

export function momentOf(clock: Clock): Moment {
  return { monotonic: clock.monotonic(), now: clock.now() };
}

/** The time in which this process has the Lease. */
export class HeldTerm implements Term {
  readonly fence: Term['fence'];
  readonly signal: AbortSignal;
  readonly #options: TermOptions;
  readonly #keeping: Deadline;
  #lease: KubeObject;
  #since: Moment;
  #isLost = false;

  /** @param since before the request was sent that took the Lease. */
  constructor(lease: KubeObject, since: Moment, options: TermOptions) {
    this.#lease = lease;
    this.#since = since;
    this.#options = options;
    this.fence = fenceOf(lease);
    this.#keeping = new Deadline(options.clock, Math.max(options.validMs - passed(since, options.clock), 0));
    this.signal = AbortSignal.any([options.signal, this.#keeping.signal]);
  }

  /** As last seen. */
  get lease(): KubeObject {
    return this.#lease;
  }

  /** Aborted when the Lease is lost, or need not be kept any more. */
  get keeping(): AbortSignal {
    return this.#keeping.signal;
  }

  /** The clock that went further counts: one stands still while the machine sleeps, the other can be set back. */
  isValid(): boolean {
    return !this.#isLost && passed(this.#since, this.#options.clock) < this.#options.validMs;
  }

  /** Whether a Lease is the one of this term. */
  owns(lease: KubeObject): boolean {
    return isOfTerm(lease, this.fence, this.#options.identity);
  }

  /** @param since before the request was sent that renewed it. */
  renewed(lease: KubeObject, since: Moment): void {
    if (this.keeping.aborted) return;
    this.#lease = lease;
    this.#since = since;
    this.#keeping.extend(Math.max(this.#options.validMs - passed(since, this.#options.clock), 0));
  }

  /** The Lease is still ours, in another version. */
  seen(lease: KubeObject): void {
    this.#lease = lease;
  }

  lose(): void {
    this.#isLost = true;
    this.#keeping.end();
  }

  /** Nobody leads in this term any more. */
  finish(): void {
    this.#keeping.end();
  }
}

function passed(since: Moment, clock: Clock): number {
  return Math.max(clock.monotonic() - since.monotonic, clock.now() - since.now);
}
