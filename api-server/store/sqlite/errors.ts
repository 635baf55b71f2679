import { dirname } from 'node:path';
import { types } from 'node:util';
import { StoreError } from '../errors.ts';

/** Primary result codes, the lowest byte of what SQLite says: https://www.sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
/** What could not be read, of all errors of the disk. */
const UNREADABLE: ReadonlySet<number> = new Set([266, 522, 8202, 8458]);

/** Whether another connection is writing; nothing was done. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** @returns a StoreError when SQLite cannot do now what it can do later; otherwise the same error. */
export function storeErrorOf(error: unknown, path: string): unknown {
  if (!types.isNativeError(error)) return error;
  const options = { cause: error };
  if (isDamage(error)) {
    const message = `${path} is damaged (${error.message}). \`proplane doctor\` says what is, and how to restore`;
    return new StoreError('damaged', message, options);
  }
  switch (codeOf(error)) {
    case BUSY:
    case LOCKED:
      return new StoreError('unavailable', `${path} is held by another writer`, options);
    case FULL:
      return new StoreError(
        'unwritable',
        `The disk of ${dirname(path)} is full: make room. Nothing is written until then; reads go on`,
        options,
      );
    case READONLY:
    case IO_ERROR:
    case CANNOT_OPEN:
      return new StoreError(
        'unwritable',
        `${path} cannot be written (${error.message}): look at the disk and its mode. Reads go on`,
        options,
      );
    default:
      return error;
  }
}

/** The primary result code; `undefined` for what SQLite has not thrown. */
function codeOf(error: unknown): number | undefined {
  return types.isNativeError(error) && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

/** Whether SQLite says that the file is not what it was. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode !== 'number') return false;
  return (errcode & 0xff) === CORRUPT || (errcode & 0xff) === NOT_A_DATABASE || UNREADABLE.has(errcode);
}
