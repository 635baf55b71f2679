import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { SEARCHED_TYPES } from '../../../model/entity-type.ts';
import { MAX_NAMES } from '../../../model/limits.ts';
import { FILTER_OPERATORS, isAboutRemoved, resolveFilters } from '../../catalog/find/resolve-filters.ts';
import { resolveQuery } from '../../catalog/find/resolve-query.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { checkedBody } from '../../request/bodies.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { findEntities } from '../../use-cases/entities.ts';
import { listText, objectText, sendText } from '../json-text.ts';
import { canonicalAspects, listQuery, requireEntityType } from '../parameters.ts';
import { entityResponse } from '../schemas.ts';
import { typed } from '../typed-routes.ts';
import { entityBody, printing } from '../views.ts';

const rule = z.strictObject({
  field: z.string(),
  values: z.array(z.string()).optional(),
  value: z.string().optional().describe('The same as values with one'),
  condition: z.enum(FILTER_OPERATORS).default('EQUAL'),
  negated: z.boolean().default(false),
});

/** As the reference catalogue's clients send it. */
const scrollRequest = z.strictObject({
  entities: z
    .array(z.string())
    .max(MAX_NAMES)
    .nullish()
    .describe('Names of entity types; the searchable ones when absent'),
  aspects: z.array(z.string()).max(MAX_NAMES).nullish().describe('Aspects to return; none when absent, all when empty'),
  filter: z
    .strictObject({
      and: z
        .array(z.strictObject({ criteria: z.array(rule) }))
        .describe('Groups of conditions: one of the groups has to hold, with all its criteria'),
    })
    .nullish(),
  sortCriteria: z
    .array(
      z.strictObject({
        field: z.literal('urn', { error: 'entities are sorted by urn' }),
        order: z.enum(['ASCENDING', 'DESCENDING']).optional(),
      }),
    )
    .nullish()
    .describe('Wins over the parameter sortOrder'),
});

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
  const path = '/openapi/v3/entity/scroll';
  typed(server).post(path, { schema, config: { readsOnly: true } }, async (request, reply) => {
    const { query } = request;
    const body = checkedBody(scrollRequest, request);
    const context = contextOf(parts, request);
    const registry = await context.registry();
    const named = new Set(body.entities?.map(requireEntityType));
    const entityTypes = named.size > 0 ? [...named] : SEARCHED_TYPES;
    const filters = (body.filter?.and ?? []).map(({ criteria }) => ({ and: criteria }));
    const aspects = body.aspects?.length === 0 ? undefined : canonicalAspects(entityTypes, body.aspects ?? []);
    const order = body.sortCriteria?.[0]?.order ?? query.sortOrder;
    const asked = {
      entityTypes,
      condition: {
        kind: 'and' as const,
        of: [await resolveQuery(query.query, registry), await resolveFilters(filters, registry)],
      },
      count: query.count,
      order: order === 'ASCENDING' ? ('ascending' as const) : ('descending' as const),
      includeRemoved: query.includeSoftDelete || isAboutRemoved(filters),
      ...(aspects === undefined ? {} : { aspects }),
      ...(query.scrollId === undefined ? {} : { scrollId: query.scrollId }),
    };
    const inVersion3 = printing((view) => entityBody('v3', view, query.systemMetadata));
    const { scrollId = null, total, entities } = await findEntities(context, asked, inVersion3);
    const members = { scrollId: [JSON.stringify(scrollId)], totalCount: [String(total)], entities: listText(entities) };
    return sendText(reply, objectText(members));
  });
}
