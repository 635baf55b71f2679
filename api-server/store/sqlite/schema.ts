import type { DatabaseSync } from 'node:sqlite';

const SCHEMA_VERSION = 2;

/**
 * Tables of the store. The document is the truth; the other tables repeat what has to be found by something else than
 * the URN, and are written in the same transaction. The search index keeps its own tables in the same file.
 *
 * What may be large stands in tables that have rowids: in one without, a search by key that comes across a large row
 * reads the whole of it.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS store_schema (version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entities (
  urn TEXT PRIMARY KEY NOT NULL, entity_type TEXT NOT NULL, incarnation TEXT NOT NULL, revision INTEGER NOT NULL,
  dirty INTEGER, deleted INTEGER, document TEXT NOT NULL, checksum INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS entities_by_type ON entities (entity_type, urn);
CREATE INDEX IF NOT EXISTS entities_dirty ON entities (dirty) WHERE dirty IS NOT NULL;
CREATE INDEX IF NOT EXISTS entities_deleted ON entities (deleted) WHERE deleted IS NOT NULL;
CREATE TABLE IF NOT EXISTS holders (
  property_urn TEXT NOT NULL, urn TEXT NOT NULL, epoch TEXT NOT NULL, PRIMARY KEY (property_urn, urn)
) WITHOUT ROWID, STRICT;
CREATE INDEX IF NOT EXISTS holders_by_urn ON holders (urn);
CREATE TABLE IF NOT EXISTS owners (
  urn TEXT NOT NULL, property_urn TEXT NOT NULL, source TEXT NOT NULL, kind TEXT NOT NULL, namespace TEXT NOT NULL,
  name TEXT NOT NULL, deletion_policy TEXT NOT NULL, PRIMARY KEY (urn, property_urn)
) WITHOUT ROWID, STRICT;
CREATE INDEX IF NOT EXISTS owners_by_resource ON owners (source, kind, namespace, name, urn, property_urn);
CREATE TABLE IF NOT EXISTS records (
  kind TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, body TEXT NOT NULL, checksum INTEGER,
  PRIMARY KEY (kind, id)
) STRICT;
CREATE TABLE IF NOT EXISTS fences (
  source TEXT NOT NULL, shard TEXT NOT NULL, lease TEXT NOT NULL, created INTEGER NOT NULL,
  transitions INTEGER NOT NULL, PRIMARY KEY (source, shard)
) WITHOUT ROWID, STRICT;
`;

/** What an earlier schema lacks, by its version. A checksum that is NULL is not known: the next write has one. */
const MIGRATIONS: Readonly<Record<number, string>> = {
  1: 'ALTER TABLE entities ADD COLUMN checksum INTEGER; ALTER TABLE records ADD COLUMN checksum INTEGER;',
};

/**
 * Makes the tables, or brings those of an earlier schema forward, and records the schema's version.
 * @throws Error when the file was written by a newer release.
 */
export function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(TABLES);
    const row = database.prepare('SELECT version FROM store_schema').get() as { version: number } | undefined;
    if (row === undefined) database.prepare('INSERT INTO store_schema (version) VALUES (?)').run(SCHEMA_VERSION);
    else if (row.version > SCHEMA_VERSION) {
      throw new Error(
        `the store has schema version ${row.version}, this release knows ${SCHEMA_VERSION}: start the newer release`,
      );
    } else if (row.version < SCHEMA_VERSION) {
      for (let version = row.version; version < SCHEMA_VERSION; version++) database.exec(MIGRATIONS[version] ?? '');
      database.prepare('UPDATE store_schema SET version = ?').run(SCHEMA_VERSION);
    }
    for (const table of ['entities', 'records']) giveRowids(database, table);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** The tables of release 0.1.0 had none. */
function giveRowids(database: DatabaseSync, table: string): void {
  const found = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table);
  if (!String(found?.sql).includes('WITHOUT ROWID')) return;
  database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`);
  database.exec(TABLES);
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(`old_${table}`)
    .map(({ name }) => name)
    .join(', ');
  database.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM old_${table}; DROP TABLE old_${table}`);
  // Once more: until now the indexes were those of the old table.
  database.exec(TABLES);
}
