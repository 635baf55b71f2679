import { type Figure, requestsPerSecond, type Servers } from './servers.ts';

const FIELD = 'structuredProperties.com.example.bench.days';
const QUERY = encodeURIComponent('structuredProperties.com_example_bench_days:>=990');

/** A page of ten by one filter, with its values, against the same page of the listing; a facet against bare counting. */
export async function graphqlBenchmark({ url }: Servers): Promise<Figure[]> {
  const filter = { field: FIELD, condition: 'GREATER_THAN_OR_EQUAL_TO', values: ['990'] };
  const scroll = `query($filter: FacetFilterInput!) {
    scrollAcrossEntities(input: {types: [DATASET], query: "*", count: 10, orFilters: [{and: [$filter]}],
      searchFlags: {skipAggregates: true}}) {
      searchResults { entity { urn ... on Dataset { structuredProperties { properties {
        structuredProperty { urn } values { ... on NumberValue { numberValue } } } } } } } } }`;
  const facet = `{ aggregateAcrossEntities(input: {types: [DATASET], query: "*", facets: ["${FIELD}"],
    searchFlags: {maxAggValues: 1000}}) { facets { aggregations { value count } } } }`;
  const listing = `${url}/openapi/v3/entity/dataset?aspects=structuredProperties&query=${QUERY}`;
  const asked = (body: object) =>
    requestsPerSecond(`${url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return [
    {
      name: 'a page of ten with values by GraphQL',
      value: await asked({ query: scroll, variables: { filter } }),
      baseline: await requestsPerSecond(`${listing}&count=10`),
      unit: 'requests/s',
    },
    {
      name: 'a facet of 1,000 values over all datasets',
      value: await asked({ query: facet }),
      baseline: await requestsPerSecond(`${url}/openapi/v3/entity/dataset?count=0`),
      unit: 'requests/s',
    },
  ];
}
