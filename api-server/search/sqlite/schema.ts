import type { DatabaseSync } from 'node:sqlite';

const VERSION = 1;
const SQLITE_BUSY = 5;

/**
 * One row an entity, one row a value. A value is in `number` or in `text` and, folded, in `folded`. The primary key of
 * `search_values` makes every index on it end in `entry_id`, so a condition is answered from its index alone. The index
 * on numbers has all rows, that for strings only strings: existence is asked of the first.
 */
const TABLES = `
  CREATE TABLE search_entries (
    id INTEGER PRIMARY KEY,
    urn TEXT NOT NULL UNIQUE,
    entity_type TEXT NOT NULL,
    incarnation TEXT NOT NULL,
    revision INTEGER NOT NULL,
    removed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_entries_type ON search_entries (entity_type, urn, removed);

  CREATE TABLE search_values (
    entry_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    field TEXT NOT NULL,
    number REAL,
    text TEXT,
    folded TEXT,
    PRIMARY KEY (entry_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX search_values_number ON search_values (field, number);
  CREATE INDEX search_values_text ON search_values (field, text) WHERE text IS NOT NULL;
  CREATE INDEX search_values_folded ON search_values (field, folded) WHERE folded IS NOT NULL;
`;

/**
 * Creates the tables. Tables of another version are dropped: the index is derived, and what it lacks is put back from
 * the store. The version has a table of its own because PRAGMA user_version belongs to all who share the file.
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
    database.exec('DROP TABLE IF EXISTS search_values; DROP TABLE IF EXISTS search_entries; DELETE FROM search_schema');
    database.exec(TABLES);
    database.prepare('INSERT INTO search_schema (version) VALUES (?)').run(VERSION);
  }
  database.exec('COMMIT');
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
