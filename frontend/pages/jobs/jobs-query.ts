import { queryOptions } from '@tanstack/react-query';
import type { ShownJob } from '../../../model/wire/job.ts';
import { pathOf, requestApi } from '../api/request.ts';
import { hasEnded } from './job-progress.ts';

/** In ms: how often is looked while something runs, and otherwise. */
const WHILE_RUNNING = 1_000;
const AT_REST = 10_000;

/** The newest jobs first. */
export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: async ({ signal }) =>
    (await requestApi<{ readonly jobs: readonly ShownJob[] }>('/jobs?count=500', { signal })).jobs,
  refetchInterval: ({ state: { data = [] } }) => (data.every(hasEnded) ? AT_REST : WHILE_RUNNING),
});

/** One job that has ended, with its result, which the list leaves out. */
export function endedJobQuery({ id, ended }: ShownJob) {
  return queryOptions({
    queryKey: ['jobs', id, ended],
    queryFn: ({ signal }) => requestApi<ShownJob>(pathOf`/jobs/${id}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Begins a system update, or joins the one under way. */
export async function startSystemUpdate(): Promise<void> {
  await requestApi('/jobs', { method: 'POST', body: { kind: 'system-update' } });
}

export async function cancelJob(id: string): Promise<void> {
  await requestApi(pathOf`/jobs/${id}`, { method: 'DELETE' });
}
