import { matchesGlob, posix } from 'node:path';
import toAbsoluteGlob from '@dsherret/to-absolute-glob';

/** Globs that were made absolute, ready to be walked. */
export interface Globs {
  /** Folders from which the walks start: the part of each pattern before its first wildcard. */
  readonly roots: readonly string[];
  /** Whether a file is meant: some pattern matches it, and none that excludes. */
  includes(path: string): boolean;
  /** Whether nothing below a folder can be meant, so that it need not be entered. */
  prunes(folder: string): boolean;
}

const WILDCARD = /[*?[{(]/u;
const MANIFEST_FILE = /\.(ya?ml|json)$/u;

/** Splits a comma-separated list of globs; commas inside braces belong to their glob. */
export function splitGlobs(list: string): string[] {
  const globs: string[] = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '{') depth += 1;
    if (character === '}') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) globs.push('');
    else globs[globs.length - 1] += character;
  }
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== '');
}

/** Globs that mean the same from everywhere; a leading `!` stays in front. */
export function absoluteGlobs(globs: readonly string[], cwd: string): string[] {
  return globs.map((glob) => toAbsoluteGlob(glob, { cwd }));
}

/** Understands a list of globs relative to the working folder. A plain folder means every manifest below it. */
export function compileGlobs(globs: readonly string[], cwd: string): Globs {
  const absolute = absoluteGlobs(globs, cwd);
  const excludes = absolute.filter((glob) => glob.startsWith('!')).map((glob) => posix.normalize(glob.slice(1)));
  const patterns = absolute.filter((glob) => !glob.startsWith('!')).map((glob) => wholeFolder(posix.normalize(glob)));
  const roots = [...new Set(patterns.map(rootOf))];
  // A leading dot is hidden from wildcards, also from `**`; only a pattern that names such a folder looks into it.
  const namesHidden = patterns.some((pattern) => pattern.slice(rootOf(pattern).length).includes('/.'));
  const verdicts = new Map<string, boolean>();

  function includes(path: string): boolean {
    let verdict = verdicts.get(path);
    if (verdict === undefined) {
      const matches = (pattern: string): boolean => matchesGlob(path, pattern);
      verdict = patterns.some(matches) && !excludes.some(matches);
      verdicts.set(path, verdict);
    }
    return verdict;
  }

  function prunes(folder: string): boolean {
    if (posix.basename(folder).startsWith('.') && !namesHidden) return true;
    return excludes.some((exclude) => exclude.endsWith('/**') && matchesGlob(folder, exclude.slice(0, -3)));
  }

  return { roots, includes, prunes };
}

function wholeFolder(glob: string): string {
  if (WILDCARD.test(glob) || MANIFEST_FILE.test(glob)) return glob;
  return `${glob.replace(/\/+$/u, '')}/**/*.{yaml,yml,json}`;
}

/** The folder before the first wildcard; of a plain file, the folder that it is in. */
function rootOf(pattern: string): string {
  const steps = pattern.split('/');
  const wild = steps.findIndex((step) => WILDCARD.test(step));
  const end = wild < 0 ? steps.length - 1 : wild;
  return steps.slice(0, end).join('/') || '/';
}
