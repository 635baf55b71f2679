import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { CatalogParts } from '../../catalog/parts.ts';
import { cancelJob, noSuchJob } from '../../jobs/cancel-job.ts';
import { hasEnded, JOB_KINDS, JOB_STATES, type Job, listJobs, readJob } from '../../jobs/job.ts';
import { ensureSystemUpdate } from '../../jobs/system-update.ts';
import { checkedBody } from '../../request/bodies.ts';
import { errorResponses } from '../../request/errors.ts';

const listQuery = z.object({
  kind: z.enum(JOB_KINDS).optional(),
  state: z.enum(JOB_STATES).optional(),
  subject: z.string().optional().describe('URN of the property or dataset'),
});

/** Of all kinds only this can be begun by hand. */
const newJobBody = z.strictObject({ kind: z.literal('system-update') });

const resultSchema = z
  .object({
    entities: z.number().int().describe('Entities that the new index holds'),
    kept: z.array(
      z.object({
        propertyUrn: z.string().optional(),
        field: z.string().optional().describe('Public search name'),
        entities: z.number().int().describe('How many have the field'),
        why: z.enum(['live', 'soft deleted', 'not collected yet']),
      }),
    ),
    removed: z.array(z.object({ field: z.string(), propertyUrn: z.string().optional() })),
  })
  .describe('Of a system update: which fields of properties were kept, why, and which were removed');

const jobSchema = z
  .object({
    id: z.string(),
    kind: z
      .enum(JOB_KINDS)
      .describe(
        'cascade: of a hard-deleted property; collection: of an ended epoch; fields: of a dataset; system-update: a new index',
      ),
    subject: z.string().describe('URN of the property or dataset; of a system update, index'),
    state: z.enum(JOB_STATES).describe('settling: a second pass follows, for writers that were late'),
    pass: z.number().int(),
    created: z.number().describe('ms since 1970'),
    started: z.number().optional(),
    ended: z.number().optional(),
    total: z.number().int().describe('Entities that there were to process when the pass began'),
    processed: z.number().int(),
    remaining: z.number().int(),
    perSecond: z.number().optional().describe('Processed a second, since the start'),
    secondsLeft: z.number().optional().describe('An estimate'),
    attempts: z.number().int().optional().describe('How often it has failed since its last progress'),
    error: z.string().optional().describe('Of the last attempt'),
    result: resultSchema.optional(),
  })
  .meta({ id: 'Job' });

const idParams = z.object({ id: z.string() });

/** Long work and how far it is. Jobs are kept for a day after their end. */
export function jobRoutes(server: FastifyInstance, parts: CatalogParts): void {
  const describe = (summary: string, more: object, response: object = { 200: jobSchema }) => ({
    schema: { tags: ['Operations'], summary, ...more, response: { ...response, ...errorResponses } },
  });
  server.get(
    '/jobs',
    describe(
      'Long work and how far it is',
      { querystring: listQuery },
      { 200: z.object({ jobs: z.array(jobSchema) }) },
    ),
    async (request) => {
      const { kind, state, subject } = request.query as z.output<typeof listQuery>;
      const jobs = (await listJobs(parts.store))
        .filter((job) => kind === undefined || job.kind === kind)
        .filter((job) => state === undefined || job.state === state)
        .filter((job) => subject === undefined || job.subject === subject);
      return { jobs: jobs.map(({ result: _long, ...job }) => shown(job, parts.now())) };
    },
  );
  server.post(
    '/jobs',
    describe('Begin a system update, or join the one under way', { body: newJobBody }, { 202: jobSchema }),
    async (request, reply) => {
      checkedBody(newJobBody, request);
      const job = await ensureSystemUpdate(parts);
      parts.jobsChanged();
      return reply.code(202).send(shown(job, parts.now()));
    },
  );
  server.get('/jobs/:id', describe('One job', { params: idParams }), async (request) => {
    const { id } = request.params as z.output<typeof idParams>;
    const job = await readJob(parts.store, id);
    if (job === undefined) throw noSuchJob(id);
    return shown(job, parts.now());
  });
  server.delete(
    '/jobs/:id',
    describe('Cancel a system update', { params: idParams }, { 202: jobSchema }),
    async (request, reply) => {
      const { id } = request.params as z.output<typeof idParams>;
      return reply.code(202).send(shown(await cancelJob(parts, id), parts.now()));
    },
  );
}

function shown(
  { lease: _lease, cursor: _cursor, remains: _remains, notBefore: _notBefore, result, ...job }: Job,
  now: number,
): object {
  if (hasEnded(job)) return result === undefined ? job : { ...job, result };
  if (job.state !== 'running' || job.started === undefined || job.processed === 0) return job;
  const perSecond = job.processed / Math.max(0.001, (now - job.started) / 1000);
  return { ...job, perSecond: Math.round(perSecond), secondsLeft: Math.ceil(job.remaining / perSecond) };
}
