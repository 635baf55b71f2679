import type { HttpClient } from '../client/http-client.ts';
import { readJob } from '../client/jobs.ts';
import { hasEnded, type ShownJob } from '../model/wire/job.ts';
import { pause } from '../process/clock.ts';
import { visible } from '../process/text.ts';
import { INTERVAL, type Patience, type PatienceOptions } from './patience.ts';
import type { Shown } from './progress.ts';

/**
 * Follows a job to its end, over restarts of the server. The job goes on when the follower ends.
 * @throws AnyHttpError when the server stays away.
 */
export async function followJob(
  client: HttpClient,
  first: ShownJob,
  patience: Patience,
  { clock, progress, interval = INTERVAL }: PatienceOptions,
): Promise<ShownJob> {
  let job = first;
  try {
    while (!hasEnded(job)) {
      progress.show(progressOf(job));
      await pause(clock, interval);
      job = await patience.try(() => readJob(client, first.id));
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
    throw new Error(`${name} ${job.state === 'failed' ? `failed: ${visible(job.error ?? '')}` : 'was cancelled'}`);
}

/** How far a job is, for the progress that people see. */
function progressOf(job: ShownJob): Shown {
  return { state: job.state, total: job.total, processed: job.processed, note: noteOf(job) };
}

function noteOf({ kind, state, remaining, processed, perSecond, secondsLeft, error }: ShownJob): string {
  if (error !== undefined) return `(${error})`;
  if (state === 'settling') return '(soon a second pass, for writers that were late)';
  if (state !== 'running') return state === 'done' ? '' : `(${state})`;
  if (kind === 'system-update' && remaining === 0 && processed > 0) return '(comparing with the store)';
  return secondsLeft === undefined ? '' : `(${perSecond} a second, ${secondsLeft} s left)`;
}
