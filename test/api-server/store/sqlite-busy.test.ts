import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { storeErrorOf } from '../../../api-server/store/sqlite/errors.ts';
import { GroupCommit } from '../../../api-server/store/sqlite/group-commit.ts';
import { SqliteStore } from '../../../api-server/store/sqlite/store.ts';
import { documentOf } from '../../contract/store/fixture.ts';
import { withTemporaryFile } from '../../harness/temporary-folder.ts';

const withFile = (test: (path: string) => Promise<void>) => withTemporaryFile('shared.db', test);

describe('while another connection writes', () => {
  it('a write waits, and everything else goes on', () =>
    withFile(async (path) => {
      const store = SqliteStore.open({ path });
      const other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE');
      let isStored = false;
      const stored = Promise.all([store.entities.insert(documentOf('a')), store.entities.insert(documentOf('b'))]).then(
        (outcome) => {
          isStored = true;
          return outcome;
        },
      );
      // timers run, reads are answered, another write joins those that wait
      for (let turn = 0; turn < 5; turn++) await sleep(10);
      expect(await store.entities.get(documentOf('a').urn)).toBeUndefined();
      const later = store.entities.insert(documentOf('c'));
      expect(isStored).toBe(false);
      other.exec('COMMIT');
      expect([...(await stored), await later]).toEqual([true, true, true]);
      expect(await store.entities.countDirty()).toBe(3);
      other.close();
      await store.close();
    }));

  it('a write that has waited too long is refused as one that can be repeated, and nothing is written', () =>
    withFile(async (path) => {
      const database = new DatabaseSync(path, { timeout: 5 });
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (name TEXT)');
      const other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE');
      const commits = new GroupCommit(database, 50);
      const write = () => database.exec("INSERT INTO things VALUES ('x')");
      const error: unknown = await commits.run(write).catch((thrown: unknown) => thrown);
      expect(storeErrorOf(error, path)).toMatchObject({ name: 'StoreError', code: 'unavailable' });
      other.exec('ROLLBACK');
      await commits.run(write);
      expect(database.prepare('SELECT count(*) AS n FROM things').get()?.n).toBe(1);
      other.close();
      database.close();
    }));
});
