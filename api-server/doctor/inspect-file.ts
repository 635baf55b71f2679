import { DatabaseSync } from 'node:sqlite';
import { isDamaged } from '../store/errors.ts';
import { DOCUMENT_COLUMNS, RECORD_COLUMNS, readDocument, readRecord } from '../store/sqlite/checked-json.ts';
import { isDamage } from '../store/sqlite/errors.ts';

/** What is named one by one; of the rest it is said how many there are. */
const MOST_NAMED = 100;

/** What a look at the whole file of the embedded backends has found. */
export interface Inspection {
  /** Faults of the file where the store is, or where they cannot be placed: text of SQLite. */
  readonly store: readonly string[];
  /** Faults of the file where the search index is. */
  readonly index: readonly string[];
  /** Documents by URN, records by kind and id: the first hundred. */
  readonly damaged: readonly Damage[];
  readonly damagedCount: number;
  /** Of how many. */
  readonly documents: number;
  readonly records: number;
  /** Written by a release without checksums: whether they are what was written cannot be said. */
  readonly withoutChecksum: number;
}

export interface Damage {
  readonly about: string;
  readonly reason: string;
}

type Row = Record<string, unknown>;

/**
 * Reads everything once. It blocks, for about 5 s a GiB: a server lets a worker thread do it.
 * @param isThorough compares the indexes of the tables with them, too, which takes several times as long.
 * @throws Error when the file is not there.
 */
export function inspectFile(path: string, { isThorough }: { readonly isThorough: boolean }): Inspection {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    const { store, index } = faultsOf(database, isThorough);
    const damaged: Damage[] = [];
    const counts = { damaged: 0, withoutChecksum: 0 };
    const look = (sql: string, read: (row: Row) => unknown): number => {
      let rows = 0;
      try {
        for (const row of database.prepare(sql).iterate()) {
          rows += 1;
          if (row.checksum === null) counts.withoutChecksum += 1;
          const damage = damageOf(row, read);
          if (damage === undefined) continue;
          counts.damaged += 1;
          if (damaged.length < MOST_NAMED) damaged.push(damage);
        }
      } catch (error) {
        if (!isDamage(error)) throw error;
        store.push(`reading ends after ${rows} rows: ${messageOf(error)}`);
      }
      return rows;
    };
    const documents = look(`SELECT ${DOCUMENT_COLUMNS} FROM entities`, readDocument);
    const records = look(`SELECT ${RECORD_COLUMNS} FROM records`, readRecord);
    return {
      store,
      index,
      damaged,
      damagedCount: counts.damaged,
      documents,
      records,
      withoutChecksum: counts.withoutChecksum,
    };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const nothing = { documents: 0, records: 0, withoutChecksum: 0, damaged: [], damagedCount: 0 };
    return { ...nothing, store: [messageOf(error)], index: [] };
  } finally {
    database.close();
  }
}

/** What SQLite's own check finds in the trees of the file. */
function faultsOf(database: DatabaseSync, isThorough: boolean): { store: string[]; index: string[] } {
  const check = isThorough ? 'integrity_check' : 'quick_check';
  const faults = (argument: string | number) =>
    database
      .prepare(`PRAGMA ${check}(${argument})`)
      .all()
      .flatMap((row) => String(row[check]).split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***'));
  try {
    const lines = faults(MOST_NAMED);
    if (lines.length === 0) return { store: [], index: [] };
    const tables = schemaOf(database);
    const isOfIndex = (line: string) => {
      const tree = /^Tree (\d+) /u.exec(line)?.[1];
      const table = tables.find(({ root }) => String(root) === tree)?.table;
      return table === undefined ? /\b(?:from|in|index) search_/u.test(line) : isSearchTable(table);
    };
    return { store: lines.filter((line) => !isOfIndex(line)), index: lines.filter(isOfIndex) };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  // It gave up at a tree that cannot be read at all: which one?
  const found: { store: string[]; index: string[] } = { store: [], index: [] };
  for (const table of new Set(schemaOf(database).map(({ table }) => table))) {
    const list = isSearchTable(table) ? found.index : found.store;
    try {
      for (const fault of faults(`"${table}"`)) list.push(fault);
    } catch (error) {
      if (!isDamage(error)) throw error;
      list.push(`${table}: ${messageOf(error)}`);
    }
  }
  return found;
}

function schemaOf(database: DatabaseSync): { readonly root: number; readonly table: string }[] {
  return database
    .prepare('SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0')
    .all()
    .map(({ rootpage, tbl_name }) => ({ root: Number(rootpage), table: String(tbl_name) }));
}

function isSearchTable(table: string): boolean {
  return table.startsWith('search_');
}

function damageOf(row: Row, read: (row: Row) => unknown): Damage | undefined {
  try {
    read(row);
    return undefined;
  } catch (error) {
    if (isDamaged(error)) return { about: error.about, reason: error.message };
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
