import type { Shown } from './progress.ts';

/** What the server knows; see docs/jobs.md. */
export const JOB_KINDS = ['cascade', 'collection', 'fields', 'system-update'];
export const JOB_STATES = ['waiting', 'running', 'settling', 'cancelling', 'done', 'failed', 'cancelled'];

/** A job as the server shows it. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface ShownJob {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly state: string;
  readonly created: number;
  readonly started?: number;
  readonly ended?: number;
  readonly total: number;
  readonly processed: number;
  readonly remaining: number;
  readonly perSecond?: number;
  readonly secondsLeft?: number;
  readonly error?: string;
  readonly result?: SystemUpdateResult;
}

/** What was kept in the search index, why, and what was removed. */
interface SystemUpdateResult {
  readonly entities: number;
  readonly kept: readonly { propertyUrn?: string; field?: string; entities: number; why: string }[];
  readonly removed: readonly { field: string; propertyUrn?: string }[];
}

export function hasEnded({ state }: ShownJob): boolean {
  return ['done', 'failed', 'cancelled'].includes(state);
}

/** How far a job is, for the progress that people see. */
export function progressOf(job: ShownJob): Shown {
  return { state: job.state, total: job.total, processed: job.processed, note: noteOf(job) };
}

function noteOf({ kind, state, remaining, processed, perSecond, secondsLeft, error }: ShownJob): string {
  if (error !== undefined) return `(${error})`;
  if (state === 'settling') return '(soon a second pass, for writers that were late)';
  if (state !== 'running') return state === 'done' ? '' : `(${state})`;
  if (kind === 'system-update' && remaining === 0 && processed > 0) return '(comparing with the store)';
  return secondsLeft === undefined ? '' : `(${perSecond} a second, ${secondsLeft} s left)`;
}
