import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { SqliteStore } from '../../../api-server/store/sqlite/store.ts';
import { documentOf, nextOf, tombstoneOf, urnOf } from '../../contract/store/fixture.ts';
import { storeContract } from '../../contract/store.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

storeContract('SQLite', async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'deeper', 'proplane.db');
  let store = SqliteStore.open({ path });
  return {
    store,
    reopen: async () => {
      await store.close();
      store = SqliteStore.open({ path });
      return store;
    },
    close: async () => {
      await store.close();
      await folder.remove();
    },
  };
});

async function withFile(test: (path: string) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  try {
    await test(join(folder.path, 'proplane.db'));
  } finally {
    await folder.remove();
  }
}

describe('the file of the SQLite store', () => {
  it('is refused when a newer release has written it, and stays as it is', () =>
    withFile(async (path) => {
      await SqliteStore.open({ path }).close();
      const database = new DatabaseSync(path);
      database.exec('UPDATE store_schema SET version = 99; DROP TABLE owners');
      expect(() => SqliteStore.open({ path })).toThrow(
        /has schema version 99, this release knows \d+: start the newer/u,
      );
      expect(() => database.prepare('SELECT * FROM owners')).toThrow('no such table');
      database.exec('UPDATE store_schema SET version = 2');
      await SqliteStore.open({ path }).close();
      expect(database.prepare('SELECT count(*) AS n FROM store_schema').get()).toEqual({ n: 1 });
      database.close();
    }));

  it('is safe before a write is answered', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      const other = new DatabaseSync(path, { readOnly: true });
      await store.entities.insert(documentOf('a'));
      expect(other.prepare('SELECT urn FROM entities').all()).toEqual([{ urn: urnOf('a') }]);
      expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      other.close();
      await store.close();
    }));

  it('may have two stores on it, which see what the other one wrote', () =>
    withFile(async (path) => {
      const one = SqliteStore.open({ path });
      const other = SqliteStore.open({ path });
      await one.entities.insert(documentOf('a'));
      const next = nextOf(documentOf('a'));
      const outcomes = await Promise.all([
        one.entities.replace(next, documentOf('a')),
        other.entities.replace(next, documentOf('a')),
      ]);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await other.entities.get(urnOf('a'))).toEqual(next);
      await one.close();
      await other.close();
    }));
});

describe('the SQLite store', () => {
  it('refuses a document that it cannot keep and keeps all others of the same moment', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      const broken = documentOf('broken', { incarnation: null as unknown as string });
      const outcomes = await Promise.allSettled([
        store.entities.insert(documentOf('a')),
        store.entities.insert(broken),
        store.records.put('kind', 'id', 1n, undefined),
        store.entities.insert(documentOf('b')),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      expect((await store.entities.list({ limit: 9 })).map(({ urn }) => urn)).toEqual(['a', 'b'].map(urnOf));
      await store.close();
    }));

  it('takes over what release 0.1.0 left, whose tables have no rowids', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      for (const name of ['a', 'b']) await store.entities.insert(documentOf(name));
      await store.entities.replace(tombstoneOf(documentOf('a'), 5), documentOf('a'));
      await store.records.put('kind', 'id', { some: 'body' }, undefined);
      const record = await store.records.get('kind', 'id');
      await store.close();
      withoutRowids(path);
      const again = SqliteStore.open({ path });
      expect(await again.entities.list({ limit: 9 })).toEqual([tombstoneOf(documentOf('a'), 5), documentOf('b')]);
      expect((await again.entities.dirty(9)).map(({ urn }) => urn)).toEqual(['b', 'a'].map(urnOf));
      expect(await again.records.get('kind', 'id')).toEqual(record);
      await again.close();
      const database = new DatabaseSync(path);
      const made = database
        .prepare("SELECT name, sql FROM sqlite_schema WHERE tbl_name IN ('entities', 'records')")
        .all();
      database.close();
      expect(made.map(({ name }) => name)).toEqual(expect.arrayContaining(['entities_dirty', 'entities_by_type']));
      expect(made.filter(({ sql }) => String(sql).includes('WITHOUT ROWID'))).toEqual([]);
    }));

  it('writes what waits when it is closed', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      const written = store.entities.insert(documentOf('a'));
      await store.close();
      expect(await written).toBe(true);
      const again = SqliteStore.open({ path });
      expect(await again.entities.get(urnOf('a'))).toEqual(documentOf('a'));
      await again.close();
    }));

  it('rejects a write after it was closed', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      await store.close();
      await expect(store.entities.insert(documentOf('a'))).rejects.toThrow('database is not open');
      await expect(store.entities.get(urnOf('a'))).rejects.toThrow();
    }));
});

