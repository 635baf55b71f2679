import { readFileSync, statSync } from 'node:fs';
import type { Clock } from './clock.ts';

/** A file that was replaced is noticed after so long, in ms. Whoever renews a token does it long before the old one ends. */
const READ_AGAIN_MS = 10_000;

/**
 * A token that somebody else keeps in a file and renews there, such as the token of a ServiceAccount in a pod.
 * @param known what it was found to be just now.
 * @returns what gives the token as it is now. It throws Error, naming the file, when there is none.
 */
export function tokenFile(path: string, clock: Clock, known?: string): () => string {
  let read = known === undefined ? undefined : { token: known, at: clock.monotonic() };
  return () => {
    if (read === undefined || (clock.monotonic() - read.at >= READ_AGAIN_MS && !isPipe(path))) {
      read = undefined;
      read = { token: readToken(path), at: clock.monotonic() };
    }
    return read.token;
  };
}

/** What is read from it is gone: the token was told once. */
function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** @throws Error naming the file, when there is no token in it. */
export function readToken(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`the token in ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
  if (text.trim() === '') throw new Error(`there is no token in ${path}`);
  return text.trim();
}
