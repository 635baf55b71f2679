import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';

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
