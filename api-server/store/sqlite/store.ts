import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../port.ts';
import { SqliteEntities } from './entities.ts';
import { SqliteFences } from './fences.ts';
import { GroupCommit } from './group-commit.ts';
import { SqliteRecords } from './records.ts';
import { migrate } from './schema.ts';

/** The embedded store: one SQLite file. A write is durable before it is answered (WAL, synchronous = FULL). */
export class SqliteStore implements Store {
  readonly entities: SqliteEntities;
  readonly records: SqliteRecords;
  readonly fences: SqliteFences;
  readonly #database: DatabaseSync;
  readonly #commits: GroupCommit;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    this.#commits = new GroupCommit(database);
    this.fences = new SqliteFences(database, this.#commits);
    this.entities = new SqliteEntities(database, this.#commits, this.fences);
    this.records = new SqliteRecords(database, this.#commits, this.fences);
  }

  /** Opens the file at `path`, making it and its folder when they are not there. */
  static open({ path }: { readonly path: string }): SqliteStore {
    mkdirSync(dirname(path), { recursive: true });
    // Another connection of this process (the search index) writes to the same file: wait for it.
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
    migrate(database);
    return new SqliteStore(database);
  }

  async ping(): Promise<void> {
    this.#database.prepare('SELECT 1').get();
  }

  async close(): Promise<void> {
    if (!this.#database.isOpen) return;
    this.#commits.flush();
    this.#database.close();
  }
}
