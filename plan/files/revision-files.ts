import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { shownPath } from '../../operator/source/directory/shown-path.ts';
import { compileGlobs } from '../../process/globs.ts';
import { type FileSet, type FilesOptions, isWithin } from './file-set.ts';
import { unmatchedGlobs } from './given-globs.ts';
import { RevisionTree, type TreeEntry } from './revision-tree.ts';

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
  const tree = treeOf(commit, folder);
  const compiled = compileGlobs(globs, workingFolder);
  const blobOf = new Map<string, string>();
  for (const root of compiled.roots) {
    const place = placeInTree(root, top);
    if (place === undefined) continue;
    for (const [path, blob] of tree.filesBelow(place.folder, place.shown, compiled)) blobOf.set(path, blob);
  }
  const paths = [...blobOf.keys()].sort();
  const texts = blobs(
    folder,
    paths.map((path) => blobOf.get(path) ?? ''),
  );
  const find = (path: string): string | undefined => {
    const place = placeInTree(path, top);
    return place && tree.blobOf(place.folder);
  };
  return {
    files: paths.map((path, index) => ({ path, shown: shownPath(path, workingFolder), text: texts[index] ?? '' })),
    unreadable: [],
    unmatched: unmatchedGlobs(globs, workingFolder, paths),
    place: {
      realPath(path) {
        const place = placeInTree(path, top);
        const real = place && tree.realPath(place.folder);
        return real === undefined ? undefined : join(top, real);
      },
      read(path) {
        const blob = find(path);
        if (blob === undefined) throw new RevisionError(`${path} is not in revision ${revision}`);
        return blobs(folder, [blob])[0] ?? '';
      },
    },
  };
}

/** The files and symbolic links of a commit; submodules have no content of their own. */
function treeOf(commit: string, folder: string): RevisionTree {
  const entries = git(folder, ['ls-tree', '-r', '-z', '--full-tree', commit])
    .split('\0')
    .map((entry) => /^(100|120)\d+ blob (\S+)\t(.+)$/su.exec(entry))
    .filter((match) => match !== null)
    .map(([, mode = '', blob = '', path = '']) => ({ isLink: mode === '120', blob, path }));
  const links = entries.filter(({ isLink }) => isLink);
  const targets = blobs(
    folder,
    links.map(({ blob }) => blob),
  );
  return new RevisionTree(
    new Map<string, TreeEntry>([
      ...entries.map(({ path, blob }) => [path, { blob }] as const),
      ...links.map(({ path }, index) => [path, { target: targets[index] ?? '' }] as const),
    ]),
  );
}

/**
 * Where an absolute path is below the top of a repository, though links outside of it may lead there. Links inside are
 * those of the revision, so they are left to the tree.
 * @returns `undefined` when it is elsewhere; for a folder above the top, the top and its path as seen from there.
 */
function placeInTree(path: string, top: string): { folder: string; shown: string } | undefined {
  const steps = path.split('/');
  let known = '/';
  for (let count = 1; count <= steps.length; count += 1) {
    const above = steps.slice(0, count).join('/') || '/';
    try {
      known = realpathSync(above);
    } catch {
      return undefined;
    }
    if (isWithin(known, top)) return { folder: join(relative(top, known), ...steps.slice(count)), shown: path };
  }
  return isWithin(top, known) ? { folder: '.', shown: join(path, relative(known, top)) } : undefined;
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
