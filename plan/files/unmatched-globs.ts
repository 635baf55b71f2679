import { compileGlobs } from '../../operator/source/directory/globs.ts';

/** The globs that mean none of the files, excludes aside. */
export function unmatchedGlobs(globs: readonly string[], workingFolder: string, paths: readonly string[]): string[] {
  const excludes = globs.filter((glob) => glob.startsWith('!'));
  return globs
    .filter((glob) => !glob.startsWith('!'))
    .filter((glob) => {
      const compiled = compileGlobs([glob, ...excludes], workingFolder);
      return !paths.some((path) => compiled.includes(path));
    });
}
