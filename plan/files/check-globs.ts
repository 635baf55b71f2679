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
