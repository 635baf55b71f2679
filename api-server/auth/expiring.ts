import type { CatalogParts } from '../catalog/parts.ts';
import { recordKey } from '../catalog/registry/registry.ts';
import type { RecordStore } from '../store/port.ts';
import { LAST_USES } from './last-uses.ts';

/**
 * Records that end by themselves. Beside each stands one that is named for its end, so that what has ended is found
 * without a look at what has not. It is written first: what a crash leaves is a name without a record.
 */

const KIND = 'expiry';
const AT_ONCE = 100;

/** What such a record has. */
export interface Expiring {
  /** When it can be removed, in ms since 1970. What it says may have ended before. */
  readonly removeAt: number;
}

interface Expiry {
  readonly kind: string;
  readonly id: string;
}

/** Called before the record is written, and whenever it is to stay longer and its own entry was met. */
export async function noteExpiry(records: RecordStore, thing: Expiry, removeAt: number): Promise<void> {
  const id = `${stampOf(removeAt)} ${recordKey(thing.kind, thing.id)}`;
  await records.put(KIND, id, { kind: thing.kind, id: thing.id } satisfies Expiry, undefined);
}

/**
 * Removes what has ended. Caches need not be told: what has ended is refused already.
 * @param now in ms.
 */
export async function removeExpired({ store: { records }, now }: Pick<CatalogParts, 'store' | 'now'>): Promise<void> {
  for (;;) {
    const due = (await records.list<Expiry>(KIND, undefined, AT_ONCE)).filter(({ id }) => id < stampOf(now()));
    if (due.length === 0) return;
    for (const { id, revision, body } of due) {
      await removeOne(records, body, now());
      await records.delete(KIND, id, revision);
    }
  }
}

async function removeOne(records: RecordStore, thing: Expiry, now: number): Promise<void> {
  const record = await records.get<Expiring>(thing.kind, thing.id);
  if (record === undefined) return;
  if (record.body.removeAt > now) return noteExpiry(records, thing, record.body.removeAt);
  if (await records.delete(thing.kind, thing.id, record.revision)) {
    await removeRecord(records, LAST_USES, recordKey(thing.kind, thing.id));
  }
}

/** Removes a record whatever it says. @returns false when there is none. */
export async function removeRecord(records: RecordStore, kind: string, id: string): Promise<boolean> {
  for (;;) {
    const record = await records.get(kind, id);
    if (record === undefined) return false;
    if (await records.delete(kind, id, record.revision)) return true;
  }
}

/** In the order of time, as texts. */
function stampOf(time: number): string {
  return String(Math.floor(time)).padStart(16, '0');
}
