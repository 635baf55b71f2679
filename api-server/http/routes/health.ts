import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { type Readiness, readinessSchema } from '../../../model/wire/readiness.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { countHeldDeletions } from '../../use-cases/figures.ts';

const healthSchema = z.object({ status: z.literal('ok') });

/**
 * `/health`: the process lives. `/ready`: it can take requests. Without the search index it still can: writes are taken,
 * and only searches have to wait. Where nothing can be written it is ready as well: reads go on, and no other replica
 * could write either; and where documents are damaged, since all others are whole. It is not where the file of the store
 * is damaged: then nothing can be relied on.
 */
export function healthRoutes(server: FastifyInstance, parts: CatalogParts, version: string): void {
  const describe = (summary: string) => ({ tags: ['Operations'], summary });
  server.get(
    '/health',
    {
      exposeHeadRoute: true,
      config: { open: true },
      schema: { ...describe('Liveness'), response: { 200: healthSchema } },
    },
    async () => ({ status: 'ok' }),
  );
  server.get(
    '/ready',
    {
      exposeHeadRoute: true,
      config: { open: true },
      schema: { ...describe('Readiness'), response: { 200: readinessSchema, 503: readinessSchema } },
    },
    async (_request, reply) => {
      const [store, search] = await Promise.all([stateOf(parts.store.ping()), stateOf(parts.search.ping())]);
      const { writes, data, isBroken } = parts.storeHealth;
      const ready = store === 'ok' && !isBroken;
      const held = ready ? await heldDeletionsOf(parts) : {};
      const readiness: Readiness = { ready, version, store, search, data, writes, ...held };
      return reply.code(ready ? 200 : 503).send(readiness);
    },
  );
}

/** What waits for somebody is no reason not to be ready, and neither is that it cannot be told. */
async function heldDeletionsOf(parts: CatalogParts): Promise<Pick<Readiness, 'heldDeletions'>> {
  try {
    const bySource = await countHeldDeletions(parts);
    return { heldDeletions: [...bySource.values()].reduce((sum, count) => sum + count, 0) };
  } catch {
    return {};
  }
}

async function stateOf(ping: Promise<void>): Promise<string> {
  try {
    await ping;
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
