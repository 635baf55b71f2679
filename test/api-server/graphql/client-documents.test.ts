import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, property } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

/** What clients of the reference catalogue send, word for word. */
const SCROLL_URNS = `
query scrollUrnsWithFilters($types:[EntityType!], $query:String!, $orFilters:[AndFilterInput!], $batchSize:Int!, $scrollId:String,
                            $skipCache:Boolean!, $sortInput:SearchSortInput, $includeSoftDeleted:Boolean) {
  scrollAcrossEntities(input:{query:$query, count:$batchSize, scrollId:$scrollId, types:$types, orFilters:$orFilters, sortInput:$sortInput,
      searchFlags:{skipHighlighting:true skipAggregates:true skipCache:$skipCache includeSoftDeleted:$includeSoftDeleted}}) {
    nextScrollId  searchResults { entity { urn } extraProperties { name value } } } }`;

/** Of earlier clients: no sorting, no flags of their own. */
const OLD_SCROLL_URNS = `
query scrollUrnsWithFilters($types: [EntityType!], $query: String!, $orFilters: [AndFilterInput!], $batchSize: Int!, $scrollId: String) {
  scrollAcrossEntities(input: {query: $query, count: $batchSize, scrollId: $scrollId, types: $types, orFilters: $orFilters,
      searchFlags: {skipHighlighting: true skipAggregates: true}}) {
    nextScrollId searchResults { entity { urn } } } }`;

const SEARCH = `
fragment PlatformFields on DataPlatform { urn name properties { displayName logoUrl } }
query search($types: [EntityType!] $query: String! $orFilters: [AndFilterInput!] $count: Int! $start: Int! $viewUrn: String $sortInput: SearchSortInput) {
  searchAcrossEntities(input: { query: $query count: $count start: $start types: $types orFilters: $orFilters viewUrn: $viewUrn
      sortInput: $sortInput searchFlags: { skipHighlighting: true, maxAggValues: 5 } }) {
    start count total
    searchResults { entity { ...SearchEntityInfo } }
    facets { field displayName aggregations { value count displayName entity { ...FacetEntityInfo } } }
  }
}
fragment FacetEntityInfo on Entity { urn type
  ... on Dataset { name properties { name } } ... on Container { subTypes { typeNames } properties { name } }
  ... on GlossaryTerm { properties { name } } }
fragment SearchEntityInfo on Entity { urn type
  ... on Dataset { name platform { ...PlatformFields } properties { name description customProperties { key value } } subTypes { typeNames } }
  ... on DataFlow { platform { ...PlatformFields } properties { name description } }
  ... on DataJob { jobId dataFlow { urn } properties { name description } }
  ... on Chart { properties { name description } } ... on Dashboard { properties { name description } }
  ... on Container { properties { name description } } ... on Domain { properties { name description } }
  ... on GlossaryTerm { properties { name description } } ... on Tag { properties { name description colorHex } }
  ... on CorpUser { username properties { displayName title email } } ... on CorpGroup { name properties { displayName description } }
  ... on DataPlatform { name properties { displayName logoUrl } } }`;

let server: TestServer;
let graphql: Graphql;
beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  const { catalog } = server;
  await catalog.define('org.a');
  await catalog.define('org.b');
  await catalog.softDelete('org.b');
  const name = 'SampleHiveDataset';
  await catalog.write(dataset(name), {
    datasetProperties: { description: 'Sample', customProperties: { env: 'PROD' } },
  });
  await catalog.write('urn:li:dataFlow:(airflow,f,PROD)', { dataFlowInfo: { name: 'Daily' } });
  await catalog.write('urn:li:chart:(looker,1)', { chartInfo: { title: 'Sales' } });
  await catalog.write('urn:li:corpuser:ada', { corpUserInfo: { displayName: 'Ada' } });
  await catalog.index();
});
afterAll(() => server.close());

