import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDamaged } from '../store/errors.ts';
import type { Fence, Store } from '../store/port.ts';
import { DOCUMENT_COLUMNS, RECORD_COLUMNS, readDocument, readRecord } from '../store/sqlite/checked-json.ts';
import { isDamage } from '../store/sqlite/errors.ts';
import { SqliteStore } from '../store/sqlite/store.ts';
import type { Damage } from './inspect-file.ts';

const WRITTEN_AT_ONCE = 200;
/** What SQLite keeps beside a file. */
const BESIDE = ['', '-wal', '-shm'];

export interface Rebuilt {
  readonly documents: number;
  readonly records: number;
  /** What could not be kept. */
  readonly leftOut: readonly Damage[];
  /** Where the file is that was there before. */
  readonly old: string;
}

type Row = Record<string, unknown>;

/**
 * Makes a new file out of everything in the store that is whole, and puts it in the place of the old one, which is kept
 * beside. The search index is filled by the next start. No other process may have the file.
 * @param name what is added to the name of the old file.
 * @returns `undefined` when something is damaged and may not be left out; nothing has changed then.
 */
export async function rebuildFile(
  path: string,
  { mayLeaveOut, name }: { readonly mayLeaveOut: boolean; readonly name: string },
): Promise<Rebuilt | undefined> {
  const made = `${path}.rebuilt`;
  for (const suffix of BESIDE) rmSync(made + suffix, { force: true });
  const source = new DatabaseSync(path, { readOnly: true });
  const target = SqliteStore.open({ path: made });
  const leftOut: Damage[] = [];
  let kept: { documents: number; records: number };
  try {
    kept = {
      documents: await copyDocuments(source, target, leftOut),
      records: await copyRecords(source, target, leftOut),
    };
    for (const fence of source.prepare('SELECT * FROM fences').iterate()) {
      await target.fences.raise(fence as unknown as Fence);
    }
  } finally {
    source.close();
    await target.close();
  }
  if (leftOut.length > 0 && !mayLeaveOut) {
    for (const suffix of BESIDE) rmSync(made + suffix, { force: true });
    return undefined;
  }
  const old = `${path}.${name}`;
  for (const suffix of BESIDE) if (existsSync(path + suffix)) renameSync(path + suffix, old + suffix);
  renameSync(made, path);
  return { ...kept, leftOut, old };
}

/** As they were, and dirty, so that the index gets them. */
function copyDocuments(source: DatabaseSync, { entities }: Store, leftOut: Damage[]): Promise<number> {
  const from = `${DOCUMENT_COLUMNS} FROM entities`;
  return copy(source, { from, key: ['urn'] }, leftOut, async (row) => await entities.insert(readDocument(row)));
}

function copyRecords(source: DatabaseSync, { records }: Store, leftOut: Damage[]): Promise<number> {
  const from = `${RECORD_COLUMNS} FROM records`;
  return copy(source, { from, key: ['kind', 'id'] }, leftOut, async (row) => {
    const { id, body } = readRecord(row);
    return (await records.put(String(row.kind), id, body, undefined)) !== undefined;
  });
}

/**
 * Where rows cannot be reached from the beginning, those behind them are reached from the end.
 * @param write says whether there was no such row yet. @returns how many were written.
 */
async function copy(
  source: DatabaseSync,
  { from, key }: { readonly from: string; readonly key: readonly string[] },
  leftOut: Damage[],
  write: (row: Row) => Promise<boolean>,
): Promise<number> {
  let written = 0;
  for (const direction of ['ASC', 'DESC']) {
    let batch: Promise<boolean>[] = [];
    const settle = async () => {
      const outcomes = await Promise.allSettled(batch);
      batch = [];
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') written += Number(outcome.value);
        else note(leftOut, outcome.reason);
      }
    };
    try {
      const order = key.map((column) => `${column} ${direction}`).join(', ');
      for (const row of source.prepare(`SELECT ${from} ORDER BY ${order}`).iterate()) {
        batch.push(write(row));
        if (batch.length === WRITTEN_AT_ONCE) await settle();
      }
      await settle();
      return written;
    } catch (error) {
      if (!isDamage(error)) throw error;
      await settle();
      leftOut.push({ about: `rows of ${from.split(' ').at(-1)}`, reason: (error as Error).message });
    }
  }
  return written;
}

/** @throws what is no damage. */
function note(leftOut: Damage[], error: unknown): void {
  if (!isDamaged(error)) throw error;
  const { about, message: reason } = error;
  if (!leftOut.some((known) => known.about === about)) leftOut.push({ about, reason });
}
