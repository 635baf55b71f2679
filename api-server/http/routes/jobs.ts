import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { CatalogError } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { JOB_KINDS, JOB_STATES, type Job, listJobs, readJob } from '../../jobs/job.ts';
import { errorResponses } from '../schemas.ts';

const listQuery = z.object({
  kind: z.enum(JOB_KINDS).optional(),
  state: z.enum(JOB_STATES).optional(),
  subject: z.string().optional().describe('URN of the property or dataset'),
});

const jobSchema = z
  .object({
    id: z.string(),
    kind: z
      .enum(JOB_KINDS)
      .describe('cascade: of a hard-deleted property; collection: of an ended epoch; fields: of a dataset'),
    subject: z.string().describe('URN of the property or dataset'),
    state: z.enum(JOB_STATES).describe('settling: a second pass follows, for writers that were late'),
    pass: z.number().int(),
    created: z.number().describe('ms since 1970'),
    started: z.number().optional(),
    ended: z.number().optional(),
    total: z.number().int().describe('What there was to remove when the pass began'),
    removed: z.number().int(),
    remaining: z.number().int(),
    perSecond: z.number().optional().describe('Removed a second, since the start'),
    secondsLeft: z.number().optional().describe('An estimate'),
    error: z.string().optional().describe('Of the last attempt, while it is tried again'),
  })
  .meta({ id: 'Job' });

/** Long work and how far it is. Jobs are kept for a day after their end. */
export function jobRoutes(server: FastifyInstance, parts: CatalogParts): void {
  server.get(
    '/jobs',
    {
      schema: {
        tags: ['Operations'],
        summary: 'Long work and how far it is',
        querystring: listQuery,
        response: { 200: z.object({ jobs: z.array(jobSchema) }), ...errorResponses },
      },
    },
    async (request) => {
      const { kind, state, subject } = request.query as z.output<typeof listQuery>;
      const jobs = (await listJobs(parts.store))
        .map(({ body }) => body)
        .filter((job) => kind === undefined || job.kind === kind)
        .filter((job) => state === undefined || job.state === state)
        .filter((job) => subject === undefined || job.subject === subject)
        .sort((one, other) => other.created - one.created);
      return { jobs: jobs.map((job) => shown(job, parts.now())) };
    },
  );
  server.get(
    '/jobs/:id',
    {
      schema: {
        tags: ['Operations'],
        summary: 'One job',
        params: z.object({ id: z.string() }),
        response: { 200: jobSchema, ...errorResponses },
      },
    },
    async (request) => {
      const { id } = request.params as { id: string };
      const record = await readJob(parts.store, id);
      if (record === undefined)
        throw new CatalogError('missing', `There is no job ${id}; jobs are kept for a day after their end`);
      return shown(record.body, parts.now());
    },
  );
}

function shown(
  { lease: _lease, cursor: _cursor, remains: _remains, notBefore: _notBefore, ...job }: Job,
  now: number,
): object {
  if (job.state !== 'running' || job.started === undefined || job.removed === 0) return job;
  const perSecond = job.removed / Math.max(0.001, (now - job.started) / 1000);
  return { ...job, perSecond: Math.round(perSecond), secondsLeft: Math.ceil(job.remaining / perSecond) };
}
