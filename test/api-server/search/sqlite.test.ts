import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { SearchError } from '../../../api-server/search/errors.ts';
import { SqliteSearchIndex } from '../../../api-server/search/sqlite/sqlite-search-index.ts';
import { equal, everything, find, put, urnOf } from '../../contract/search/fixture.ts';
import { searchIndexContract } from '../../contract/search-index.ts';
import { temporaryFolder, withTemporaryFile } from '../../harness/temporary-folder.ts';

searchIndexContract('SQLite', async () => {
  const folder = await temporaryFolder();
  const index = await SqliteSearchIndex.open({ path: join(folder.path, 'index.db') });
  return {
    index,
    close: async () => {
      await index.close();
      await folder.remove();
    },
  };
});

const values = (value: string) => [{ field: 'p:string', type: 'string' as const, values: [value] }];

/** A connection that waits for the index's writer, as the store's does. */
const connectTo = (path: string) => new DatabaseSync(path, { timeout: 10_000 });

const withFile = (test: (path: string) => Promise<void>) => withTemporaryFile('shared.db', test);

describe('the file of the SQLite index', () => {
  it('holds what was applied when it is opened again', () =>
    withFile(async (path) => {
      const first = await SqliteSearchIndex.open({ path });
      await first.apply([put('x', values('a\0b'))]);
      await first.close();
      const second = await SqliteSearchIndex.open({ path });
      expect(await find(second, equal('p:string', 'a\0b'))).toEqual(['x']);
      await second.close();
    }));

  it('is shared with other connections and their tables', () =>
    withFile(async (path) => {
      const store = connectTo(path);
      store.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 7; CREATE TABLE entities (urn TEXT)');
      const index = await SqliteSearchIndex.open({ path });
      const add = store.prepare('INSERT INTO entities VALUES (?)');
      for (let at = 0; at < 50; at++) {
        const applied = index.apply([put(`x${at}`, values('v'))]);
        add.run(`x${at}`);
        await applied;
      }
      expect((await index.search({ ...everything, limit: 1 })).total).toBe(50);
      expect(store.prepare('SELECT count(*) AS n FROM entities').get()?.n).toBe(50);
      expect(store.prepare('PRAGMA user_version').get()?.user_version).toBe(7);
      await index.close();
      store.close();
    }));

  it('waits for another writer', () =>
    withFile(async (path) => {
      const index = await SqliteSearchIndex.open({ path });
      const store = connectTo(path);
      store.exec('BEGIN IMMEDIATE');
      const applied = index.apply([put('x', values('v'))]);
      store.exec('CREATE TABLE entities (urn TEXT); COMMIT');
      await applied;
      expect(await find(index, { kind: 'all' })).toEqual(['x']);
      await index.close();
      store.close();
    }));

  it('is opened once a writer has finished who made the file and has not set its journal mode', () =>
    withFile(async (path) => {
      const store = connectTo(path);
      store.exec('CREATE TABLE entities (urn TEXT); BEGIN IMMEDIATE');
      const opening = SqliteSearchIndex.open({ path });
      // long enough for the worker to have met the lock
      await Promise.race([opening, setTimeout(500)]);
      store.exec('COMMIT');
      const index = await opening;
      await index.ping();
      await index.close();
      store.close();
    }));

  it('can be opened many times at once when it is new', () =>
    withFile(async (path) => {
      const indexes = await Promise.all(Array.from({ length: 6 }, () => SqliteSearchIndex.open({ path })));
      await Promise.all(indexes.map((index, at) => index.apply([put(`x${at}`, values('v'))])));
      for (const index of indexes) expect((await index.search(everything)).total).toBe(6);
      await Promise.all(indexes.map((index) => index.close()));
    }));

  it('shows what one index applied to another one on it', () =>
    withFile(async (path) => {
      const [one, other] = await Promise.all([SqliteSearchIndex.open({ path }), SqliteSearchIndex.open({ path })]);
      await one.apply([put('x', values('v'))]);
      expect(await find(other, equal('p:string', 'v'))).toEqual(['x']);
      await other.apply([put('y', values('v'))]);
      expect(await find(one, equal('p:string', 'v'))).toEqual(['x', 'y']);
      await Promise.all([one.close(), other.close()]);
    }));

  it('is emptied when its tables are of another version', () =>
    withFile(async (path) => {
      const first = await SqliteSearchIndex.open({ path });
      await first.apply([put('x', values('v'))]);
      await first.close();
      const database = connectTo(path);
      database.exec('UPDATE search_schema SET version = 0; ALTER TABLE search_values_1 RENAME COLUMN number TO other');
      database.close();
      const second = await SqliteSearchIndex.open({ path });
      expect(await second.scan(undefined, 10)).toEqual([]);
      await second.apply([put('x', [{ field: 'p:number', type: 'number', values: [1] }])]);
      expect(await find(second, equal('p:number', 1))).toEqual(['x']);
      await second.close();
    }));
});

