import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { requestGraphql } from '../api/graphql.ts';
import { HOLDINGS_QUERY, type HoldingsAnswer, holderInput, holdingsOf, holdingsVariables } from './holdings.ts';

const PAGE = 25;

/** How many hold a property, and what. A soft-deleted one cannot be searched for: its holders are not known. */
export function holdingsQuery(name: string) {
  return queryOptions({
    queryKey: ['holdings', name],
    queryFn: async ({ signal }) =>
      holdingsOf(await requestGraphql<HoldingsAnswer>(HOLDINGS_QUERY, holdingsVariables(name), signal), name),
  });
}

interface HoldersPage {
  readonly nextScrollId: string | null;
  readonly searchResults: readonly { readonly entity: { readonly urn: string } }[];
}

/** URNs of the holders, page after page. */
export function holdersQuery(name: string) {
  return infiniteQueryOptions({
    queryKey: ['holdings', name, 'holders'],
    queryFn: async ({ signal, pageParam }) => {
      const input = { ...holderInput(name), count: PAGE, scrollId: pageParam };
      const query = `query holders($input: ScrollAcrossEntitiesInput!) {
        scrollAcrossEntities(input: $input) { nextScrollId searchResults { entity { urn } } } }`;
      const skipped = { ...input, searchFlags: { ...input.searchFlags, skipAggregates: true } };
      const answer = await requestGraphql<{ scrollAcrossEntities: HoldersPage }>(query, { input: skipped }, signal);
      return answer.scrollAcrossEntities;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextScrollId }: HoldersPage) => nextScrollId,
  });
}

/** How many searches the server takes in one request. */
const SEARCHES_A_REQUEST = 50;

/** How many hold each of some properties. */
export function holderCountsQuery(names: readonly string[]) {
  return queryOptions({
    queryKey: ['holdings', 'counts', names],
    queryFn: async ({ signal }) => {
      const counts = new Map<string, number>();
      for (let from = 0; from < names.length; from += SEARCHES_A_REQUEST) {
        const some = names.slice(from, from + SEARCHES_A_REQUEST);
        const declared = some.map((_, at) => `$i${at}: ScrollAcrossEntitiesInput!`).join(', ');
        const asked = some.map((_, at) => `c${at}: scrollAcrossEntities(input: $i${at}) { total }`).join(' ');
        const variables = Object.fromEntries(some.map((name, at) => [`i${at}`, holdingsVariables(name).scroll]));
        const answer = await requestGraphql<Record<string, { readonly total: number }>>(
          `query counts(${declared}) { ${asked} }`,
          variables,
          signal,
        );
        for (const [at, name] of some.entries()) counts.set(name, answer[`c${at}`]?.total ?? 0);
      }
      return counts;
    },
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
  });
}
