import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockDataFolder } from '../../../../api-server/store/sqlite/data-lock.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'proplane.lock');
});
afterEach(() => folder.remove());

describe('the lock of a data folder', () => {
  it('is held by one, and free again when it is given back', () => {
    const unlock = lockDataFolder(folder.path);
    expect(() => lockDataFolder(folder.path)).toThrow('is in use by another Proplane');
    unlock();
    lockDataFolder(folder.path)();
  });

  it.each([
    ['text', () => writeFileSync(file, 'pid 1234\n')],
    ['zeros', () => writeFileSync(file, Buffer.alloc(8192))],
    ['a part of a database', () => cutDatabase()],
    ['a folder', () => mkdirSync(file)],
  ])('is told apart from %s in its place, with what to do', (_what, make) => {
    make();
    const message = messageOf(() => lockDataFolder(folder.path));
    expect(message).toContain(file);
    expect(message).toMatch(/remove/iu);
    expect(message).not.toContain('in use');
  });
});

function cutDatabase(): void {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE a (x); INSERT INTO a VALUES (zeroblob(100000))');
  database.close();
  truncateSync(file, 5000);
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String((error as Error).message);
  }
  return 'nothing was thrown';
}
