import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { hasEnded, JOB_KINDS, JOB_STATES, jobSchema, jobsSchema, type ShownJob } from '../../../model/wire/job.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { noSuchJob } from '../../jobs/cancel-job.ts';
import type { Job } from '../../jobs/job.ts';
import { checkedBody } from '../../request/bodies.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { beginSystemUpdate, cancelJob, listJobs, readJob } from '../../use-cases/jobs.ts';
import { pageQuery } from '../record-page.ts';
import { typed } from '../typed-routes.ts';

const listQuery = z.object({
  kind: z.enum(JOB_KINDS).optional(),
  state: z.enum(JOB_STATES).optional(),
  subject: z.string().optional().describe('URN of the property or dataset'),
  ...pageQuery.shape,
});

/** Of all kinds only this can be begun by hand. */
const newJobBody = z.strictObject({ kind: z.literal('system-update') });

const idParams = z.object({ id: z.string() });

type Answers = { readonly 200?: z.ZodType; readonly 202?: z.ZodType };

/** Long work and how far it is. Jobs are kept for a day after their end. */
export function jobRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  const describe = <More extends object>(summary: string, more: More, response: Answers = { 200: jobSchema }) => ({
    schema: { tags: ['Operations'], summary, ...more, response: { ...response, ...errorResponses } },
  });
  server.get(
    '/jobs',
    describe('Long work and how far it is', { querystring: listQuery }, { 200: jobsSchema }),
    async (request) => {
      const { kind, state, subject, count, after } = request.query;
      const jobs = (await listJobs(contextOf(parts, request)))
        .filter((job) => kind === undefined || job.kind === kind)
        .filter((job) => state === undefined || job.state === state)
        .filter((job) => subject === undefined || job.subject === subject)
        .map((job) => [placeOf(job), job] as const)
        .filter(([place]) => after === undefined || place > after)
        .sort(([one], [other]) => (one < other ? -1 : 1));
      const page = jobs.slice(0, count);
      const next = jobs.length > count ? page.at(-1)?.[0] : undefined;
      return {
        jobs: page.map(([, { result: _long, ...job }]) => shown(job, parts.now())),
        ...(next === undefined ? {} : { next }),
      };
    },
  );
  server.post(
    '/jobs',
    describe('Begin a system update, or join the one under way', { body: newJobBody }, { 202: jobSchema }),
    async (request, reply) => {
      checkedBody(newJobBody, request);
      const job = await beginSystemUpdate(contextOf(parts, request));
      return reply.code(202).send(shown(job, parts.now()));
    },
  );
  server.get('/jobs/:id', describe('One job', { params: idParams }), async (request) => {
    const { id } = request.params;
    const job = await readJob(contextOf(parts, request), id);
    if (job === undefined) throw noSuchJob(id);
    return shown(job, parts.now());
  });
  server.delete(
    '/jobs/:id',
    describe('Cancel a system update', { params: idParams }, { 202: jobSchema }),
    async (request, reply) => {
      const job = await cancelJob(contextOf(parts, request), request.params.id);
      return reply.code(202).send(shown(job, parts.now()));
    },
  );
}

/** The newest first: texts of this are in the order of the list. */
function placeOf({ id, created }: Job): string {
  return `${String(Number.MAX_SAFE_INTEGER - created).padStart(16, '0')}:${id}`;
}

function shown(
  { lease: _lease, cursor: _cursor, remains: _remains, notBefore: _notBefore, result, ...job }: Job,
  now: number,
): ShownJob {
  if (hasEnded(job)) return result === undefined ? job : { ...job, result };
  if (job.state !== 'running' || job.started === undefined || job.processed === 0) return job;
  const perSecond = job.processed / Math.max(0.001, (now - job.started) / 1000);
  return { ...job, perSecond: Math.round(perSecond), secondsLeft: Math.ceil(job.remaining / perSecond) };
}
