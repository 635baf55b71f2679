import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** What Proplane keeps is its owner's alone: a catalogue may name what not everybody on a machine may know. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes a folder that only its owner can look into; one that is there keeps its mode. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Makes a file, or takes one that is there, and lets only its owner read and write it. */
export function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // Another user's, or on a file system that knows no modes: it can still be used.
  }
}

/**
 * The text of a private file. When it is not there it is made, whole and on disk, and holds what `make` says; of two
 * processes that make it at one time both get the text of the one that was first.
 */
export function keptText(path: string, make: () => string): string {
  const standing = textOf(path);
  if (standing !== undefined) return standing;
  makePrivateFolder(dirname(path));
  const unfinished = `${path}.${process.pid}`;
  try {
    makePrivate(unfinished);
    write(unfinished, make());
    linkSync(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function textOf(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    makePrivate(path);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function write(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
