import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import {
  leaseReleaseSchema,
  leaseRequestSchema,
  placeSchema,
  sourceRecordSchema,
  sourceRecordsSchema,
} from '../../../model/wire/source-record.ts';
import { CatalogError } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { checkedBody } from '../../request/bodies.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { leaseSource, listSources, placeSource, releaseSource } from '../../use-cases/resources.ts';
import { typed } from '../typed-routes.ts';

const params = z.object({ source: z.string().min(1) });

/** Who works on sources, and where their resources are. */
export function sourceRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  server.get(
    '/sources',
    describe('Sources that are leased, and who works on them', {}, sourceRecordsSchema),
    async (request) => ({ sources: await listSources(contextOf(parts, request)) }),
  );
  server.put(
    '/sources/:source/lease',
    describe(
      'Take or renew the right to work on a source; the answer says who has it',
      { params, body: leaseRequestSchema },
      sourceRecordSchema,
    ),
    (request) =>
      leaseSource(contextOf(parts, request), request.params.source, checkedBody(leaseRequestSchema, request)),
  );
  server.delete(
    '/sources/:source/lease',
    describe('Give it back', { params, querystring: leaseReleaseSchema }, z.null().describe('No body')),
    async (request, reply) => {
      await releaseSource(contextOf(parts, request), request.params.source, request.query.holder);
      reply.code(200).send();
    },
  );
  server.put(
    '/sources/:source/place',
    describe('Note where the resources of a source are', { params, body: placeSchema }, sourceRecordSchema),
    async (request) => {
      const { source } = request.params;
      const placed = await placeSource(contextOf(parts, request), source, checkedBody(placeSchema, request));
      if (placed === undefined) throw new CatalogError('missing', `Nobody has worked on the source ${source}`);
      return placed;
    },
  );
}

function describe<More extends object>(summary: string, more: More, success: z.ZodType) {
  return { schema: { tags: ['Resources'], summary, ...more, response: { 200: success, ...errorResponses } } };
}
