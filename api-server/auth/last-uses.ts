import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { recordKey } from '../catalog/registry/registry.ts';
import { changeRecord } from '../store/change-record.ts';
import type { Store } from '../store/port.ts';

/**
 * When tokens and accounts were last used: records beside theirs, so that using one does not change what requests
 * remember of it. Written at most once a minute each, whatever the number of replicas; the id is the record's key.
 */
export const LAST_USES = 'lastUse';

const PERIOD = 60_000;
const REMEMBERED = 20_000;

interface LastUse {
  /** In ms since 1970. */
  readonly at: number;
}

export class LastUses {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #log: Logger;
  /** When each was last noted here. */
  readonly #noted = new LRUCache<string, number>({ max: REMEMBERED });
  readonly #writes = new Set<Promise<void>>();

  constructor(store: Store, now: () => number, log: Logger) {
    this.#store = store;
    this.#now = now;
    this.#log = log;
  }

  /** Notes a use, in the background: nobody waits for it, and nothing fails with it. */
  note(kind: string, id: string): void {
    const key = recordKey(kind, id);
    const now = this.#now();
    if (!isOver(this.#noted.get(key), now)) return;
    this.#noted.set(key, now);
    const write = this.#write(key, now).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }

  /** In ms; `undefined`: it was never used. */
  async read(kind: string, id: string): Promise<number | undefined> {
    return (await this.#store.records.get<LastUse>(LAST_USES, recordKey(kind, id)))?.body.at;
  }

  /** Resolves when everything that was noted is written. */
  async written(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #write(key: string, at: number): Promise<void> {
    try {
      const place = { kind: LAST_USES, id: key };
      const stands = await changeRecord(this.#store.records, place, (standing: LastUse | undefined) =>
        standing !== undefined && !isOver(standing.at, at) ? standing : { at },
      );
      this.#noted.set(key, stands.at);
    } catch (error) {
      this.#log.warn({ err: error }, 'when a token or account was last used could not be noted');
    }
  }
}

/** Also when the last time was noted by a clock that goes far ahead. */
function isOver(last: number | undefined, now: number): boolean {
  return last === undefined || Math.abs(now - last) >= PERIOD;
}
