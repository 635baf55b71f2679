import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDamaged, type StoreError } from '../errors.ts';
import {
  type DocumentsRead,
  type DocumentVersion,
  type EntityDocument,
  type EntityStore,
  type Fence,
  type HoldersRequest,
  type ListRequest,
  type OwnedThing,
  type OwnersRequest,
  READ_BYTES,
  type StoredVersion,
} from '../port.ts';
import { checksumOf, DOCUMENT_COLUMNS, readDocument } from './checked-json.ts';
import type { SqliteFences } from './fences.ts';
import type { GroupCommit } from './group-commit.ts';
import { type Row, readWithin } from './rows.ts';

export class SqliteEntities implements EntityStore {
  readonly #database: DatabaseSync;
  readonly #commits: GroupCommit;
  readonly #fences: SqliteFences;
  readonly #tellDamaged: (error: StoreError) => void;
  readonly #statements = new Map<string, StatementSync>();

  /** @param tellDamaged gets what `dirty` passes over. */
  constructor(
    database: DatabaseSync,
    commits: GroupCommit,
    fences: SqliteFences,
    tellDamaged: (error: StoreError) => void,
  ) {
    this.#tellDamaged = tellDamaged;
    this.#database = database;
    this.#commits = commits;
    this.#fences = fences;
  }

  async get(urn: string): Promise<EntityDocument | undefined> {
    const row = this.#sql(`SELECT ${DOCUMENT_COLUMNS} FROM entities WHERE urn = ?`).get(urn);
    return row === undefined ? undefined : readDocument(row);
  }

  async getMany(urns: readonly string[], maxBytes: number): Promise<DocumentsRead> {
    const find = this.#sql(`SELECT ${DOCUMENT} FROM entities WHERE urn = ?`);
    const documents: EntityDocument[] = [];
    let bytes = 0;
    let reached = 0;
    for (const urn of urns) {
      if (bytes >= maxBytes) break;
      reached += 1;
      const row = find.get(urn);
      if (row === undefined) continue;
      bytes += Number(row.bytes);
      documents.push(readDocument(row));
    }
    return { documents, bytes, reached };
  }

