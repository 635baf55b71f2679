import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate, makePrivateFolder } from '../../../process/private-files.ts';

/**
 * Keeps a data folder for one process: the embedded store has one owner, which may take for gone whatever ran before it.
 * The lock is the operating system's, held through an SQLite transaction, so a process that is killed leaves none behind.
 * @returns how to give it back.
 * @throws Error when another process has it.
 */
export function lockDataFolder(folder: string): () => void {
  makePrivateFolder(folder);
  const path = join(folder, 'proplane.lock');
  makePrivate(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new Error(`${folder} is in use by another Proplane: stop it, or set DATA_DIR to another folder`, {
      cause: error,
    });
  }
  return () => lock.close();
}
