import { type ResourceKey, resourceKey } from '../../../model/resource/identity.ts';
import type { SourceProblem } from '../port.ts';
import type { FileState } from './file-state.ts';
import type { Manifest } from './manifest.ts';

export interface Collected {
  readonly manifests: ReadonlyMap<ResourceKey, Manifest>;
  readonly duplicates: readonly SourceProblem[];
}

/**
 * The manifest of each resource. Of two the first by path, then line, counts, and the other is a problem that names both
 * places; one from the last good content of a file that is broken now counts only if there is no other.
 */
export function collectManifests(files: readonly FileState[]): Collected {
  const inOrder = files.toSorted(
    (one, other) => Number(one.stale) - Number(other.stale) || (one.path < other.path ? -1 : 1),
  );
  const manifests = new Map<ResourceKey, Manifest>();
  const duplicates: SourceProblem[] = [];
  for (const { stale, manifests: ofFile } of inOrder) {
    for (const manifest of ofFile) {
      const key = resourceKey(manifest.id);
      const first = manifests.get(key);
      if (first === undefined) manifests.set(key, manifest);
      else if (!stale) duplicates.push(duplicate(key, manifest, first));
    }
  }
  return { manifests, duplicates };
}

function duplicate(key: ResourceKey, { location }: Manifest, first: Manifest): SourceProblem {
  const message = `${key} is also at ${first.location}; that one is used, this one is ignored`;
  return { severity: 'error', reason: 'Duplicate', location, message };
}
