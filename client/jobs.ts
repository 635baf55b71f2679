import * as z from 'zod';
import { jobSchema, jobsSchema, type ShownJob } from '../model/wire/job.ts';
import { allPages } from './all-pages.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';

/** Requests about long work. They throw AnyHttpError. Whatever more a newer server says of a job is kept. */

const job: z.ZodType<ShownJob> = jobSchema.loose();
const jobs = jobsSchema.extend({ jobs: z.array(job) });

export interface JobFilter {
  readonly kind?: string;
  readonly state?: string;
  /** URN of the property or dataset. */
  readonly subject?: string;
}

/** The newest first. */
export async function listJobs(http: HttpClient, { kind, state, subject }: JobFilter): Promise<ShownJob[]> {
  return allPages(
    (after) => {
      const query = [
        ['kind', kind],
        ['state', state],
        ['subject', subject],
        ['after', after],
      ] as const;
      return ask(http, { method: 'GET', path: '/jobs', query }, jobs);
    },
    (page) => page.jobs,
  );
}

export async function readJob(http: HttpClient, id: string): Promise<ShownJob> {
  return await ask(http, { method: 'GET', path: pathOf(id) }, job);
}

/** Begins a system update, or joins the one under way. */
export async function beginSystemUpdate(http: HttpClient): Promise<ShownJob> {
  return await ask(http, { method: 'POST', path: '/jobs', body: { kind: 'system-update' } }, job);
}

export async function cancelJob(http: HttpClient, id: string): Promise<ShownJob> {
  return await ask(http, { method: 'DELETE', path: pathOf(id) }, job);
}

function pathOf(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`;
}
