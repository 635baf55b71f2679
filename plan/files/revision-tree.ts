import { posix } from 'node:path';
import type { Globs } from '../../process/globs.ts';

/** An entry of a git tree; folders are those that the paths have. */
export type TreeEntry = { readonly blob: string } | { readonly target: string };

/** More links than this on one path lead nowhere. */
const MOST_LINKS = 40;
const TOP = '.';

/** The files of a git revision, by paths below its top; symbolic links are followed as long as they stay in it. */
export class RevisionTree {
  readonly #entries: ReadonlyMap<string, TreeEntry>;
  /** Names in each folder. */
  readonly #folders = new Map<string, Set<string>>([[TOP, new Set()]]);

  constructor(entries: ReadonlyMap<string, TreeEntry>) {
    this.#entries = entries;
    for (const path of entries.keys()) this.#addToFolder(path);
  }

  /** The blob of a file. @returns `undefined` when there is none, or a link leads out of the tree. */
  blobOf(path: string): string | undefined {
    const real = this.realPath(path);
    const entry = real === undefined ? undefined : this.#entries.get(real);
    return entry !== undefined && 'blob' in entry ? entry.blob : undefined;
  }

  /**
   * The files below a folder that globs mean, found as the operator walks a folder.
   * @param shown the path of the folder as the globs see it.
   * @returns blobs by path as the globs see it.
   */
  filesBelow(folder: string, shown: string, globs: Pick<Globs, 'includes' | 'prunes'>): Map<string, string> {
    const found = new Map<string, string>();
    const enter = (real: string, path: string, ancestors: readonly string[]): void => {
      if (ancestors.includes(real)) return;
      for (const name of this.#folders.get(real) ?? [])
        visit(posix.join(real, name), posix.join(path, name), real, ancestors);
    };
    const visit = (child: string, path: string, parent: string, ancestors: readonly string[]): void => {
      const real = this.realPath(child);
      if (real === undefined) return;
      const entry = this.#entries.get(real);
      if (entry === undefined) {
        if (!globs.prunes(path)) enter(real, path, [...ancestors, parent]);
      } else if ('blob' in entry && globs.includes(path)) found.set(path, entry.blob);
    };
    const start = this.realPath(folder);
    if (start !== undefined) enter(start, shown, []);
    return found;
  }

  /** The path without links on it. @returns `undefined` when nothing is there or it is outside of the tree. */
  realPath(path: string): string | undefined {
    let rest = steps(path);
    let real = TOP;
    for (let links = 0; rest.length > 0; ) {
      const [step = '', ...others] = rest;
      const next = posix.join(real, step);
      const entry = this.#entries.get(next);
      rest = others;
      if (entry !== undefined && 'target' in entry) {
        links += 1;
        if (links > MOST_LINKS || posix.isAbsolute(entry.target)) return undefined;
        rest = [...steps(entry.target), ...others];
      } else if (next === '..' || (entry === undefined && !this.#folders.has(next))) {
        return undefined;
      } else {
        real = next;
      }
    }
    return real;
  }

  #addToFolder(path: string): void {
    const folder = posix.dirname(path);
    const names = this.#folders.get(folder);
    if (names !== undefined) {
      names.add(posix.basename(path));
      return;
    }
    this.#folders.set(folder, new Set([posix.basename(path)]));
    this.#addToFolder(folder);
  }
}

function steps(path: string): string[] {
  return path.split('/').filter((step) => step !== '' && step !== '.');
}
