import { compileGlobs } from '../../process/globs.ts';

/** Globs that cannot be meant; the message says what to do. */
export class GlobError extends Error {}

/**
 * An empty glob would mean the whole working folder, and excludes alone mean nothing at all.
 * @throws GlobError
 */
export function checkGlobs(globs: readonly string[]): void {
  if (globs.some((glob) => /^!?\s*$/u.test(glob))) {
    throw new GlobError('a glob is empty; give . for the whole working folder');
  }
  if (globs.every((glob) => glob.startsWith('!'))) {
    throw new GlobError(`${globs.join(' ')} only excludes; say before it what is meant, such as 'resources/**/*.yaml'`);
  }
}

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
