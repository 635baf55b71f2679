import type { CatalogParts } from '../parts.ts';
import { indexChangeOf } from './index-entry.ts';
import type { Lease } from './lease.ts';
import { repairIndex } from './repair-index.ts';
import { WakeablePause } from './wakeable-pause.ts';

const BATCH = 200;
/** How often the outbox is looked at when nobody in this process wrote, in ms: others may have. */
const LOOK_INTERVAL = 500;
/** How often the whole index is compared with the store, in ms; and whenever this process takes the lease. */
const REPAIR_INTERVAL = 600_000;
const FIRST_RETRY = 200;
const LONGEST_RETRY = 10_000;

/**
 * Works the outbox: brings dirty documents into the search index, in order, and clears their marks by revision. A crash
 * between the two repeats an index write, which does no harm. One indexer works at a time, by lease.
 */
export class Indexer {
  readonly #parts: CatalogParts;
  readonly #lease: Lease;
  #running: Promise<void> | undefined;
  #stopped = false;
  #nextRepair = 0;
  readonly #pause: WakeablePause;

  constructor(parts: CatalogParts, lease: Lease) {
    this.#parts = parts;
    this.#lease = lease;
    this.#pause = new WakeablePause(parts);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Something was written: look at once. */
  wake(): void {
    this.#pause.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
    await this.#lease.release();
  }

  async #run(): Promise<void> {
    let retry = FIRST_RETRY;
    while (!this.#stopped) {
      let pause = LOOK_INTERVAL;
      try {
        this.#pause.look();
        if (await this.#lease.hold()) await this.#work();
        else this.#nextRepair = 0;
        retry = FIRST_RETRY;
      } catch (error) {
        pause = retry;
        retry = Math.min(LONGEST_RETRY, retry * 2);
        this.#parts.log.warn(
          { err: error, retryInMilliseconds: pause },
          'the search index cannot be written; it catches up later',
        );
      }
      await this.#pause.take(pause);
    }
  }

  async #work(): Promise<void> {
    if (!(await this.#indexAll()) || this.#parts.monotonic() < this.#nextRepair) return;
    const mended = await repairIndex(this.#parts, () => this.#indexAll());
    if (mended > 0) this.#parts.log.info({ entries: mended }, 'entries of the search index were brought up to date');
    this.#nextRepair = this.#parts.monotonic() + REPAIR_INTERVAL;
  }

  /** Empties the outbox. @returns false when this indexer has to stop. */
  async #indexAll(): Promise<boolean> {
    while (!this.#stopped && (await this.#lease.hold())) if (!(await this.#indexSome())) return true;
    return false;
  }

  /** @returns whether there is certainly more to do. */
  async #indexSome(): Promise<boolean> {
    const documents = await this.#parts.store.entities.dirty(BATCH);
    if (documents.length === 0) return false;
    await this.#parts.search.apply(documents.map(indexChangeOf));
    await this.#parts.store.entities.clean(documents);
    // Large ones come a few at a time: look again, when whatever else there is to do has had its turn.
    this.wake();
    return documents.length === BATCH;
  }
}
