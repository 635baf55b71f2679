import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { CatalogParts } from '../../catalog/parts.ts';
import { onlyReads } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { FENCE_HEADER, fenceOf } from '../../request/fence-header.ts';

const fenceSchema = z
  .object({
    source: z.string(),
    shard: z.string().describe('Part of the source that has a leader of its own; empty when the source is one'),
    lease: z.string().describe('Uid of the Lease that the leader holds'),
    created: z.number().int().describe('When that Lease was created, ms since 1970'),
    transitions: z.number().int().describe('How often that Lease has changed hands'),
  })
  .meta({ id: 'Fence' });

const headers = z.looseObject({
  [FENCE_HEADER]: z.string().describe('source=…&shard=…&lease=<uid>&created=<ms since 1970>&transitions=<n>'),
});

/**
 * Refuses the writes of an operator that leads no more, before anything of them is done; and learns from the first write
 * of a leader that it leads. Whatever is written is checked again when it reaches the store.
 */
export function refuseFencedWrites(server: FastifyInstance, { store }: CatalogParts): void {
  server.addHook('onRequest', async (request) => {
    if (request.headers[FENCE_HEADER] === undefined || onlyReads(request)) return;
    const fence = fenceOf(request);
    if (fence !== undefined) await store.fences.raise(fence);
  });
}

/** Which operator leads each source. */
export function fenceRoutes(server: FastifyInstance, { store }: CatalogParts): void {
  const describe = (summary: string, more: object, success: z.ZodType) => ({
    schema: { tags: ['Resources'], summary, ...more, response: { 200: success, ...errorResponses } },
  });
  server.get(
    '/fences',
    describe('Which operator leads each source', {}, z.object({ fences: z.array(fenceSchema) })),
    async () => ({ fences: await store.fences.list() }),
  );
  // The header has done it when the handler is reached.
  server.put(
    '/fences',
    describe('Begin to lead: the fence in the header stands from now on', { headers }, fenceSchema),
    (request, reply) => reply.send(fenceOf(request)),
  );
}
