import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compileGlobs } from '../../operator/source/directory/globs.ts';
import type { FileSet, FilesOptions } from './file-set.ts';
import { shownPath } from './shown-path.ts';
import { unmatchedGlobs } from './unmatched-globs.ts';

const GREATEST_OUTPUT = 2 ** 30;

/** A git revision cannot be read; the message says what to do. */
export class RevisionError extends Error {}

/**
 * The files as they were in a git revision, without touching the working tree or the index.
 * @throws RevisionError when this is no repository or the revision is not there.
 */
export function readRevisionFiles(revision: string, { globs, workingFolder }: FilesOptions): FileSet {
  const folder = realpathSync(workingFolder);
  const top = topOf(folder);
  const commit = commitOf(revision, folder);
  // Symbolic links and submodules are no blobs with content of their own: modes other than 100… are left out.
  const entries = git(folder, ['ls-tree', '-r', '-z', '--full-tree', commit])
    .split('\0')
    .map((entry) => /^100\d+ blob (\S+)\t(.+)$/su.exec(entry))
    .filter((match) => match !== null);
  // Paths as the globs see them: below the working folder as it was given, even if that is a link.
  const absolute = (name: string) => join(workingFolder, relative(folder, join(top, name)));
  const blobOf = new Map(entries.map(([, blob = '', name = '']) => [absolute(name), blob]));
  const { includes } = compileGlobs(globs, workingFolder);
  const paths = [...blobOf.keys()].filter(includes).sort();
  const read = (chosen: readonly string[]) =>
    blobs(
      folder,
      chosen.map((path) => blobOf.get(path) ?? ''),
    );
  const texts = read(paths);
  return {
    files: paths.map((path, index) => ({ path, shown: shownPath(path, workingFolder), text: texts[index] ?? '' })),
    unreadable: [],
    unmatched: unmatchedGlobs(globs, workingFolder, paths),
    place: { exists: (path) => blobOf.has(path), read: (path) => read([path])[0] ?? '' },
  };
}

function topOf(folder: string): string {
  try {
    return git(folder, ['rev-parse', '--show-toplevel']).trim();
  } catch (error) {
    if (isMissingProgram(error)) throw new RevisionError('--against-revision needs git, which is not installed');
    throw new RevisionError(`${folder} is in no git repository (${reasonIn(error)}); --against takes a folder instead`);
  }
}

function commitOf(revision: string, folder: string): string {
  try {
    return git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]).trim();
  } catch {
    const shallow = git(folder, ['rev-parse', '--is-shallow-repository']).trim() === 'true';
    const fetched = /^([^/]+)\/(.+)$/u.exec(revision);
    const fetch =
      fetched === null
        ? 'git fetch --unshallow'
        : `git fetch --depth=1 ${fetched[1]} ${fetched[2]}:refs/remotes/${revision}`;
    const help = shallow
      ? `this clone is shallow; fetch it first (${fetch}), or check out with the whole history (fetch-depth: 0)`
      : `see git branch --all, or fetch it first (${fetch})`;
    throw new RevisionError(`there is no git revision ${revision}: ${help}`);
  }
}

/** The contents of blobs, by one process. */
function blobs(folder: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const { status, stdout, stderr } = spawnSync('git', ['cat-file', '--batch'], {
    cwd: folder,
    input: names.map((name) => `${name}\n`).join(''),
    maxBuffer: GREATEST_OUTPUT,
  });
  if (status !== 0) throw new RevisionError(`git cat-file failed: ${String(stderr).trim()}`);
  const texts: string[] = [];
  let position = 0;
  for (const name of names) {
    const end = stdout.indexOf('\n', position);
    const size = / blob (\d+)$/u.exec(stdout.toString('utf8', position, end))?.[1];
    if (size === undefined) throw new RevisionError(`git cannot read ${name}`);
    texts.push(stdout.toString('utf8', end + 1, end + 1 + Number(size)));
    position = end + 1 + Number(size) + 1;
  }
  return texts;
}

function git(folder: string, options: readonly string[]): string {
  return execFileSync('git', options, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: GREATEST_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function isMissingProgram(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reasonIn(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return said.trim().split('\n')[0] ?? '';
}
