import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { GroupCommit } from '../../../../api-server/store/sqlite/group-commit.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

async function withDatabase(test: (database: DatabaseSync, commits: GroupCommit) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  const database = new DatabaseSync(join(folder.path, 'x.db'), { timeout: 0 });
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER UNIQUE)');
  try {
    await test(database, new GroupCommit(database));
  } finally {
    if (database.isOpen) database.close();
    await folder.remove();
  }
}

const numbers = (database: DatabaseSync) =>
  database
    .prepare('SELECT n FROM t ORDER BY n')
    .all()
    .map(({ n }) => n);

describe('a group commit', () => {
  it('undoes only the write that throws, all of it', () =>
    withDatabase(async (database, commits) => {
      const add = database.prepare('INSERT INTO t VALUES (?)');
      const outcomes = await Promise.allSettled([
        commits.run(() => add.run(1).changes),
        commits.run(() => {
          add.run(2);
          add.run(3);
          throw new Error('out of luck');
        }),
        commits.run(() => {
          add.run(4);
          add.run(1);
        }),
        commits.run(() => add.run(5).changes),
      ]);
      expect(outcomes).toMatchObject([
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: { message: 'out of luck' } },
        { status: 'rejected', reason: { message: expect.stringContaining('UNIQUE') } },
        { status: 'fulfilled', value: 1 },
      ]);
      expect(numbers(database)).toEqual([1, 5]);
    }));

  it('takes writes of one turn together and in their order', () =>
    withDatabase(async (database, commits) => {
      const add = database.prepare('INSERT INTO t VALUES (?)');
      const seen = await Promise.all(
        [1, 2, 3].map((n) =>
          commits.run(() => {
            add.run(n);
            return numbers(database);
          }),
        ),
      );
      expect(seen).toEqual([[1], [1, 2], [1, 2, 3]]);
    }));

  it('rejects all writes of a transaction that cannot be committed, and takes the next', () =>
    withDatabase(async (database, commits) => {
      const add = database.prepare('INSERT INTO t VALUES (?)');
      const path = database.location();
      const other = new DatabaseSync(path ?? '');
      other.exec('BEGIN IMMEDIATE');
      const locked = await Promise.allSettled([commits.run(() => add.run(1)), commits.run(() => add.run(2))]);
      expect(locked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      other.exec('COMMIT');
      other.close();
      await commits.run(() => add.run(3));
      expect(numbers(database)).toEqual([3]);
    }));

  it('commits a write that is asked for while others are answered', () =>
    withDatabase(async (database, commits) => {
      const add = database.prepare('INSERT INTO t VALUES (?)');
      const chained = commits.run(() => add.run(1)).then(() => commits.run(() => add.run(2)));
      await Promise.all([chained, commits.run(() => commits.run(() => add.run(3)))]);
      commits.flush();
      expect(numbers(database)).toEqual([1, 2, 3]);
    }));

  it('commits at once when it is told to', () =>
    withDatabase(async (database, commits) => {
      const written = commits.run(() => database.exec('INSERT INTO t VALUES (1)'));
      commits.flush();
      expect(numbers(database)).toEqual([1]);
      await written;
    }));
});
