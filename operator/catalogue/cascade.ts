import type { ShownJob } from '../../model/wire/job.ts';
import type { Cascade } from './catalogue.ts';

/** How far the one is that is at work or waits to be. */
export function cascadeIn(jobs: readonly Pick<ShownJob, 'state' | 'total' | 'processed' | 'remaining'>[]) {
  const job = jobs.find(({ state, remaining }) => state === 'waiting' || (state === 'running' && remaining > 0));
  if (job === undefined) return undefined;
  const isCounted = job.state !== 'waiting' || job.total > 0;
  return { removed: job.processed, ...(isCounted ? { remaining: job.remaining } : {}) } satisfies Cascade;
}
