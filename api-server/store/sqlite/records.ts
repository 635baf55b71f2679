import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Fence, READ_BYTES, type RecordStore, type StoredRecord } from '../port.ts';
import { checksumOf, RECORD_COLUMNS, readRecord } from './checked-json.ts';
import type { SqliteFences } from './fences.ts';
import type { GroupCommit } from './group-commit.ts';
import { readWithin } from './rows.ts';

export class SqliteRecords implements RecordStore {
  readonly #commits: GroupCommit;
  readonly #fences: SqliteFences;
  readonly #statements;

  constructor(database: DatabaseSync, commits: GroupCommit, fences: SqliteFences) {
    this.#commits = commits;
    this.#fences = fences;
    this.#statements = {
      get: database.prepare(`SELECT ${RECORD_COLUMNS} FROM records WHERE kind = ? AND id = ?`),
      insert: database.prepare(
        'INSERT INTO records (kind, id, revision, checksum, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO NOTHING',
      ),
      update: database.prepare(
        'UPDATE records SET revision = ?, checksum = ?, body = ? WHERE kind = ? AND id = ? AND revision = ?',
      ),
      delete: database.prepare('DELETE FROM records WHERE kind = ? AND id = ? AND revision = ?'),
      list: database.prepare(
        `SELECT ${RECORD_COLUMNS}, octet_length(body) AS bytes FROM records WHERE kind = ? AND id > ?
         ORDER BY id LIMIT ?`,
      ),
    };
  }

  async get<T>(kind: string, id: string): Promise<StoredRecord<T> | undefined> {
    const row = this.#statements.get.get(kind, id);
    return row === undefined ? undefined : readRecord<T>(row);
  }

  put(
    kind: string,
    id: string,
    body: unknown,
    expected: string | undefined,
    fence?: Fence,
  ): Promise<string | undefined> {
    return this.#commits.run(() => {
      if (fence !== undefined) this.#fences.check(fence);
      const revision = randomUUID();
      const text = JSON.stringify(body);
      const { changes } =
        expected === undefined
          ? this.#statements.insert.run(kind, id, revision, checksumOf(text), text)
          : this.#statements.update.run(revision, checksumOf(text), text, kind, id, expected);
      return changes === 0 ? undefined : revision;
    });
  }

  delete(kind: string, id: string, expected: string, fence?: Fence): Promise<boolean> {
    return this.#commits.run(() => {
      if (fence !== undefined) this.#fences.check(fence);
      return this.#statements.delete.run(kind, id, expected).changes !== 0;
    });
  }

  async list<T>(
    kind: string,
    after: string | undefined,
    limit: number,
    maxBytes = READ_BYTES,
  ): Promise<StoredRecord<T>[]> {
    return readWithin(this.#statements.list.iterate(kind, after ?? '', limit), maxBytes, readRecord<T>);
  }
}
