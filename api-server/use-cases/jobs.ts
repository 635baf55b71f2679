import { guarded } from '../access/guarded.ts';
import { cancelJob as cancel } from '../jobs/cancel-job.ts';
import * as jobs from '../jobs/job.ts';
import { ensureSystemUpdate } from '../jobs/system-update.ts';

/** Long work: each with what it needs. */

export const listJobs = guarded(['VIEW_JOBS', 'MANAGE_JOBS'], ({ parts }) => jobs.listJobs(parts.store));

export const readJob = guarded(['VIEW_JOBS', 'MANAGE_JOBS'], ({ parts }, id: string) => jobs.readJob(parts.store, id));

export const beginSystemUpdate = guarded(['MANAGE_JOBS'], async ({ parts }) => {
  const job = await ensureSystemUpdate(parts);
  parts.jobsChanged();
  return job;
});

export const cancelJob = guarded(['MANAGE_JOBS'], ({ parts }, id: string) => cancel(parts, id));
