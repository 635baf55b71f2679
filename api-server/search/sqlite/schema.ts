import type { DatabaseSync } from 'node:sqlite';

const VERSION = 4;
const SQLITE_BUSY = 5;

/**
 * One row an entity, one row a value. A value is in `number` or in `text` and, folded, in `folded`. The primary key of
 * the values makes every index on them end in `entry_id`, so a condition is answered from its index alone. The index on
 * numbers has all rows, that for strings only strings: existence is asked of the first. A field stays known when its last
 * value goes, until a rebuild.
 */
const tablesOf = (generation: number) => `
  CREATE TABLE search_entries_${generation} (
    id INTEGER PRIMARY KEY,
    urn TEXT NOT NULL UNIQUE,
    entity_type TEXT NOT NULL,
    incarnation TEXT NOT NULL,
    revision INTEGER NOT NULL,
    removed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_entries_${generation}_type ON search_entries_${generation} (entity_type, urn, removed);

  CREATE TABLE search_fields_${generation} (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

  CREATE TABLE search_values_${generation} (
    entry_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    field_id INTEGER NOT NULL,
    number REAL,
    text TEXT,
    folded TEXT,
    PRIMARY KEY (entry_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX search_values_${generation}_number ON search_values_${generation} (field_id, number);
  CREATE INDEX search_values_${generation}_text ON search_values_${generation} (field_id, text) WHERE text IS NOT NULL;
  CREATE INDEX search_values_${generation}_folded ON search_values_${generation} (field_id, folded)
    WHERE folded IS NOT NULL;
`;

/** The current index, and the one that is being rebuilt under an id. An id that became current is kept with it. */
const GENERATIONS = `
  CREATE TABLE search_generations (
    generation INTEGER PRIMARY KEY AUTOINCREMENT,
    is_current INTEGER NOT NULL,
    rebuild TEXT
  ) STRICT;
`;

/**
 * Creates the tables. Those of another version are dropped: the index is derived, and what it lacks is put back from the
 * store. The version has a table of its own because PRAGMA user_version belongs to all who share the file.
 */
export function prepareSchema(database: DatabaseSync): void {
  // before the transaction: the journal mode cannot change within one
  useWriteAheadLog(database);
  // a commit may be lost with the power, never torn; the store's later "indexed" mark would be lost with it
  database.exec('PRAGMA synchronous = NORMAL');
  database.exec('BEGIN IMMEDIATE');
  database.exec('CREATE TABLE IF NOT EXISTS search_schema (version INTEGER NOT NULL) STRICT');
  const found = database.prepare('SELECT version FROM search_schema').get()?.version;
  if (found !== VERSION) {
    for (const table of tablesLike(database, 'search_%')) {
      if (table !== 'search_schema') database.exec(`DROP TABLE ${table}`);
    }
    database.exec(GENERATIONS);
    createGeneration(database, { isCurrent: true });
    database.exec('DELETE FROM search_schema');
    database.prepare('INSERT INTO search_schema (version) VALUES (?)').run(VERSION);
  }
  database.exec('COMMIT');
}

/** @returns the new generation's number, greater than any before. */
export function createGeneration(
  database: DatabaseSync,
  { isCurrent, rebuild }: { readonly isCurrent: boolean; readonly rebuild?: string },
): number {
  const row = database
    .prepare('INSERT INTO search_generations (is_current, rebuild) VALUES (?, ?) RETURNING generation')
    .get(isCurrent ? 1 : 0, rebuild ?? null);
  const generation = Number(row?.generation);
  database.exec(tablesOf(generation));
  return generation;
}

/** Drops the tables that belong to no generation any more, one by one: a large one takes its time, and others write too. */
export function dropLeftovers(database: DatabaseSync): void {
  const generations = database.prepare('SELECT generation FROM search_generations').all();
  const known = new Set(generations.map(({ generation }) => String(generation)));
  for (const table of tablesLike(database, 'search_%')) {
    const generation = /_(\d+)$/u.exec(table)?.[1];
    if (generation !== undefined && !known.has(generation)) database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}

function tablesLike(database: DatabaseSync, pattern: string): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ?")
    .all(pattern)
    .map(({ name }) => String(name));
}

/** Two connections that change the mode of a new file at once make one of them fail at once, whatever the timeout. */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || attempt === 100) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}
