import { CatalogError, refusedBy } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { findOpenJob, hasEnded, type Job, readJob, saveJob } from './job.ts';

/**
 * Cancels a job; what it has begun is dropped by a runner. Only a system update: the other kinds remove what is deleted
 * already and has to go.
 * @throws CatalogError `missing`, `invalid`
 */
export async function cancelJob({ store, jobsChanged }: CatalogParts, id: string): Promise<Job> {
  for (;;) {
    const record = await findOpenJob(store, id);
    const job = record?.body ?? (await readJob(store, id));
    if (job === undefined) throw noSuchJob(id);
    if (job.kind !== 'system-update') {
      throw refusedBy('not-cancellable', `Job ${id} cannot be cancelled: it removes what has been deleted already`);
    }
    if (record === undefined || hasEnded(job)) {
      throw refusedBy('not-cancellable', `Job ${id} cannot be cancelled: it has ended (${job.state})`);
    }
    // The lease stays: what the runner is doing at this moment must be over before anything is dropped.
    const cancelled: Job = { ...job, state: 'cancelling' };
    if ((await saveJob(store, cancelled, record.revision)) === undefined) continue;
    jobsChanged();
    return cancelled;
  }
}

export function noSuchJob(id: string): CatalogError {
  return new CatalogError('missing', `There is no job ${id}; jobs are kept for a day after their end`);
}
