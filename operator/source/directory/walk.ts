import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Globs } from './globs.ts';

export interface Walk {
  /** Files that are meant, by absolute path. */
  readonly files: ReadonlyMap<string, Stats>;
  /** Roots that do not exist, folders and files that cannot be looked at, each with the reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Finds the files that globs mean, following symbolic links (a mounted ConfigMap is made of them). */
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
      await Promise.all(entries.map((entry) => visit(entry, folder, [...ancestors, identity])));
    } catch (error) {
      // A folder that vanishes during the walk is gone; a root that is not there is a reason to be careful.
      if (isRoot || !isGone(error)) unreadable.set(folder, reasonOf(error));
    }
  }

  async function visit(entry: Dirent, folder: string, ancestors: readonly string[]): Promise<void> {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory() || (entry.isSymbolicLink() && !globs.includes(path))) {
      if (!globs.prunes(path)) await enterIfFolder(path, entry.isDirectory(), ancestors);
    } else if (globs.includes(path)) {
      await look(path, ancestors);
    }
  }

  async function enterIfFolder(path: string, known: boolean, ancestors: readonly string[]): Promise<void> {
    if (known || (await statIfPossible(path))?.isDirectory()) await enter(path, false, ancestors);
  }

  async function look(path: string, ancestors: readonly string[]): Promise<void> {
    const found = await statIfPossible(path);
    if (found?.isFile()) files.set(path, found);
    else if (found?.isDirectory() && !globs.prunes(path)) await enter(path, false, ancestors);
  }

  async function statIfPossible(path: string): Promise<Stats | undefined> {
    try {
      return await stat(path);
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
