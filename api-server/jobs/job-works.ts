import type { CatalogParts } from '../catalog/parts.ts';
import { collectAssignments } from './collect-assignments.ts';
import { collectFields } from './collect-fields.ts';
import type { JobWorks } from './job-work.ts';
import { systemUpdate } from './system-update.ts';

/** How each kind of job is done. */
export function jobWorks(parts: CatalogParts): JobWorks {
  const assignments = collectAssignments(parts);
  return {
    cascade: assignments,
    collection: assignments,
    fields: collectFields(parts),
    'system-update': systemUpdate(parts),
  };
}
