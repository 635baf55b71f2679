import type { JobKind, SystemUpdateResult } from '../../model/wire/job.ts';
import type { Job } from './job.ts';

/** How a kind of job is done. */
export interface JobWork {
  /** Whether what made the job necessary has happened, where the job is written down before it. */
  hasHappened?(job: Job): Promise<boolean>;
  /** How many entities there are left to process. */
  count(job: Job): Promise<number>;
  /** Does a part, from the job's cursor. Must be harmless when it is done twice. */
  step(job: Job): Promise<JobStep>;
  /** A second pass follows, once no request that was under way at the job's beginning can still be writing. */
  readonly settles: boolean;
  /** The job fails after so many attempts without progress; without it, it is tried for ever. */
  readonly maxAttempts?: number;
  /** Drops what the job has begun; a kind with it can be cancelled. */
  abandon?(job: Job): Promise<void>;
}

export interface JobStep {
  readonly processed: number;
  readonly cursor?: string;
  readonly finished: boolean;
  readonly result?: SystemUpdateResult;
}

export type JobWorks = Readonly<Record<JobKind, JobWork>>;
