import type { Job } from './job.ts';
import type { JobStep, JobWork } from './job-work.ts';

/** From what a job is to what it is next; nothing is read or written here. Times are ms since 1970-01-01T00:00:00Z. */

/** How soon an attempt that failed is made again, in ms. */
const RETRY = 5_000;

/** @param remaining as counted, because a runner that died may have done more than it has said. */
export function begunWith(job: Job, remaining: number, now: number): Job {
  const begins = job.state === 'settling' || job.total === 0;
  const total = begins ? job.processed + remaining : job.total;
  const processed = Math.max(0, total - remaining);
  return { ...job, total, remaining, processed, state: 'running', started: job.started ?? now };
}

/** After a step: what failed before it is forgotten, and the place is the step's. */
export function advanced(job: Job, { processed, cursor, result }: JobStep): Job {
  const { cursor: _passed, attempts: _failed, error: _past, ...rest } = job;
  return {
    ...rest,
    processed: job.processed + processed,
    remaining: Math.max(0, job.remaining - processed),
    ...(result === undefined ? {} : { result }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** A writer that read before the deletion may still be writing: what it leaves is found by a second pass. */
export function passEnded(job: Job, { settles }: JobWork, now: number, requestTimeout: number): Job {
  const { cursor: _end, ...rest } = withoutLease(job);
  if (job.pass === 2 || !settles) return done(rest, now);
  // not of a job that was begun when the clock was ahead
  const notBefore = Math.max(now, Math.min(lateWritersEnd(job, requestTimeout), now + 2 * requestTimeout));
  return { ...rest, state: 'settling', pass: 2, remaining: 0, notBefore };
}

export function attemptFailed(job: Job, cause: unknown, { maxAttempts }: JobWork, now: number): Job {
  const attempts = (job.attempts ?? 0) + 1;
  const error = cause instanceof Error ? cause.message : String(cause);
  const failed = { ...withoutLease(job), attempts, error };
  if (maxAttempts === undefined || attempts < maxAttempts) {
    return { ...failed, state: 'waiting', notBefore: now + RETRY };
  }
  return { ...failed, state: 'failed', ended: now };
}

export function done(job: Job, now: number): Job {
  return { ...job, state: 'done', remaining: 0, ended: now };
}

export function cancelled(job: Job, now: number): Job {
  return { ...withoutLease(job), state: 'cancelled', ended: now };
}

export function withoutLease({ lease: _given, ...job }: Job): Job {
  return job;
}

/** How far ahead of its clock a runner puts a job off at most, in ms. */
export function longestPutOff(requestTimeout: number): number {
  return Math.max(RETRY, 2 * requestTimeout);
}

/** Until then a request that was under way at the job's beginning can be writing. */
function lateWritersEnd({ created }: Job, requestTimeout: number): number {
  return created + 2 * requestTimeout;
}
