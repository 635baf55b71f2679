import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OwnedThing } from '../../../model/wire/owner-mark.ts';
import type { HeldDeletions, ResourceRecord } from '../../../model/wire/resource-record.ts';
import type { SourceRecord } from '../../../model/wire/source-record.ts';
import { pathOf, queryOf, requestApi } from '../api/request.ts';
import { judge } from './resource-state.ts';

/** In ms: how often is looked whether the operator has reported something else. */
const LOOK_EVERY = 5_000;
const PAGE = 2_000;

/** All resources that operators over folders report. */
export const resourcesQuery = queryOptions({
  queryKey: ['resources'],
  queryFn: async ({ signal }) => {
    const records: ResourceRecord[] = [];
    let after: string | undefined;
    do {
      const path = `/resources${queryOf({ count: PAGE, after })}`;
      const page = await requestApi<{ resources: readonly ResourceRecord[]; next?: string }>(path, { signal });
      for (const record of page.resources) records.push(record);
      after = page.next;
    } while (after !== undefined);
    return records.map(judge);
  },
  refetchInterval: LOOK_EVERY,
});

export interface ResourceAddress {
  readonly source: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export function resourceQuery({ source, kind, namespace, name }: ResourceAddress) {
  return queryOptions({
    queryKey: ['resources', source, kind, namespace, name],
    queryFn: async ({ signal }) => {
      const path = pathOf`/resources/${kind}/${namespace}/${name}?source=${source}`;
      return judge(await requestApi<ResourceRecord>(path, { signal }));
    },
    refetchInterval: LOOK_EVERY,
  });
}

/** The definitions and values that belong to a resource, page after page. */
export function ownedQuery(address: ResourceAddress) {
  return infiniteQueryOptions({
    queryKey: ['owners', address],
    queryFn: ({ signal, pageParam }) => {
      const path = `/owners${queryOf({ ...address, count: 50, after: pageParam })}`;
      return requestApi<{ readonly owners: readonly OwnedThing[]; readonly next?: string }>(path, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: async ({ signal }) =>
    (await requestApi<{ readonly sources: readonly SourceRecord[] }>('/sources', { signal })).sources,
  refetchInterval: LOOK_EVERY,
});

/** Deletions that wait for a person. */
export const heldDeletionsQuery = queryOptions({
  queryKey: ['held-deletions'],
  queryFn: async ({ signal }) =>
    (await requestApi<{ readonly held: readonly HeldDeletions[] }>('/resources/held-deletions', { signal })).held,
  refetchInterval: LOOK_EVERY,
});

/** Lets the deletions of a set happen: of the very set that was shown. */
export async function confirmDeletions(source: string, id: string): Promise<void> {
  await requestApi('/resources/confirm-deletions', { method: 'POST', body: { source, id } });
}
