import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestGraphql } from '../api/graphql.ts';
import { requestApi } from '../api/request.ts';
import type { EntityPage } from '../catalogue/entity-answer.ts';
import { hasEnded } from '../jobs/job-progress.ts';
import { jobsQuery } from '../jobs/jobs-query.ts';
import { needsAttention } from '../resources/resource-state.ts';
import { resourcesQuery } from '../resources/resources-query.ts';

/** How much there is behind a page of the catalogue, in few words; nothing while it is not known. */
export function CountOf({ to }: { readonly to: string }) {
  const Count = COUNTS[to];
  return Count === undefined ? null : <Count />;
}

const COUNTS: Readonly<Partial<Record<string, () => React.ReactNode>>> = {
  '/datasets': DatasetCount,
  '/properties': PropertyCount,
  '/jobs': JobCount,
  '/resources': ResourceCount,
};

const datasetCountQuery = queryOptions({
  queryKey: ['datasets', 'count'],
  queryFn: async ({ signal }) => {
    const query = 'query count($input: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $input) { total } }';
    const input = { types: ['DATASET'], query: '*', count: 0, searchFlags: { skipAggregates: true } };
    const answer = await requestGraphql<{ scrollAcrossEntities: { total: number } }>(query, { input }, signal);
    return answer.scrollAcrossEntities.total;
  },
});

const propertyCountQuery = queryOptions({
  queryKey: ['properties', 'count'],
  queryFn: async ({ signal }) =>
    (await requestApi<EntityPage>('/openapi/v3/entity/structuredProperty?count=0', { signal })).totalCount,
});

function DatasetCount() {
  const { data } = useQuery(datasetCountQuery);
  return data === undefined ? null : <Count count={data} noun="datasets" />;
}

function PropertyCount() {
  const { data } = useQuery(propertyCountQuery);
  return data === undefined ? null : <Count count={data} noun="live properties" />;
}

function JobCount() {
  const { data } = useQuery(jobsQuery);
  return data === undefined ? null : <Count count={data.filter((job) => !hasEnded(job)).length} noun="under way" />;
}

function ResourceCount() {
  // All of them are read for it: once is enough here.
  const { data } = useQuery({ ...resourcesQuery, refetchInterval: false });
  return data === undefined ? null : <Count count={data.filter(needsAttention).length} noun="need attention" />;
}

function Count({ count, noun }: { readonly count: number; readonly noun: string }) {
  return (
    <p className="overview-count">
      <strong>{count.toLocaleString('en')}</strong> {noun}
    </p>
  );
}
