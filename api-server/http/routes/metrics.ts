import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import * as z from 'zod';
import { hasEnded } from '../../../model/wire/job.ts';
import { logTrouble } from '../../../process/log-trouble.ts';
import type { BackendState } from '../../backend-guard.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { countHeldDeletions, jobsToCount, openJobsToCount } from '../../use-cases/figures.ts';

/** Prometheus metrics of the process, of requests by route (never by URN), and of the outbox. */
export function metricsRoutes(server: FastifyInstance, parts: CatalogParts): void {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const durations = new Histogram({
    name: 'proplane_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [metrics],
  });
  new Gauge({
    name: 'proplane_outbox_entities',
    help: 'Entities that the search index does not have yet in their present form',
    registers: [metrics],
    async collect() {
      this.set(await parts.store.entities.countDirty());
    },
  });
  new Gauge({
    name: 'proplane_held_deletions',
    help: 'Deletions that wait until somebody confirms them, by source',
    labelNames: ['source'],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const [source, count] of await countHeldDeletions(parts)) this.set({ source }, count);
    },
  });
  new Gauge({
    name: 'proplane_jobs',
    help: 'Jobs that are kept, by kind and state',
    labelNames: ['kind', 'state'],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const { kind, state } of await jobsToCount(parts.store)) this.inc({ kind, state });
    },
  });
  new Gauge({
    name: 'proplane_job_entities',
    help: 'Entities of the jobs that have not ended, by kind: processed and remaining',
    labelNames: ['kind', 'progress'],
    registers: [metrics],
    async collect() {
      this.reset();
      for await (const { body } of openJobsToCount(parts.store)) {
        if (hasEnded(body)) continue;
        this.inc({ kind: body.kind, progress: 'processed' }, body.processed);
        this.inc({ kind: body.kind, progress: 'remaining' }, body.remaining);
      }
    },
  });
  new Gauge({
    name: 'proplane_store_writable',
    help: '0 while the store takes no writes, because its disk is full or it is damaged',
    registers: [metrics],
    collect() {
      this.set(Number(parts.storeHealth.writes === 'ok'));
    },
  });
  new Gauge({
    name: 'proplane_store_damaged',
    help: 'Documents and records that are known to be damaged',
    registers: [metrics],
    collect() {
      this.set(parts.storeHealth.damaged);
    },
  });
  new Gauge({
    name: 'proplane_log_lines_lost',
    help: 'Lines of the log that could not be written, since the start',
    registers: [metrics],
    collect() {
      this.set(logTrouble.lines);
    },
  });
  backendMetrics(metrics, parts);
  server.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    durations.observe(labels, reply.elapsedTime / 1000);
  });
  server.get(
    '/metrics',
    {
      config: { open: true },
      schema: {
        tags: ['Operations'],
        summary: 'Prometheus metrics',
        produces: ['text/plain'],
        response: { 200: z.string().describe('In the text format of Prometheus') },
      },
    },
    async (_request, reply) => {
      reply.type(metrics.contentType);
      return metrics.metrics();
    },
  );
}

/** Of the backends that may be slow or away. */
function backendMetrics(metrics: Registry, { backendStates }: CatalogParts): void {
  const gauge = (name: string, help: string, value: (state: BackendState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['backend'],
      registers: [metrics],
      collect() {
        for (const state of backendStates()) this.set({ backend: state.name }, value(state));
      },
    });
  gauge('proplane_backend_left', '1 while nothing is sent to a backend because it has failed', ({ left }) =>
    Number(left),
  );
  gauge(
    'proplane_backend_busy_seconds',
    'Time with a call under way, since the start',
    ({ busySeconds }) => busySeconds,
  );
  gauge('proplane_backend_calls_running', 'Calls that a backend is answering', ({ running }) => running);
  gauge('proplane_backend_calls_waiting', 'Calls that wait for their turn at a backend', ({ waiting }) => waiting);
  gauge(
    'proplane_backend_calls_refused',
    'Calls that were not sent to a backend, since the start',
    ({ refused }) => refused,
  );
}
