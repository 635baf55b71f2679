import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { pathOf, queryOf, requestApi } from '../api/request.ts';
import type { EntityAnswer, EntityPage } from './entity-answer.ts';
import { type Property, propertyOf, propertyUrnOf } from './property.ts';

export interface KnownProperties {
  readonly properties: readonly Property[];
  /** How many there are; more than the list has when there are very many. */
  readonly total: number;
}

const PAGE = 1000;
/** What a page can sensibly keep and choose from. */
const MOST = 5000;

/** All properties with their definitions, soft-deleted ones too, in the order of their names. */
export const propertiesQuery = queryOptions({
  queryKey: ['properties'],
  queryFn: ({ signal }) => readProperties(signal),
  staleTime: 10_000,
  placeholderData: keepPreviousData,
});

/** One property; with marks also the resource that it belongs to. Fails with 404 when there is none. */
export function propertyQuery(name: string, withMarks: boolean) {
  return queryOptions({
    queryKey: ['property', name, withMarks],
    queryFn: async ({ signal }) => {
      const path = pathOf`/openapi/v3/entity/structuredProperty/${propertyUrnOf(name)}?owners=${String(withMarks)}&systemMetadata=true`;
      return propertyOf(await requestApi<EntityAnswer>(path, { signal })) ?? null;
    },
  });
}

async function readProperties(signal: AbortSignal): Promise<KnownProperties> {
  const properties: Property[] = [];
  let scrollId: string | undefined;
  let total = 0;
  do {
    const query = queryOf({
      count: PAGE,
      aspects: 'propertyDefinition,status',
      includeSoftDelete: 'true',
      systemMetadata: 'true',
      scrollId,
    });
    const page = await requestApi<EntityPage>(`/openapi/v3/entity/structuredProperty${query}`, { signal });
    for (const entity of page.entities) {
      const property = propertyOf(entity);
      if (property !== undefined) properties.push(property);
    }
    ({ scrollId, totalCount: total } = page);
  } while (scrollId !== undefined && properties.length < MOST);
  return { properties, total };
}
