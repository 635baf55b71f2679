import type { ResourceKey } from '../../../model/resource/identity.ts';

/** How long what takes something away has to stay as it is before it counts, in milliseconds. */
export interface Patience {
  /** A manifest that is not found. Longer than it takes to remove a file and to copy it again. */
  readonly goneMs: number;
  /** A file whose new content lacks what was in it. Longer than an editor, or a script, pauses while it writes. */
  readonly stillMs: number;
}

export const PATIENCE: Patience = { goneMs: 3000, stillMs: 5000 };
/** More missing resources than this, and more than half of all, wait for somebody to confirm. */
export const GREATEST_UNCONFIRMED = 20;

/** A resource whose manifest is not found. */
export interface Missing {
  readonly key: ResourceKey;
  /** Files that held it in this life of the process; none: it is known from before. */
  readonly paths: ReadonlySet<string>;
  /** The file that it was in last, maybe before this life; absent: nobody knows. */
  readonly path?: string | undefined;
  /** The last scan that found it; 0: none in this life. */
  readonly lastSeen: number;
  /** When it was first not found, in milliseconds. */
  readonly since: number;
}

/** A file that is there. */
export interface FileEvidence {
  /** When it was last seen to be another than before, in milliseconds. */
  readonly changed: number;
  /** There is nothing in it but blanks and comments. */
  readonly empty: boolean;
}

export interface Evidence {
  /** Milliseconds. */
  readonly now: number;
  readonly patience: Patience;
  readonly missing: readonly Missing[];
  /** How many others are not found, whose deletion has begun. */
  readonly deleting: number;
  /** How many are found. */
  readonly present: number;
  /** Roots that do not exist, folders and files that cannot be looked at. */
  readonly unreadable: readonly string[];
  /** Files in which any resource might be, with the scan that first saw their present content. */
  readonly broken: readonly { readonly path: string; readonly since: number }[];
  /** The file of that path, if it is there. */
  readonly file: (path: string) => FileEvidence | undefined;
  /** Resources whose deletion is held back already: whatever comes back meanwhile, each is held until it is confirmed. */
  readonly held: ReadonlySet<ResourceKey>;
  /** Resources whose deletion somebody has confirmed. */
  readonly confirmed: ReadonlySet<ResourceKey>;
}

export interface Judgement {
  /** Deleted, as far as can be known. */
  readonly deleted: ResourceKey[];
  /** Somebody has to confirm: so many are missing together, or were when it was first held. */
  readonly held: ResourceKey[];
  /** Not deleted because of a folder or file, named here, about which too little is known. */
  readonly doubtful: ReadonlyMap<string, ResourceKey[]>;
  /** Not deleted because their file, named here, is empty: whoever writes it may not have finished. */
  readonly emptied: ReadonlyMap<string, ResourceKey[]>;
  /** When, in milliseconds, the next missing one will have been missing long enough. */
  readonly nextDue: number | undefined;
}

/**
 * Tells which missing manifests count as deleted, so that no accident of a disk, a mount or an editor empties a
 * catalogue. A broken file holds back every resource that it ever held and every one that was not found since the file
 * got its present content, because that one may have been moved into it; after a start that is every missing one.
 */
export function judgeMissing(evidence: Evidence): Judgement {
  const { now, missing, deleting, present, confirmed, file } = evidence;
  const absent = missing.length + deleting;
  const crowd = absent > GREATEST_UNCONFIRMED && absent > (absent + present) / 2;
  const deleted: ResourceKey[] = [];
  const held: ResourceKey[] = [];
  const doubtful: [path: string, key: ResourceKey][] = [];
  const emptied: [path: string, key: ResourceKey][] = [];
  let nextDue: number | undefined;
  for (const one of missing) {
    const due = dueOf(one, evidence);
    const doubt = doubtAbout(one, evidence);
    const isFree = confirmed.has(one.key);
    if (evidence.held.has(one.key) && !isFree) held.push(one.key);
    else if (due > now) nextDue = Math.min(nextDue ?? due, due);
    else if (doubt !== undefined) doubtful.push([doubt, one.key]);
    else if (one.path !== undefined && file(one.path)?.empty === true) emptied.push([one.path, one.key]);
    else if (crowd && !isFree) held.push(one.key);
    else deleted.push(one.key);
  }
  return { deleted, held, doubtful: byPath(doubtful), emptied: byPath(emptied), nextDue };
}

function byPath(pairs: readonly (readonly [path: string, key: ResourceKey])[]): Map<string, ResourceKey[]> {
  const groups = [...Map.groupBy(pairs, ([path]) => path)];
  return new Map(groups.map(([path, group]) => [path, group.map(([, key]) => key)]));
}

/** When it will have been missing long enough: a file that is there has to have stood still as well. */
function dueOf({ since, path }: Missing, { patience: { goneMs, stillMs }, file }: Evidence): number {
  const there = path === undefined ? undefined : file(path);
  return there === undefined || there.empty ? since + goneMs : Math.max(since + goneMs, there.changed + stillMs);
}

/** The folder or file because of which it cannot be told whether the resource is gone. */
function doubtAbout({ paths, lastSeen }: Missing, { unreadable, broken }: Evidence): string | undefined {
  const known = [...paths];
  const folder = unreadable.find((root) => known.length === 0 || known.some((path) => isBelow(path, root)));
  if (folder !== undefined) return folder;
  return broken.find(({ path, since }) => paths.has(path) || since > lastSeen)?.path;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
