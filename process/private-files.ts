import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

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

/** The text of a private file; when it is not there, it is made, whole and on disk, and holds what `make` says. */
export function keptText(path: string, make: () => string): string {
  try {
    const text = readFileSync(path, 'utf8');
    makePrivate(path);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = make();
  keepText(path, text);
  return text;
}

/** Makes a private file, or replaces one: it holds the one text or the other, whatever happens. */
export function keepText(path: string, text: string): void {
  const unfinished = `${path}.new`;
  makePrivate(unfinished);
  const file = openSync(unfinished, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}
