import type { ResourceKey } from '../../../model/resource/identity.ts';

/** A manifest that is not found counts as deleted only after this time. */
export const GRACE_MS = 1000;
/** More missing resources than this, and more than half of all, wait for somebody to confirm. */
export const GREATEST_UNCONFIRMED = 20;

/** A resource whose manifest is not found. */
export interface Missing {
  readonly key: ResourceKey;
  /** Files that held it in this life of the process; none: it is known from before. */
  readonly paths: ReadonlySet<string>;
  /** The last scan that found it; 0: none in this life. */
  readonly lastSeen: number;
  /** When it was first not found, in milliseconds. */
  readonly since: number;
}

export interface Evidence {
  /** Milliseconds. */
  readonly now: number;
  readonly missing: readonly Missing[];
  /** How many others are not found, whose deletion has begun. */
  readonly deleting: number;
  /** How many are found. */
  readonly present: number;
  /** Roots that do not exist, folders and files that cannot be looked at. */
  readonly unreadable: readonly string[];
  /** Files in which any resource might be, with the scan that first saw their present content. */
  readonly broken: readonly { readonly path: string; readonly since: number }[];
  /** Resources whose deletion somebody has confirmed. */
  readonly confirmed: ReadonlySet<ResourceKey>;
}

export interface Judgement {
  /** Deleted, as far as can be known. */
  readonly deleted: ResourceKey[];
  /** So many are missing together that somebody has to confirm. */
  readonly held: ResourceKey[];
  /** Not deleted because of a folder or file, named here, about which too little is known. */
  readonly doubtful: ReadonlyMap<string, ResourceKey[]>;
  /** When, in milliseconds, the next missing one will have been missing long enough. */
  readonly nextDue: number | undefined;
}

/**
 * Tells which missing manifests count as deleted, so that no accident of a disk, a mount or an editor empties a
 * catalogue. A broken file holds back every resource that it ever held and every one that was not found since the file
 * got its present content, because that one may have been moved into it; after a start that is every missing one.
 */
export function judgeMissing(evidence: Evidence): Judgement {
  const { now, missing, deleting, present, confirmed } = evidence;
  const absent = missing.length + deleting;
  const crowd = absent > GREATEST_UNCONFIRMED && absent > (absent + present) / 2;
  const deleted: ResourceKey[] = [];
  const held: ResourceKey[] = [];
  const doubtful = new Map<string, ResourceKey[]>();
  let nextDue: number | undefined;
  for (const one of missing) {
    const due = one.since + GRACE_MS;
    const doubt = doubtAbout(one, evidence);
    if (due > now) nextDue = Math.min(nextDue ?? due, due);
    else if (doubt !== undefined) doubtful.set(doubt, [...(doubtful.get(doubt) ?? []), one.key]);
    else if (crowd && !confirmed.has(one.key)) held.push(one.key);
    else deleted.push(one.key);
  }
  return { deleted, held, doubtful, nextDue };
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
