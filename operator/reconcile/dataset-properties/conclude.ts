import { counted, listed } from '../../../process/text.ts';
import { at } from '../messages.ts';
import { done, type Outcome, requeue, terminal } from '../outcome.ts';
import type { DatasetWork } from './work.ts';

/** A dataset that is waited for is looked for every second in the first half minute, then ever more seldom. */
const EAGER_ATTEMPTS = 30;
const SECOND_MS = 1000;
const GREATEST_WAIT_MS = 30_000;

export function waitForDataset(attempt: number): number {
  return Math.min(SECOND_MS * 2 ** Math.max(0, attempt - EAGER_ATTEMPTS), GREATEST_WAIT_MS);
}

/** Says how far the resource is. What could be done has been done. */
export function conclude(work: DatasetWork): Outcome {
  const { plans, missing, datasets, report } = work;
  const conflicts = plans.flatMap((plan) => plan.conflicts.map((conflict) => ({ ...conflict, urn: plan.entity.urn })));
  const hidden = [...new Set(plans.flatMap((plan) => plan.hidden))];
  const unfinished = new Set([
    ...missing,
    ...plans.filter((plan) => plan.conflicts.length + plan.hidden.length > 0).map(({ entity }) => entity.dataset),
  ]);
  report.conflicts = conflicts.length;
  report.applied = datasets.filter((urn) => !unfinished.has(urn)).length;

  const texts = [
    ...(missing.length === 0 ? [] : [`${listed(missing)} ${missing.length === 1 ? 'does' : 'do'} not exist`]),
    ...(conflicts.length === 0
      ? []
      : [listed(conflicts.map(({ propertyUrn, urn, winner }) => `${propertyUrn} on ${urn} belongs to ${winner}`))]),
    ...(hidden.length === 0 ? [] : [`${listed(hidden)} ${hidden.length === 1 ? 'is' : 'are'} soft deleted`]),
  ];
  const message = texts.join('; ');
  if (missing.length > 0) return requeue(waitForDataset(work.attempt), 'DatasetNotFound', message);
  if (conflicts.length > 0) return terminal('Conflict', at(work.entry, message));
  if (hidden.length > 0) return requeue('event', 'ReferenceRemoved', message);
  const values = work.wanted.length * datasets.length;
  return done('ready', 'Applied', `${counted(values, 'value')} on ${counted(datasets.length, 'dataset')}`);
}
