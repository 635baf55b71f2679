import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { CatalogParts } from '../../catalog/parts.ts';

const healthSchema = z.object({ status: z.literal('ok') });
const readySchema = z.object({
  ready: z.boolean(),
  store: z.string().describe('ok, or why not'),
  search: z.string().describe('ok, or why not'),
});

/**
 * `/health`: the process lives. `/ready`: it can take requests. Without the search index it still can: writes are taken,
 * and only searches have to wait.
 */
export function healthRoutes(server: FastifyInstance, parts: CatalogParts): void {
  const describe = (summary: string) => ({ tags: ['Operations'], summary });
  server.get(
    '/health',
    { exposeHeadRoute: true, schema: { ...describe('Liveness'), response: { 200: healthSchema } } },
    async () => ({ status: 'ok' }),
  );
  server.get(
    '/ready',
    {
      exposeHeadRoute: true,
      schema: { ...describe('Readiness'), response: { 200: readySchema, 503: readySchema } },
    },
    async (_request, reply) => {
      const [store, search] = await Promise.all([stateOf(parts.store.ping()), stateOf(parts.search.ping())]);
      const ready = store === 'ok';
      return reply.code(ready ? 200 : 503).send({ ready, store, search });
    },
  );
}

async function stateOf(ping: Promise<void>): Promise<string> {
  try {
    await ping;
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
