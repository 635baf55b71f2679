import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate, makePrivateFolder } from '../../../process/private-files.ts';

/** What SQLite says (https://sqlite.org/rescode.html) of a file that somebody has locked. */
const SQLITE_BUSY = 5;
/** Of what is no database, or only a part of one. */
const NO_DATABASE = [11, 26];
const CANNOT_OPEN = 14;
const NOT_TO_BE_OPENED = ['EISDIR', 'EACCES', 'EPERM', 'EROFS'];

/**
 * Keeps a data folder for one process: the embedded store has one owner, which may take for gone whatever ran before it.
 * The lock is the operating system's, held through an SQLite transaction, so a process that is killed leaves none behind.
 * @returns how to give it back.
 * @throws Error when another process has it, or when something else stands in the place of the lock file.
 */
export function lockDataFolder(folder: string): () => void {
  makePrivateFolder(folder);
  const file = join(folder, 'proplane.lock');
  let lock: DatabaseSync | undefined;
  try {
    makePrivate(file);
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    throw new Error(problemOf(error, folder, file), { cause: error });
  }
  return () => lock.close();
}

function problemOf(error: unknown, folder: string, file: string): string {
  const { errcode, code = '', message } = error as { errcode?: number; code?: string; message: string };
  if (errcode === SQLITE_BUSY)
    return `${folder} is in use by another Proplane: stop it, or set DATA_DIR to another folder`;
  if (errcode !== undefined && NO_DATABASE.includes(errcode))
    return `${file} is not the lock file of a Proplane, or is damaged (${message}). Nothing is kept in it: make sure that no Proplane runs on ${folder}, remove the file, and start again`;
  if (errcode === CANNOT_OPEN || NOT_TO_BE_OPENED.includes(code))
    return `${file} cannot be opened as the lock file: it is a folder, or may not be written. Remove it when no Proplane runs on ${folder}, or set DATA_DIR to a folder that may be written`;
  return `${file}: ${message}`;
}
