import { isAbsolute, relative, resolve } from 'node:path';

/** Relative to the working folder when it is below it. */
export function shownPath(path: string, workingFolder: string): string {
  const short = relative(workingFolder, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** The path of the file that a location, `file:line`, shows. */
export function pathOfLocation(location: string, workingFolder: string): string {
  return resolve(workingFolder, location.replace(/:\d+$/u, ''));
}
