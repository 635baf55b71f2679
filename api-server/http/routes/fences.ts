import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { FENCE_HEADER, type Fence, fenceSchema } from '../../../model/wire/fence.ts';
import { nextPageSchema } from '../../../model/wire/next-page.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { contextOf, onlyReads } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { fenceOf } from '../../request/headers.ts';
import { listFences, raiseFence } from '../../use-cases/resources.ts';
import { pageQuery } from '../record-page.ts';
import { typed } from '../typed-routes.ts';

const headers = z.looseObject({
  [FENCE_HEADER]: z.string().describe('source=…&shard=…&lease=<uid>&created=<ms since 1970>&transitions=<n>'),
});

/**
 * Refuses the writes of an operator that leads no more, before anything of them is done; and learns from the first write
 * of a leader that it leads. Whatever is written is checked again when it reaches the store.
 */
export function refuseFencedWrites(server: FastifyInstance, parts: CatalogParts): void {
  server.addHook('onRequest', async (request) => {
    if (request.headers[FENCE_HEADER] === undefined || onlyReads(request)) return;
    const fence = fenceOf(request);
    if (fence !== undefined) await raiseFence(contextOf(parts, request), fence);
  });
}

const fencesSchema = z.object({ fences: z.array(fenceSchema), next: nextPageSchema });

function placeOf({ source, shard }: Fence): string {
  return JSON.stringify([source, shard]);
}

/** Which operator leads each source. */
export function fenceRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  const describe = <More extends object>(summary: string, more: More, success: z.ZodType) => ({
    schema: { tags: ['Resources'], summary, ...more, response: { 200: success, ...errorResponses } },
  });
  server.get(
    '/fences',
    describe('Which operator leads each source', { querystring: pageQuery }, fencesSchema),
    async (request) => {
      const { count, after } = request.query;
      const all = await listFences(contextOf(parts, request));
      const begin = after === undefined ? 0 : all.findIndex((fence) => placeOf(fence) === after) + 1;
      const fences = all.slice(begin, begin + count);
      const last = begin + count < all.length ? fences.at(-1) : undefined;
      return { fences, ...(last === undefined ? {} : { next: placeOf(last) }) };
    },
  );
  // The header has done it when the handler is reached.
  server.put(
    '/fences',
    describe('Begin to lead: the fence in the header stands from now on', { headers }, fenceSchema),
    (request, reply) => reply.send(fenceOf(request)),
  );
}
