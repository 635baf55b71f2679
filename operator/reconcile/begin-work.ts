import {
  isAccessToken,
  isDatasetProperties,
  isStructuredProperty,
  type Resource,
} from '../../model/resource/resource.ts';
import { cut } from '../../process/text.ts';
import type { SourceResource } from '../source/port.ts';
import { ACCESS_TOKEN_STEPS } from './access-token/steps.ts';
import type { AccessTokenWork } from './access-token/work.ts';
import { isSettled } from './conditions.ts';
import { DATASET_PROPERTIES_STEPS } from './dataset-properties/steps.ts';
import type { DatasetWork } from './dataset-properties/work.ts';
import { instructionsFor } from './instructions.ts';
import type { Ended } from './outcome.ts';
import type { Report } from './report.ts';
import { runSteps, type Tools, type Work } from './step.ts';
import { type PropertyWork, STRUCTURED_PROPERTY_STEPS } from './structured-property/steps.ts';

/** A reconcile that is ready to run, and what it will have to report. */
export interface Begun {
  readonly report: Report;
  run(): Promise<Ended>;
}

/** The annotation may be longer than what a status takes: 1,024, and a character may count as two. */
const LONGEST_RECONCILE_AT = 512;

/** Prepares the reconcile of a resource by its kind. */
export function beginWork(entry: SourceResource, attempt: number, tools: Tools): Begun {
  const report: Report = { written: [], drift: [], adopted: [], recount: new Set(), affected: new Set() };
  const { reconcileAt } = instructionsFor(entry);
  if (reconcileAt !== undefined) report.lastHandledReconcileAt = cut(reconcileAt, LONGEST_RECONCILE_AT);
  const settled = isSettled(entry);
  const base = { entry, attempt, settled, report };
  const resource = entry.wish.kind === 'valid' ? entry.wish.resource : undefined;
  switch (entry.id.kind) {
    case 'StructuredProperty': {
      const work: PropertyWork = { ...base, resource: narrowed(resource, isStructuredProperty) };
      return { report, run: () => runSteps(STRUCTURED_PROPERTY_STEPS, work, tools) };
    }
    case 'DatasetProperties': {
      const found = { wanted: [], properties: new Map(), marks: [], datasets: [], plans: [], missing: [] };
      const work: DatasetWork = { ...base, ...found, resource: narrowed(resource, isDatasetProperties) };
      return { report, run: () => runSteps(DATASET_PROPERTIES_STEPS, work, tools) };
    }
    case 'AccessToken': {
      const work: AccessTokenWork = { ...base, resource: narrowed(resource, isAccessToken) };
      return { report, run: () => runSteps(ACCESS_TOKEN_STEPS, work, tools) };
    }
  }
}

function narrowed<R extends Resource>(
  resource: Resource | undefined,
  isKind: (resource: Resource) => resource is R,
): Work<R>['resource'] {
  return resource !== undefined && isKind(resource) ? resource : undefined;
}
