import type { ShownJob } from '../../../model/wire/job.ts';

export interface JobProgress {
  /** 0 to 1; absent: it cannot be told. */
  readonly part?: number;
  readonly text: string;
}

export function progressOf(job: ShownJob): JobProgress {
  const { total, processed, secondsLeft } = job;
  if (total === 0) return hasEnded(job) ? { part: 1, text: 'nothing to do' } : { text: 'counting' };
  const counts = `${processed.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  const left = secondsLeft === undefined ? '' : `, about ${inWords(secondsLeft)} left`;
  return { part: Math.min(1, processed / total), text: `${counts}${left}` };
}

/** `40 s`, `3 min`, `2 h`. */
export function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** A job that is over, however it ended. */
export function hasEnded({ ended }: ShownJob): boolean {
  return ended !== undefined;
}

export const JOB_NAMES: Readonly<Record<string, string>> = {
  cascade: 'Removal of values',
  collection: 'Clean-up of old values',
  fields: 'Removal of schema fields',
  'system-update': 'System update',
};

/** Only a system update can be given up; the others remove what is hidden already. */
export function isCancellable(job: ShownJob): boolean {
  return job.kind === 'system-update' && !hasEnded(job) && job.state !== 'cancelling';
}