/** Gives a store the tables that it had in release 0.1.0. */
function withoutRowids(path: string): void {
  const database = new DatabaseSync(path);
  for (const [table, key] of [
    ['entities', 'urn'],
    ['records', 'kind, id'],
  ] as const) {
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table);
    const named = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    database.exec(`ALTER TABLE ${table} RENAME TO later; DROP INDEX IF EXISTS entities_dirty;
      DROP INDEX IF EXISTS entities_by_type; DROP INDEX IF EXISTS entities_deleted;
      CREATE TABLE ${table} (${named}, PRIMARY KEY (${key})) WITHOUT ROWID, STRICT;
      INSERT INTO ${table} SELECT * FROM later; DROP TABLE later;`);
  }
  database.exec('CREATE INDEX entities_by_type ON entities (entity_type, urn)');
  database.close();
}
describe('damage in the file of the SQLite store', () => {
  const hurt = (path: string, sql: string) => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };

  it('is an error of every call that meets the document, and of no other', () =>
    withFile(async (path) => {
      const told: string[] = [];
      const store = SqliteStore.open({ path, tellDamaged: ({ about = '' }) => told.push(about) });
      for (const name of ['a', 'b', 'c']) await store.entities.insert(documentOf(name));
      await store.records.put('kind', 'one', { text: 'as written' }, undefined);
      await store.records.put('kind', 'two', {}, undefined);
      hurt(path, `UPDATE entities SET document = replace(document, '"', '''') WHERE urn = '${urnOf('b')}'`);
      hurt(path, "UPDATE records SET body = replace(body, 'as', 'AS') WHERE id = 'one'");
      const error = { code: 'damaged', about: urnOf('b'), message: expect.stringContaining(urnOf('b')) };
      const { entities, records } = store;
      await expect(entities.get(urnOf('b'))).rejects.toMatchObject(error);
      await expect(entities.getMany([urnOf('a'), urnOf('b')], 1e6)).rejects.toMatchObject(error);
      await expect(entities.list({ limit: 9 })).rejects.toMatchObject(error);
      expect(await entities.get(urnOf('a'))).toEqual(documentOf('a'));
      expect(await entities.list({ limit: 9, after: urnOf('b') })).toHaveLength(1);
      expect((await entities.dirty(9)).map(({ urn }) => urn)).toEqual([urnOf('a'), urnOf('c')]);
      expect((await entities.dirty(1)).map(({ urn }) => urn)).toEqual([urnOf('a')]);
      expect(new Set(told)).toEqual(new Set([urnOf('b')]));
      await expect(records.get('kind', 'one')).rejects.toMatchObject({ code: 'damaged', about: 'kind/one' });
      expect(await records.get('kind', 'two')).toMatchObject({ body: {} });
      await store.close();
    }));

  it('is seen also where a key has changed', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      await store.entities.insert(documentOf('a'));
      hurt(path, `UPDATE entities SET urn = '${urnOf('x')}'`);
      await expect(store.entities.list({ limit: 9 })).rejects.toMatchObject({ code: 'damaged' });
      await store.close();
    }));

  it('is not supposed where an earlier release has written, which had no checksums', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      await store.entities.insert(documentOf('a'));
      await store.records.put('kind', 'one', { text: 'as written' }, undefined);
      await store.close();
      hurt(
        path,
        `ALTER TABLE entities DROP COLUMN checksum; ALTER TABLE records DROP COLUMN checksum;
         UPDATE store_schema SET version = 1`,
      );
      const later = SqliteStore.open({ path });
      expect(await later.entities.get(urnOf('a'))).toEqual(documentOf('a'));
      expect(await later.records.get('kind', 'one')).toMatchObject({ body: { text: 'as written' } });
      const next = nextOf(documentOf('a'));
      expect(await later.entities.replace(next, documentOf('a'))).toBe(true);
      hurt(path, 'UPDATE entities SET checksum = checksum + 1');
      await expect(later.entities.get(urnOf('a'))).rejects.toMatchObject({ code: 'damaged' });
      await later.close();
    }));
});
