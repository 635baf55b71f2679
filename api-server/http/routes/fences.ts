import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { FENCE_HEADER, fenceSchema } from '../../../model/wire/fence.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { onlyReads } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { fenceOf } from '../../request/headers.ts';

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
