import { isAbsolute, relative } from 'node:path';

/** Relative to the working folder when it is below it. */
export function shownPath(path: string, workingFolder: string): string {
  const short = relative(workingFolder, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
