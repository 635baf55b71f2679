import { type CallOff, every, hasPassed, MOST_APART } from '../../process/clock.ts';
import { removeExpired } from '../auth/expiring.ts';
import { isDamaged } from '../store/errors.ts';
import type { CatalogParts } from './parts.ts';
import { rollForwardBatches } from './write/batches.ts';

const INTERVAL = 5_000;
const PURGE_AT_ONCE = 1_000;

/** Cleans up what requests and crashes leave behind: cut batches, stale registry entries, tombstones; and what has expired. */
export class Housekeeping {
  readonly #parts: CatalogParts;
  #callOff: CallOff | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: CatalogParts) {
    this.#parts = parts;
  }

  /** @param exclusive the store belongs to this process alone: whoever left something behind is gone already. */
  async start(exclusive: boolean): Promise<void> {
    if (exclusive) {
      await this.#unlessDamaged(() => this.#parts.registry.sweep(() => true));
      await this.#unlessDamaged(() => rollForwardBatches(this.#parts, () => true));
    }
    this.#callOff = every(this.#parts, INTERVAL, () => {
      this.#running = this.#running.then(() => this.clean());
    });
  }

  async stop(): Promise<void> {
    this.#callOff?.();
    await this.#running;
  }

  /** One damaged record neither keeps a process from starting nor everything else from being cleaned up. */
  async #unlessDamaged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      this.#parts.log.error({ err: error }, 'what is damaged cannot be cleaned up');
    }
  }

  /** One round of what a process does that is not alone. */
  async clean(): Promise<void> {
    const { registry, store, settings, now, log, auth } = this.#parts;
    try {
      // No request that started before can still be writing; the factor covers clocks that differ between replicas.
      const age = 2 * settings.requestTimeout;
      const isOver = (stamp: number) => hasPassed(stamp, age, now());
      await this.#unlessDamaged(() => registry.sweep(isOver));
      await this.#unlessDamaged(() => rollForwardBatches(this.#parts, isOver));
      await this.#unlessDamaged(() => removeExpired(this.#parts));
      await this.#unlessDamaged(() => auth.audit.removeOld());
      while ((await store.entities.purge(now() - age, PURGE_AT_ONCE, now() + MOST_APART)) === PURGE_AT_ONCE);
    } catch (error) {
      log.warn({ err: error }, 'cleaning up failed; it is tried again');
    }
  }
}