describe('the client that lists structured properties', () => {
  const not = [{ and: [{ field: 'removed', condition: 'EQUAL', values: ['true'], negated: true }] }];
  const variables = {
    types: ['STRUCTURED_PROPERTY'],
    query: '*',
    orFilters: not,
    batchSize: 5000,
    skipCache: false,
    sortInput: null,
    includeSoftDeleted: false,
    scrollId: null,
  };

  it('gets those that are not soft deleted, and null for the next page', async () => {
    expect(await graphql.data(SCROLL_URNS, variables)).toEqual({
      scrollAcrossEntities: {
        nextScrollId: null,
        searchResults: [{ entity: { urn: property('org.a') }, extraProperties: [] }],
      },
    });
    const { skipCache, sortInput, includeSoftDeleted, ...old } = variables;
    expect((await graphql.data(OLD_SCROLL_URNS, old)).scrollAcrossEntities.searchResults).toHaveLength(1);
  });

  it('gets the soft-deleted ones, or all, when it asks for them', async () => {
    const only = {
      ...variables,
      orFilters: [{ and: [{ field: 'removed', values: ['true'] }] }],
      includeSoftDeleted: true,
    };
    const urns = async (given: object) =>
      (await graphql.data(SCROLL_URNS, given)).scrollAcrossEntities.searchResults.map(
        ({ entity }: { entity: { urn: string } }) => entity.urn,
      );
    expect(await urns(only)).toEqual([property('org.b')]);
    const all = { ...variables, orFilters: [{ and: [] }], includeSoftDeleted: true };
    expect(await urns(all)).toEqual([property('org.a'), property('org.b')]);
  });

  it('finds datasets of an environment by clauses of which most name fields that are not there', async () => {
    const orFilters = ['origin', 'env', 'customProperties', 'customProperties'].map((field, index) => ({
      and: [
        { field: 'platform.keyword', condition: 'EQUAL', values: ['urn:li:dataPlatform:hive'] },
        { field, condition: 'EQUAL', value: ['PROD', 'PROD', 'env=PROD', 'instance=PROD'][index] },
        ...(not[0]?.and ?? []),
      ],
    }));
    const { scrollAcrossEntities } = await graphql.data(SCROLL_URNS, { ...variables, types: null, orFilters });
    expect(scrollAcrossEntities.searchResults).toHaveLength(1);
  });
});

describe('the client that searches', () => {
  it('gets what it selects of each type', async () => {
    const variables = { query: '*', types: null, orFilters: null, count: 10, start: 0, viewUrn: null, sortInput: null };
    const { searchAcrossEntities } = await graphql.data(SEARCH, variables);
    const of = (type: string) =>
      searchAcrossEntities.searchResults.find(({ entity }: { entity: { type: string } }) => entity.type === type)
        .entity;
    const platform = (name: string) => ({ urn: `urn:li:dataPlatform:${name}`, name, properties: null });
    expect(of('DATASET')).toEqual({
      urn: dataset('SampleHiveDataset'),
      type: 'DATASET',
      name: 'SampleHiveDataset',
      platform: platform('hive'),
      properties: {
        name: 'SampleHiveDataset',
        description: 'Sample',
        customProperties: [{ key: 'env', value: 'PROD' }],
      },
      subTypes: null,
    });
    expect(of('DATA_FLOW')).toMatchObject({ platform: platform('airflow'), properties: { name: 'Daily' } });
    expect(of('CHART').properties).toEqual({ name: 'Sales', description: null });
    expect(of('CORP_USER')).toMatchObject({ username: 'ada', properties: { displayName: 'Ada', email: null } });
    expect(searchAcrossEntities.facets[0]).toMatchObject({ field: '_entityType', displayName: 'Type' });
  });
});

describe('the examples of the interface', () => {
  it('find by range, existence and equality, and aggregate', async () => {
    const { catalog } = server;
    await catalog.define('com.example.retentionTime', { valueType: 'number', cardinality: 'MULTIPLE' });
    await catalog.assign(dataset('SampleHiveDataset'), { 'com.example.retentionTime': [60] });
    await catalog.index();
    for (const condition of [
      'condition: GREATER_THAN, values: ["45.0"]',
      'condition: EXISTS',
      'condition: EQUAL, values: ["60"]',
    ]) {
      const found =
        await graphql.data(`query { scrollAcrossEntities(input: { types: DATASET, count: 10, query: "*", orFilters: {
        and: [{ field: "structuredProperties.com.example.retentionTime", ${condition} }] } }) {
        searchResults { entity { urn, type } } } }`);
      expect(found.scrollAcrossEntities.searchResults).toEqual([
        { entity: { urn: dataset('SampleHiveDataset'), type: 'DATASET' } },
      ]);
    }
    const aggregated = await graphql.send(`query { aggregateAcrossEntities(input: { types: [],
      facets: ["structuredProperties.com.example.retentionTime"], query: "*", orFilters: [],
      searchFlags: { maxAggValues: 100 } }) { facets { field aggregations { value count } } } }`);
    expect(aggregated.body).toEqual({
      data: {
        aggregateAcrossEntities: {
          facets: [
            { field: 'structuredProperties.com.example.retentionTime', aggregations: [{ value: '60.0', count: 1 }] },
          ],
        },
      },
      extensions: {},
    });
  });
});
