import type { ResourceKey } from '../model/resource/identity.ts';
import { judgeMissing, PATIENCE } from '../operator/source/directory/deletion-guard.ts';
import type { Inputs } from './files/read-inputs.ts';
import type { Note } from './plan-shape.ts';
import type { PlanSource } from './plan-source.ts';
import { counted } from './print/words.ts';

export interface JudgedDeletions {
  readonly deleted: ResourceKey[];
  readonly warnings: Note[];
}

/**
 * Which missing resources count as deleted, by the operator's own guard, as after a start. What it would hold back until
 * somebody confirms counts too, with a warning; what it would not delete at all because a file is broken does not.
 */
export function judgeDeletions(
  { manifestFiles, unreadable, hasCliFiles }: Inputs,
  source: PlanSource,
): JudgedDeletions {
  const missing = source.missing();
  const noManifests = manifestFiles.length === 0 && unreadable.length === 0;
  // Who plans nothing but files of the command line says nothing about resources.
  if (missing.length === 0 || (noManifests && hasCliFiles)) {
    return { deleted: [], warnings: [] };
  }
  const all = source.table.list().length;
  const evidence = {
    now: PATIENCE.goneMs,
    patience: PATIENCE,
    missing: missing.map((key) => ({ key, paths: new Set<string>(), lastSeen: 0, since: 0 })),
    deleting: 0,
    present: all - missing.length,
    unreadable,
    broken: manifestFiles.filter(({ broken }) => broken),
    file: () => undefined,
    held: new Set<ResourceKey>(),
    confirmed: new Set<ResourceKey>(),
  };
  const { deleted, held, doubtful } = judgeMissing(evidence);
  const warnings: Note[] = [...doubtful].map(([path, keys]) => ({
    reason: 'DeletionsWait',
    message: `${counted(keys.length, 'resource')} ${keys.length === 1 ? 'is' : 'are'} missing; nothing is deleted until ${shownIn(path, manifestFiles)} can be read and is right`,
  }));
  if (held.length > 0) {
    const message = `${missing.length} of ${all} resources would be missing: the operator holds these deletions back until somebody confirms`;
    warnings.push({ reason: 'DeletionsHeld', message });
  }
  return { deleted: [...deleted, ...held], warnings };
}

/** The path that people know, by the place of something in the file. */
function shownIn(path: string, files: Inputs['manifestFiles']): string {
  const file = files.find((one) => one.path === path);
  const location = file?.manifests[0]?.location ?? file?.problems[0]?.location;
  return location?.replace(/(:\d+)+$/u, '') ?? path;
}
