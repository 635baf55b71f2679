import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { ownersPageSchema } from '../../../model/wire/owner-mark.ts';
import { CatalogError } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { clearOwners, listOwners } from '../../use-cases/resources.ts';
import { typed } from '../typed-routes.ts';

const clearQuery = z.object({
  source: z.string().min(1).describe('Name of the source'),
  kind: z.string().min(1),
  namespace: z.string().min(1),
  name: z.string().min(1),
});

const listOwnersQuery = clearQuery.partial().extend({
  urn: z.string().optional().describe('Only marks on this entity'),
  count: z.coerce.number().int().min(1).max(1000).default(1000),
  after: z.string().optional().describe('The `next` of the page before'),
});

/** The inventory of what belongs to which resource. */
export function ownerRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  server.get(
    '/owners',
    {
      schema: {
        tags: ['Resources'],
        summary: 'What belongs to which resource: of a source, of one resource, or on one entity',
        querystring: listOwnersQuery,
        response: { 200: ownersPageSchema, ...errorResponses },
      },
    },
    async (request) => {
      const { count, after, kind, namespace, name, urn, source } = request.query;
      const page = await listOwners(contextOf(parts, request), {
        limit: count,
        ...(source === undefined ? {} : { source }),
        ...(kind === undefined ? {} : { kind }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
        ...(urn === undefined ? {} : { urn }),
        ...(after === undefined ? {} : { after: readCursor(after) }),
      });
      return {
        owners: page.owners,
        ...(page.next === undefined ? {} : { next: JSON.stringify(Object.values(page.next)) }),
      };
    },
  );
  server.delete(
    '/owners',
    {
      schema: {
        tags: ['Resources'],
        summary: 'Take all marks of a resource away; values and definitions stay',
        querystring: clearQuery,
        response: { 200: z.object({ cleared: z.number().int() }), ...errorResponses },
      },
    },
    async (request) => ({ cleared: await clearOwners(contextOf(parts, request), request.query) }),
  );
}

function readCursor(text: string): { urn: string; propertyUrn: string } {
  try {
    const [urn, propertyUrn] = z.tuple([z.string(), z.string()]).parse(JSON.parse(text));
    return { urn, propertyUrn };
  } catch {
    throw new CatalogError('malformed', 'after: not one that a listing returned');
  }
}
