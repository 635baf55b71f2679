import type { ResourceId } from '../../../model/resource/identity.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import type { SourceResource } from '../port.ts';
import type { Manifest } from './manifest.ts';

/** What the directory source knows of one resource. */
export interface Entry {
  readonly id: ResourceId;
  /** The last one that was found; absent: only known from before this life. */
  manifest?: Manifest;
  /** The last valid one that was in force. */
  valid?: Manifest;
  /** What the server has recorded of it; absent: not recorded yet, and not shown to anybody. */
  recorded?: {
    readonly generation: number;
    readonly created: number;
    readonly specHash?: string;
    readonly location?: string;
  };
  status?: ResourceStatus;
  /** Files that held it in this life. */
  readonly paths: Set<string>;
  /** The last scan that found it; 0: none. */
  lastSeen: number;
  /** When it was first not found, in milliseconds; absent: it is there. */
  missingSince?: number;
  /** It counts as deleted. */
  deleting: boolean;
}

export function newEntry(id: ResourceId): Entry {
  return { id, paths: new Set(), lastSeen: 0, deleting: false };
}

/** The entry as the port shows it; `undefined` while the server has not recorded it. */
export function shownEntry({ id, manifest, recorded, status, deleting }: Entry): SourceResource | undefined {
  if (recorded === undefined) return undefined;
  const location = manifest?.location ?? recorded.location;
  return {
    id,
    wish: manifest?.wish ?? { kind: 'unknown' },
    generation: recorded.generation,
    created: recorded.created,
    deleting,
    ...(location === undefined ? {} : { location }),
    ...(status === undefined ? {} : { status }),
  };
}