  async versions(urns: readonly string[]): Promise<StoredVersion[]> {
    return this.#sql(
      'SELECT urn, incarnation, revision, deleted FROM entities WHERE urn IN (SELECT value FROM json_each(?))',
    )
      .all(JSON.stringify(urns))
      .map(readVersion);
  }

  async list({ entityType, after = '', limit, maxBytes = READ_BYTES }: ListRequest): Promise<EntityDocument[]> {
    const rows =
      entityType === undefined
        ? this.#sql(`SELECT ${DOCUMENT} FROM entities WHERE urn > ? ORDER BY urn LIMIT ?`).iterate(after, limit)
        : this.#sql(`SELECT ${DOCUMENT} FROM entities WHERE entity_type = ? AND urn > ? ORDER BY urn LIMIT ?`).iterate(
            entityType,
            after,
            limit,
          );
    return readWithin(rows, maxBytes, readDocument);
  }

  async count(after = ''): Promise<number> {
    return Number(this.#sql('SELECT count(*) AS count FROM entities WHERE urn > ?').get(after)?.count);
  }

  insert(document: EntityDocument, fence?: Fence): Promise<boolean> {
    const text = JSON.stringify(document);
    return this.#commits.run(() => {
      if (fence !== undefined) this.#fences.check(fence);
      const { changes } = this.#sql(
        `INSERT INTO entities (urn, entity_type, incarnation, revision, dirty, deleted, checksum, document)
         VALUES (?, ?, ?, ?, ${NEXT_DIRTY}, ?, ?, ?) ON CONFLICT (urn) DO NOTHING`,
      ).run(
        document.urn,
        document.entityType,
        document.incarnation,
        document.revision,
        document.deleted ?? null,
        checksumOf(text),
        text,
      );
      if (changes === 0) return false;
      this.#repeat(document);
      return true;
    });
  }

  replace(document: EntityDocument, expected: DocumentVersion, fence?: Fence): Promise<boolean> {
    const text = JSON.stringify(document);
    return this.#commits.run(() => {
      if (fence !== undefined) this.#fences.check(fence);
      const { changes } = this.#sql(
        `UPDATE entities SET incarnation = ?, revision = ?, dirty = ${NEXT_DIRTY}, deleted = ?, checksum = ?, document = ?
         WHERE urn = ? AND incarnation = ? AND revision = ?`,
      ).run(
        document.incarnation,
        document.revision,
        document.deleted ?? null,
        checksumOf(text),
        text,
        document.urn,
        expected.incarnation,
        expected.revision,
      );
      if (changes === 0) return false;
      this.#repeat(document);
      return true;
    });
  }

  async dirty(limit: number): Promise<EntityDocument[]> {
    const rows = this.#sql(`SELECT ${DOCUMENT} FROM entities WHERE dirty IS NOT NULL ORDER BY dirty`);
    return readWithin(rows.iterate(), READ_BYTES, (row) => this.#readWhole(row), limit);
  }

  /** @returns `undefined` for a damaged one, which is told. */
  #readWhole(row: Row): EntityDocument | undefined {
    try {
      return readDocument(row);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      this.#tellDamaged(error);
      return undefined;
    }
  }

  async countDirty(): Promise<number> {
    return count(this.#sql('SELECT COUNT(*) AS count FROM entities WHERE dirty IS NOT NULL').get());
  }

  clean(versions: readonly (DocumentVersion & { readonly urn: string })[]): Promise<void> {
    return this.#commits.run(() => {
      const clean = this.#sql('UPDATE entities SET dirty = NULL WHERE urn = ? AND incarnation = ? AND revision = ?');
      for (const { urn, incarnation, revision } of versions) clean.run(urn, incarnation, revision);
    });
  }

  purge(before: number, limit: number, after = Number.MAX_SAFE_INTEGER): Promise<number> {
    return this.#commits.run(() =>
      Number(
        this.#sql(
          `DELETE FROM entities WHERE urn IN (
             SELECT urn FROM entities
             WHERE deleted IS NOT NULL AND (deleted < ? OR deleted > ?) AND dirty IS NULL LIMIT ?)`,
        ).run(before, after, limit).changes,
      ),
    );
  }

  async holders({ propertyUrn, epoch, after = '', limit }: HoldersRequest): Promise<string[]> {
    const rows =
      epoch === undefined
        ? this.#sql('SELECT urn FROM holders WHERE property_urn = ? AND urn > ? ORDER BY urn LIMIT ?').all(
            propertyUrn,
            after,
            limit,
          )
        : this.#sql(
            'SELECT urn FROM holders WHERE property_urn = ? AND epoch = ? AND urn > ? ORDER BY urn LIMIT ?',
          ).all(propertyUrn, epoch, after, limit);
    return rows.map((row) => String(row.urn));
  }

  async countHolders(propertyUrn: string, epoch?: string): Promise<number> {
    return count(
      epoch === undefined
        ? this.#sql('SELECT COUNT(*) AS count FROM holders WHERE property_urn = ?').get(propertyUrn)
        : this.#sql('SELECT COUNT(*) AS count FROM holders WHERE property_urn = ? AND epoch = ?').get(
            propertyUrn,
            epoch,
          ),
    );
  }

  async owners({ source, kind, namespace, name, urn, after, limit }: OwnersRequest): Promise<OwnedThing[]> {
    const wanted = { source, kind, namespace, name, urn };
    const given = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const conditions = [...given.map(([column]) => `${column} = ?`), '(urn, property_urn) > (?, ?)'];
    const rows = this.#sql(
      `SELECT * FROM owners WHERE ${conditions.join(' AND ')} ORDER BY urn, property_urn LIMIT ?`,
    ).all(...given.map(([, value]) => value), after?.urn ?? '', after?.propertyUrn ?? '', limit);
    return rows.map(readOwned);
  }

  /** Repeats in the other tables what has to be found there. */
  #repeat({ urn, assignments, owners }: EntityDocument): void {
    this.#sql('DELETE FROM holders WHERE urn = ?').run(urn);
    this.#sql('DELETE FROM owners WHERE urn = ?').run(urn);
    const hold = this.#sql('INSERT INTO holders (property_urn, urn, epoch) VALUES (?, ?, ?)');
    for (const { propertyUrn, epoch } of assignments) hold.run(propertyUrn, urn, epoch);
    const own = this.#sql('INSERT INTO owners VALUES (?, ?, ?, ?, ?, ?, ?)');
    for (const [propertyUrn, { source, kind, namespace, name, deletionPolicy }] of Object.entries(owners)) {
      own.run(urn, propertyUrn, source, kind, namespace, name, deletionPolicy);
    }
  }

  #sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** The outbox is worked in order of this number; only its order among waiting documents matters. */
const NEXT_DIRTY = '(SELECT COALESCE(MAX(dirty), 0) + 1 FROM entities WHERE dirty IS NOT NULL)';

/** A document with its size, of which SQLite need not read it. */
const DOCUMENT = `${DOCUMENT_COLUMNS}, octet_length(document) AS bytes`;

function readVersion({ urn, incarnation, revision, deleted }: Row): StoredVersion {
  const version = { urn: String(urn), incarnation: String(incarnation), revision: Number(revision) };
  return deleted === null ? version : { ...version, deleted: Number(deleted) };
}

function count(row: Row | undefined): number {
  return Number(row?.count ?? 0);
}

function readOwned(row: Row): OwnedThing {
  const mark = {
    urn: String(row.urn),
    source: String(row.source),
    kind: String(row.kind),
    namespace: String(row.namespace),
    name: String(row.name),
    deletionPolicy: String(row.deletion_policy),
  };
  return row.property_urn === '' ? mark : { ...mark, propertyUrn: String(row.property_urn) };
}
