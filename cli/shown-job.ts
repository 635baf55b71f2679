import type { Shown } from './progress.ts';

/** A job as the server shows it. */
export interface ShownJob {
  readonly id: string;
  readonly state: string;
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

/** How far a job is, for the progress that people see. */
export function progressOf(job: ShownJob): Shown {
  return { state: job.state, total: job.total, processed: job.processed, note: noteOf(job) };
}

function noteOf({ state, remaining, processed, perSecond, secondsLeft, error }: ShownJob): string {
  if (error !== undefined) return `(${error})`;
  if (state !== 'running') return state === 'done' ? '' : `(${state})`;
  if (remaining === 0 && processed > 0) return '(comparing with the store)';
  return secondsLeft === undefined ? '' : `(${perSecond} a second, ${secondsLeft} s left)`;
}
