import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { listEntities } from '../../catalog/find/list-entities.ts';
import { isAboutRemoved, resolveFilters } from '../../catalog/find/resolve-filters.ts';
import { resolveQuery } from '../../catalog/find/resolve-query.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { checkedBody } from '../checked-body.ts';
import { listQuery } from '../parameters.ts';
import { canonicalAspects } from '../requested-aspects.ts';
import { entityResponse, errorResponses } from '../schemas.ts';
import { scrolledTypes, scrollFilters, scrollRequest } from '../scroll-body.ts';
import { entityBody } from '../views.ts';

const scrollResponse = z.object({
  scrollId: z.string().nullable().describe('For the next page; null on the last'),
  totalCount: z.number().int(),
  entities: z.array(entityResponse('v3')),
});

/** `POST /openapi/v3/entity/scroll`: the listing over entity types, by a query and filters. */
export function scrollRoute(server: FastifyInstance, parts: CatalogParts): void {
  const schema = {
    tags: ['Entities'],
    summary: 'v3: list and search entities of any type',
    querystring: listQuery.omit({ aspects: true, aspectNames: true }),
    body: scrollRequest,
    response: { 200: scrollResponse, ...errorResponses },
  };
  server.post('/openapi/v3/entity/scroll', { schema, config: { readsOnly: true } }, async (request) => {
    const query = request.query as z.output<typeof listQuery>;
    const body = checkedBody(scrollRequest, request);
    const entityTypes = scrolledTypes(body);
    const filters = scrollFilters(body);
    const aspects = body.aspects?.length === 0 ? undefined : canonicalAspects(entityTypes, body.aspects ?? []);
    const order = body.sortCriteria?.[0]?.order ?? query.sortOrder;
    const page = await listEntities(parts, {
      entityTypes,
      condition: async (registry) => ({
        kind: 'and',
        of: [await resolveQuery(query.query, registry), await resolveFilters(filters, registry)],
      }),
      count: query.count,
      order: order === 'ASCENDING' ? 'ascending' : 'descending',
      includeRemoved: query.includeSoftDelete === true || isAboutRemoved(filters),
      ...(aspects === undefined ? {} : { aspects }),
      ...(query.scrollId === undefined ? {} : { scrollId: query.scrollId }),
    });
    const entities = page.entities.map((view) => entityBody('v3', view, query.systemMetadata ?? false));
    return { scrollId: page.scrollId ?? null, totalCount: page.total, entities };
  });
}
