import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { CatalogParts } from '../../catalog/parts.ts';

const healthSchema = z.object({ status: z.literal('ok') });
const readySchema = z.object({
  ready: z.boolean(),
  store: z.string().describe('ok, or why not'),
  search: z.string().describe('ok, or why not'),
  data: z.string().describe('ok, or which documents, or what of the file, is damaged'),
  writes: z.string().describe('ok, or why nothing can be written, such as a full disk; reads go on then'),
});

/**
 * `/health`: the process lives. `/ready`: it can take requests. Without the search index it still can: writes are taken,
 * and only searches have to wait. Where nothing can be written it is ready as well: reads go on, and no other replica
 * could write either; and where documents are damaged, since all others are whole. It is not where the file of the store
 * is damaged: then nothing can be relied on.
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
      const { writes, data, isBroken } = parts.storeHealth;
      const ready = store === 'ok' && !isBroken;
      return reply.code(ready ? 200 : 503).send({ ready, store, search, data, writes });
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
