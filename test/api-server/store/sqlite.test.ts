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
      database.exec('UPDATE store_schema SET version = 1');
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
