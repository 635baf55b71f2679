import { hasEnded } from '../../model/wire/job.ts';
import { CatalogError, refusedBy } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { changeJob, type Job, readJob } from './job.ts';

/**
 * Cancels a job; what it has begun is dropped by a runner. Only a system update: the other kinds remove what is deleted
 * already and has to go.
 * @throws CatalogError `missing`, `invalid`
 */
export async function cancelJob({ store, now, jobsChanged }: CatalogParts, id: string): Promise<Job> {
  const cancelled = await changeJob(store, id, async (standing) => {
    const job = standing ?? (await readJob(store, id));
    if (job === undefined) throw noSuchJob(id);
    if (job.kind !== 'system-update') {
      throw refusedBy('not-cancellable', `Job ${id} cannot be cancelled: it removes what has been deleted already`);
    }
    if (standing === undefined || hasEnded(job)) {
      throw refusedBy('not-cancellable', `Job ${id} cannot be cancelled: it has ended (${job.state})`);
    }
    // The lease stays: what the runner is doing at this moment must be over before anything is dropped.
    return { ...job, state: 'cancelling', notBefore: Math.min(job.notBefore, now()) };
  });
  jobsChanged();
  return cancelled;
}

export function noSuchJob(id: string): CatalogError {
  return new CatalogError('missing', `There is no job ${id}; jobs are kept for a day after their end`);
}
