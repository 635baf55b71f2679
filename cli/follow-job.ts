import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../client/http-client.ts';
import type { Patience, PatienceOptions } from './patience.ts';
import { hasEnded, progressOf, type ShownJob } from './shown-job.ts';

/**
 * Follows a job to its end, over restarts of the server. The job goes on when the follower ends.
 * @throws AnyHttpError when the server stays away.
 */
export async function followJob(
  client: HttpClient,
  first: ShownJob,
  patience: Patience,
  { progress, interval = 500 }: PatienceOptions,
): Promise<ShownJob> {
  const path = `/jobs/${encodeURIComponent(first.id)}`;
  let job = first;
  try {
    while (!hasEnded(job)) {
      progress.show(progressOf(job));
      await sleep(interval);
      job = (await patience.try(() => client.send({ method: 'GET', path }))) as ShownJob;
    }
    progress.show(progressOf(job));
    return job;
  } finally {
    progress.end();
  }
}

/** @throws Error when the job has failed or was cancelled. */
export function requireDone(job: ShownJob, name: string): void {
  if (job.state !== 'done')
    throw new Error(`${name} ${job.state === 'failed' ? `failed: ${job.error}` : 'was cancelled'}`);
}
