import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { mapConcurrently } from '../../operator/runtime/map-concurrently.ts';
import { shownPath } from '../../operator/source/directory/shown-path.ts';
import { reasonOf, walk } from '../../operator/source/directory/walk.ts';
import { compileGlobs } from '../../process/globs.ts';
import type { FilePlace, FileSet, FilesOptions, PlanFile } from './file-set.ts';
import { unmatchedGlobs } from './given-globs.ts';

const AT_ONCE = 16;

export const DISK: FilePlace = {
  realPath: (path) => (existsSync(path) ? realpathSync(path) : undefined),
  read: (path) => readFileSync(path, 'utf8'),
};

/** The files as they are on disk. */
export async function readFolderFiles({ globs, workingFolder }: FilesOptions): Promise<FileSet> {
  const found = await walk(compileGlobs(globs, workingFolder));
  const unreadable = [...found.unreadable].map(([path, message]) => ({ path, message }));
  const read = await mapConcurrently([...found.files.keys()].sort(), AT_ONCE, async (path): Promise<PlanFile[]> => {
    try {
      return [{ path, shown: shownPath(path, workingFolder), text: await readFile(path, 'utf8') }];
    } catch (error) {
      unreadable.push({ path, message: reasonOf(error) });
      return [];
    }
  });
  return {
    files: read.flat(),
    unreadable: unreadable.map(({ path, message }) => {
      return { location: shownPath(path, workingFolder), message, missing: !existsSync(path) };
    }),
    unmatched: unmatchedGlobs(globs, workingFolder, [...found.files.keys()]),
    place: DISK,
  };
}
