import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/port.ts';

const KIND = 'lease';

/** Who may do something, until when (ms since 1970-01-01T00:00:00Z). */
export interface LeaseBody {
  readonly holder: string;
  readonly until: number;
}

/** Whether a process may take or renew it. @param abandoned whoever else held it is known to be gone. */
export function isOpenTo(lease: LeaseBody | undefined, holder: string, now: number, abandoned: boolean): boolean {
  return lease === undefined || lease.until < now || lease.holder === holder || abandoned;
}

export interface LeaseOptions {
  readonly store: Store;
  readonly name: string;
  /** How long it stays with a holder that died, in ms. */
  readonly duration: number;
  readonly now: () => number;
  /** The store belongs to this process alone, so whoever held the lease before is gone. */
  readonly exclusive: boolean;
}

/** The right of one process to do something that only one may do at a time. Taken over when its holder stops renewing. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #holder = randomUUID();
  /** Until when it is certainly held, minus what a renewal needs. */
  #safeUntil = 0;
  #taken = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Takes or renews the lease. @returns whether it is held now. */
  async hold(): Promise<boolean> {
    const { store, name, duration, now, exclusive } = this.#options;
    if (now() < this.#safeUntil) return true;
    const record = await store.records.get<LeaseBody>(KIND, name);
    if (!isOpenTo(record?.body, this.#holder, now(), exclusive && !this.#taken)) return false;
    const until = now() + duration;
    const held = (await store.records.put(KIND, name, { holder: this.#holder, until }, record?.revision)) !== undefined;
    this.#safeUntil = held ? until - duration / 2 : 0;
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
