import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { SqliteStore } from '../../../api-server/store/sqlite/store.ts';
import { documentOf, nextOf, urnOf } from '../../contract/store/fixture.ts';
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
