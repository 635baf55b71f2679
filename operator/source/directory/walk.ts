import { type Dirent, type Stats, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Globs } from '../../../process/globs.ts';

export interface Walk {
  /** Files that are meant, by absolute path. */
  readonly files: ReadonlyMap<string, Stats>;
  /** Roots that do not exist, folders and files that cannot be looked at, each with the reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Files that are looked at in one turn of the event loop. */
const AT_ONCE = 100;

/**
 * Finds the files that globs mean, following symbolic links (a mounted ConfigMap is made of them). Files are looked at
 * synchronously, a few at a time: asking for each on its own costs four times the processor. Their folder has answered
 * just before, so that a dead mount does not hold up the process here.
 */
export async function walk(globs: Globs): Promise<Walk> {
  const files = new Map<string, Stats>();
  const unreadable = new Map<string, string>();

  /** `ancestors`: device and inode of the folders above, so that a link to one of them is not followed for ever. */
  async function enter(folder: string, isRoot: boolean, ancestors: readonly string[]): Promise<void> {
    try {
      const own = await stat(folder);
      const identity = `${own.dev}:${own.ino}`;
      if (ancestors.includes(identity)) return;
      const entries = await readdir(folder, { withFileTypes: true });
      const below: string[] = [];
      for (const [index, entry] of entries.entries()) {
        if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
        const path = posix.join(folder, entry.name);
        if (isFolderToEnter(entry, path)) below.push(path);
      }
      await Promise.all(below.map((path) => enter(path, false, [...ancestors, identity])));
    } catch (error) {
      // A folder that vanishes during the walk is gone; a root that is not there is a reason to be careful.
      if (isRoot || !isGone(error)) unreadable.set(folder, reasonOf(error));
    }
  }

  /** Takes note of a file that is meant. */
  function isFolderToEnter(entry: Dirent, path: string): boolean {
    if (entry.isDirectory()) return !globs.prunes(path);
    const isMeant = globs.includes(path);
    if (!isMeant && !(entry.isSymbolicLink() && !globs.prunes(path))) return false;
    const found = statIfPossible(path);
    if (found?.isFile() && isMeant) files.set(path, found);
    return found?.isDirectory() === true && !globs.prunes(path);
  }

  function statIfPossible(path: string): Stats | undefined {
    try {
      return statSync(path, { throwIfNoEntry: false });
    } catch (error) {
      if (!isGone(error)) unreadable.set(path, reasonOf(error));
      return undefined;
    }
  }

  for (const root of globs.roots) await enter(root, true, []);
  return { files, unreadable };
}

export function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function reasonOf(error: unknown): string {
  return isGone(error) ? 'does not exist' : `cannot be read (${codeOf(error) ?? String(error)})`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
