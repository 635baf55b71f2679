import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { foldCase } from '../fold.ts';
import type { IndexChange, IndexEntry, IndexedVersion, SearchRequest, SearchResult } from '../port.ts';
import { compileCondition } from './condition-sql.ts';
import { prepareSchema } from './schema.ts';

/** The index in an SQLite file. Everything here blocks: it lives in the worker thread. */
export class SqliteEntries {
  readonly #database: DatabaseSync;
  readonly #statements;
  #matchers: readonly ((text: string) => boolean)[] = [];

  constructor(path: string) {
    // the store writes to the same file: wait for it, 5 s at most
    this.#database = new DatabaseSync(path, { timeout: 5_000 });
    prepareSchema(this.#database);
    this.#database.function('search_matches', { deterministic: true }, (text, number) => {
      return this.#matchers[Number(number)]?.(String(text)) ? 1 : 0;
    });
    this.#statements = prepareStatements(this.#database);
  }

  apply(changes: readonly IndexChange[]): void {
    // "immediate": a transaction that starts by reading cannot wait for another writer later
    this.#inTransaction('BEGIN IMMEDIATE', () => {
      for (const change of changes) {
        if (change.kind === 'put') this.#put(change.entry);
        else this.#drop(change);
      }
    });
  }

  search({ entityTypes, condition, includeRemoved, order, after, limit }: SearchRequest): SearchResult {
    const { text, parameters, matchers } = compileCondition(condition);
    this.#matchers = matchers;
    const types = entityTypes.map(() => '?').join(', ');
    const found = `FROM search_entries WHERE entity_type IN (${types}) ${includeRemoved ? '' : 'AND NOT removed'} AND ${text}`;
    const values = [...entityTypes, ...parameters];
    const [behind, direction] = order === 'ascending' ? ['>', 'ASC'] : ['<', 'DESC'];
    const page = `SELECT urn, incarnation, revision ${found} ${after === undefined ? '' : `AND urn ${behind} ?`}
                  ORDER BY urn ${direction} LIMIT ?`;
    // one transaction: the total belongs to the same state as the page
    return this.#inTransaction('BEGIN', () => ({
      total: Number(this.#database.prepare(`SELECT count(*) AS total ${found}`).get(...values)?.total),
      hits: this.#database
        .prepare(page)
        .all(...values, ...(after === undefined ? [] : [after]), limit)
        .map(toVersion),
    }));
  }

  versions(urns: readonly string[]): IndexedVersion[] {
    return urns.flatMap((urn) => this.#statements.version.all(urn).map(toVersion));
  }

  scan(after: string | undefined, limit: number): IndexedVersion[] {
    return this.#statements.scan.all(after ?? '', limit).map(toVersion);
  }

  ping(): void {
    this.#statements.version.get('');
  }

  close(): void {
    this.#database.close();
  }

  #put({ urn, entityType, incarnation, revision, removed, fields }: IndexEntry): void {
    const { put, deleteValues, addValue } = this.#statements;
    const id = put.get(urn, entityType, incarnation, revision, removed ? 1 : 0)?.id;
    if (id === undefined) return;
    deleteValues.run(id);
    let position = 0;
    for (const { field, values } of fields) {
      for (const value of values) {
        if (typeof value === 'number') addValue.run(id, position++, field, value, null, null);
        else addValue.run(id, position++, field, null, value, foldCase(value));
      }
    }
  }

  #drop({ urn, incarnation, revision }: IndexedVersion): void {
    const id = this.#statements.drop.get(urn, incarnation, revision)?.id;
    if (id !== undefined) this.#statements.deleteValues.run(id);
  }

  #inTransaction<T>(begin: string, work: () => T): T {
    this.#database.exec(begin);
    try {
      const outcome = work();
      this.#database.exec('COMMIT');
      return outcome;
    } catch (error) {
      // some errors (a full disk) have rolled back already
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
    /** No row comes back when the entry there is as new. */
    put: database.prepare(`
      INSERT INTO search_entries AS present (urn, entity_type, incarnation, revision, removed) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (urn) DO UPDATE SET
        entity_type = excluded.entity_type, incarnation = excluded.incarnation,
        revision = excluded.revision, removed = excluded.removed
      WHERE present.incarnation <> excluded.incarnation OR present.revision < excluded.revision
      RETURNING id`),
    drop: database.prepare(
      'DELETE FROM search_entries WHERE urn = ? AND (incarnation <> ? OR revision < ?) RETURNING id',
    ),
    deleteValues: database.prepare('DELETE FROM search_values WHERE entry_id = ?'),
    addValue: database.prepare(
      'INSERT INTO search_values (entry_id, position, field, number, text, folded) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    version: database.prepare('SELECT urn, incarnation, revision FROM search_entries WHERE urn = ?'),
    scan: database.prepare('SELECT urn, incarnation, revision FROM search_entries WHERE urn > ? ORDER BY urn LIMIT ?'),
  };
}

function toVersion(row: Record<string, SQLOutputValue>): IndexedVersion {
  return { urn: String(row.urn), incarnation: String(row.incarnation), revision: Number(row.revision) };
}