describe('the SQLite index', () => {
  it('answers searches while it waits to write', () =>
    withFile(async (path) => {
      const index = await SqliteSearchIndex.open({ path });
      await index.apply([put('x', values('v'))]);
      const store = connectTo(path);
      store.exec('BEGIN IMMEDIATE');
      let isApplied = false;
      const applied = index.apply([put('y', values('v'))]).then(() => {
        isApplied = true;
      });
      expect(await find(index, equal('p:string', 'v'))).toEqual(['x']);
      expect(isApplied).toBe(false);
      store.exec('ROLLBACK');
      await applied;
      expect(await find(index, equal('p:string', 'v'))).toEqual(['x', 'y']);
      store.close();
      await index.close();
    }));

  it('lets others write between the slices of what it applies', () =>
    withFile(async (path) => {
      const index = await SqliteSearchIndex.open({ path });
      const store = connectTo(path);
      store.exec('CREATE TABLE entities (urn TEXT)');
      const many = Array.from({ length: 2_000 }, (_, at) => `w${at}`);
      const wide = Array.from({ length: 20 }, (_, at) =>
        put(`x${at}`, [{ field: 'p:string', type: 'string' as const, values: many }]),
      );
      // a thread for searches is there
      expect(await find(index, { kind: 'all' })).toEqual([]);
      let isApplied = false;
      const applied = index.apply(wide).then(() => {
        isApplied = true;
      });
      const seen = new Set<number>();
      while (!isApplied) {
        store.exec("INSERT INTO entities VALUES ('x')");
        seen.add((await index.search(everything)).total);
      }
      await applied;
      // neither none nor all: each entry is there as soon as its slice is written
      expect([...seen].some((total) => total > 0 && total < wide.length)).toBe(true);
      expect((await index.search(everything)).total).toBe(wide.length);
      store.close();
      await index.close();
    }));

  it('applies all changes of a slice or none', () =>
    withFile(async (path) => {
      const index = await SqliteSearchIndex.open({ path });
      await index.apply([put('x', values('old'))]);
      const broken = put('y', values('new'), { incarnation: null as unknown as string });
      await expect(index.apply([put('x', values('new'), { revision: 2 }), broken])).rejects.toThrow('NOT NULL');
      expect(await find(index, equal('p:string', 'old'))).toEqual(['x']);
      await index.apply([put('x', values('new'), { revision: 2 })]);
      expect(await find(index, equal('p:string', 'new'))).toEqual(['x']);
      await index.close();
    }));

  it('tells why a file cannot be opened', async () => {
    const opening = SqliteSearchIndex.open({ path: '/nowhere/at/all.db' });
    await expect(opening).rejects.toThrow('The search index did not answer: unable to open database file');
    await expect(opening).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('tells why a request failed, and answers the next one', () =>
    withFile(async (path) => {
      const index = await SqliteSearchIndex.open({ path });
      const store = connectTo(path);
      store.exec('ALTER TABLE search_values_1 RENAME TO hidden');
      await expect(index.search({ ...everything, condition: equal('p:string', 'v') })).rejects.toThrow(
        'search_values_1',
      );
      store.exec('ALTER TABLE hidden RENAME TO search_values_1');
      expect(await find(index, equal('p:string', 'v'))).toEqual([]);
      store.close();
      await index.close();
    }));

  it('answers what was asked before it is closed, and refuses what comes after', () =>
    withFile(async (path) => {
      const index = await SqliteSearchIndex.open({ path });
      const applied = index.apply([put('x', values('v'))]);
      const found = index.versions([urnOf('x')]);
      const closed = index.close();
      await applied;
      expect(await found).toHaveLength(1);
      await closed;
      await expect(index.close()).resolves.toBeUndefined();
      await expect(index.ping()).rejects.toThrow(new SearchError('unavailable', 'The search index is closed'));
    }));
});
