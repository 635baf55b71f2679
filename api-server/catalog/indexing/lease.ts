import { randomUUID } from 'node:crypto';
import { type Clock, hasPassed } from '../../../process/clock.ts';
import type { Store } from '../../store/port.ts';

const KIND = 'lease';

/** Who may do something, until when (ms since 1970-01-01T00:00:00Z). */
export interface LeaseBody {
  readonly holder: string;
  readonly until: number;
}

/** How somebody asks for a lease. */
export interface LeaseAsker {
  readonly holder: string;
  /** How long leases of this kind are given for at most, in ms. */
  readonly duration: number;
  /** Whoever else held it is known to be gone. */
  readonly isAbandoned: boolean;
}

/** Whether a process may take or renew it now, whichever clock its holder had. */
export function isOpenTo(lease: LeaseBody | undefined, now: number, asker: LeaseAsker): boolean {
  if (lease === undefined || lease.holder === asker.holder || asker.isAbandoned) return true;
  return hasPassed(lease.until - asker.duration, asker.duration, now);
}

export interface LeaseOptions {
  readonly store: Store;
  readonly name: string;
  /** How long it stays with a holder that died, in ms. */
  readonly duration: number;
  readonly clock: Clock;
  /** The store belongs to this process alone, so whoever held the lease before is gone. */
  readonly exclusive: boolean;
}

/** The right of one process to do something that only one may do at a time. Taken over when its holder stops renewing. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #holder = randomUUID();
  /** Until when it is certainly held, minus what a renewal needs, by the monotonic clock. */
  #safeUntil = 0;
  #taken = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Takes or renews the lease. @returns whether it is held now. */
  async hold(): Promise<boolean> {
    const { store, name, duration, clock, exclusive } = this.#options;
    const begun = clock.monotonic();
    if (begun < this.#safeUntil) return true;
    const record = await store.records.get<LeaseBody>(KIND, name);
    const asker = { holder: this.#holder, duration, isAbandoned: exclusive && !this.#taken };
    if (!isOpenTo(record?.body, clock.now(), asker)) return false;
    const until = clock.now() + duration;
    const held = (await store.records.put(KIND, name, { holder: this.#holder, until }, record?.revision)) !== undefined;
    this.#safeUntil = held ? begun + duration / 2 : 0;
    this.#taken ||= held;
    return held;
  }

  async release(): Promise<void> {
    const { store, name } = this.#options;
    this.#safeUntil = 0;
    const record = await store.records.get<LeaseBody>(KIND, name);
    if (record?.body.holder === this.#holder) await store.records.delete(KIND, name, record.revision);
  }
}
