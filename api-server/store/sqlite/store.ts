import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate, makePrivateFolder } from '../../../process/private-files.ts';
import type { StoreError } from '../errors.ts';
import type { EntityStore, FenceStore, RecordStore, Store } from '../port.ts';
import { withErrorsOf } from '../with-errors-of.ts';
import { SqliteEntities } from './entities.ts';
import { storeErrorOf } from './errors.ts';
import { SqliteFences } from './fences.ts';
import { GroupCommit } from './group-commit.ts';
import { SqliteRecords } from './records.ts';
import { migrate } from './schema.ts';

/** How long a statement blocks while another connection writes, in ms. */
const BRIEFLY = 5;

/** The embedded store: one SQLite file. A write is durable before it is answered (WAL, synchronous = FULL). */
export class SqliteStore implements Store {
  readonly entities: EntityStore;
  readonly records: RecordStore;
  readonly fences: FenceStore;
  readonly #database: DatabaseSync;
  readonly #commits: GroupCommit;

  private constructor(database: DatabaseSync, path: string, tellDamaged: (error: StoreError) => void) {
    this.#database = database;
    this.#commits = new GroupCommit(database);
    const fences = new SqliteFences(database, this.#commits);
    const translate = (error: unknown) => storeErrorOf(error, path);
    this.fences = withErrorsOf(fences, translate);
    this.entities = withErrorsOf(new SqliteEntities(database, this.#commits, fences, tellDamaged), translate);
    this.records = withErrorsOf(new SqliteRecords(database, this.#commits, fences), translate);
  }

  /**
   * Opens the file at `path`, making it and its folder when they are not there.
   * @param options.tellDamaged gets the damaged documents that no call rejects for: those that the outbox passes over.
   */
  static open({
    path,
    tellDamaged = () => {},
  }: {
    readonly path: string;
    readonly tellDamaged?: (error: StoreError) => void;
  }): SqliteStore {
    makePrivateFolder(dirname(path));
    makePrivate(path);
    // New ones get the mode of the file; these are left of a process that was killed.
    for (const beside of [`${path}-wal`, `${path}-shm`]) if (existsSync(beside)) makePrivate(beside);
    // Another connection of this process (the search index) writes to the same file: wait for it.
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
    migrate(database);
    // From now on nobody else may have to wait here; GroupCommit tries again.
    database.exec(`PRAGMA busy_timeout = ${BRIEFLY}`);
    return new SqliteStore(database, path, tellDamaged);
  }

  async ping(): Promise<void> {
    this.#database.prepare('SELECT 1').get();
  }

  async close(): Promise<void> {
    if (!this.#database.isOpen) return;
    this.#database.exec('PRAGMA busy_timeout = 10000');
    this.#commits.flush();
    this.#database.close();
  }
}
