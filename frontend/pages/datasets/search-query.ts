import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { requestGraphql } from '../api/graphql.ts';
import type { Property } from '../catalogue/property.ts';
import type { DatasetSearch } from './dataset-search.ts';
import { facetFields, facetsOf, facetsQuery } from './facets.ts';
import { orFiltersOf, queryTextOf } from './graphql-filters.ts';

export interface FoundDataset {
  readonly urn: string;
  readonly properties: { readonly description: string | null } | null;
  readonly editableProperties: { readonly description: string | null } | null;
  readonly subTypes: { readonly typeNames: readonly string[] | null } | null;
  readonly structuredProperties: { readonly properties: readonly unknown[] | null } | null;
}

interface Page {
  readonly total: number;
  readonly nextScrollId: string | null;
  readonly searchResults: readonly { readonly entity: FoundDataset }[];
}

const PAGE = 25;

const SEARCH = `query search($input: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $input) {
  total nextScrollId searchResults { entity { urn ... on Dataset {
    properties { description } editableProperties { description } subTypes { typeNames }
    structuredProperties { properties { associatedUrn } } } } } } }`;

/** What a search finds, page after page, with the total. */
export function resultsQuery(search: DatasetSearch) {
  return infiniteQueryOptions({
    queryKey: ['datasets', filtersOf(search)],
    queryFn: async ({ signal, pageParam }) => {
      const input = {
        types: ['DATASET'],
        ...filtersOf(search),
        count: PAGE,
        scrollId: pageParam,
        searchFlags: { skipAggregates: true },
      };
      const answer = await requestGraphql<{ scrollAcrossEntities: Page }>(SEARCH, { input }, signal);
      return answer.scrollAcrossEntities;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextScrollId }: Page) => nextScrollId,
    placeholderData: keepPreviousData,
  });
}

/** The values that can be chosen, with how many datasets each would leave. */
export function facetCountsQuery(search: DatasetSearch, properties: readonly Property[]) {
  const fields = facetFields(search, properties);
  return queryOptions({
    queryKey: ['datasets', 'facets', filtersOf(search), fields],
    queryFn: async ({ signal }) => {
      const { query, variables } = facetsQuery(search, fields);
      return facetsOf(await requestGraphql(query, variables, signal), fields, search);
    },
    placeholderData: keepPreviousData,
  });
}

function filtersOf(search: DatasetSearch) {
  return { query: queryTextOf(search), orFilters: orFiltersOf(search) };
}
