import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, GraphQLBoolean, GraphQLInt, getIntrospectionQuery } from 'graphql';
import { SCHEMA_TEXT } from '../../../api-server/graphql/register.ts';
import { dataset } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

let server: TestServer;
let graphql: Graphql;
beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  await server.catalog.define('n', { valueType: 'number' });
  for (const name of ['a', 'b', 'c']) await server.catalog.dataset(name);
  await server.catalog.assign(dataset('a'), { n: [60] });
  await server.catalog.index();
});
afterAll(() => server.close());

describe('inputs', () => {
  it('that are lists may be given as one, in documents and in variables', async () => {
    const document = `{ scrollAcrossEntities(input: {
      types: DATASET, query: "*", orFilters: {and: {field: "structuredProperties.n", condition: EQUAL, values: "60"}}
    }) { searchResults { entity { urn } } } }`;
    const one = { scrollAcrossEntities: { searchResults: [{ entity: { urn: dataset('a') } }] } };
    expect(await graphql.data(document)).toEqual(one);
    const found = await graphql.find([], {
      types: 'DATASET',
      orFilters: { and: { field: 'structuredProperties.n', condition: 'EQUAL', values: '60' } },
    });
    expect(found).toEqual([dataset('a')]);
    const typed = `query($types: [EntityType!], $orFilters: [AndFilterInput!]) {
      scrollAcrossEntities(input: {types: $types, query: "*", orFilters: $orFilters}) { searchResults { entity { urn } } } }`;
    const orFilters = { and: { field: 'structuredProperties.n', values: '60' } };
    expect(await graphql.data(typed, { types: 'DATASET', orFilters })).toEqual(one);
  });

  it('that are booleans and whole numbers may be given as texts, in documents and in variables', async () => {
    const search = `query($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) {
      start searchResults { entity { urn } } } }`;
    const filter = { field: 'structuredProperties.n', values: ['60'] };
    const input = { query: '*', types: ['DATASET'], start: '1', count: '1' };
    expect(await graphql.data(search, { input })).toEqual({
      searchAcrossEntities: { start: 1, searchResults: [{ entity: { urn: dataset('b') } }] },
    });
    expect(await graphql.find([{ ...filter, negated: 'false' }])).toEqual([dataset('a')]);
    expect(await graphql.find([{ ...filter, negated: 'True' }])).toEqual([dataset('b'), dataset('c')]);
    const literal = `{ searchAcrossEntities(input: {query: "*", types: DATASET, start: "2", count: "1",
      searchFlags: {maxAggValues: "3", skipAggregates: "true"},
      orFilters: {and: {field: "x", negated: "true"}}}) { start facets { field } searchResults { entity { urn } } } }`;
    expect(await graphql.data(literal)).toEqual({
      searchAcrossEntities: { start: 2, facets: [], searchResults: [{ entity: { urn: dataset('c') } }] },
    });
    const header = `query($n: Int!, $b: Boolean!) { searchAcrossEntities(input: {query: "*", count: $n}) {
      start @skip(if: $b) count } }`;
    expect(await graphql.data(header, { n: '2', b: 'true' })).toEqual({ searchAcrossEntities: { count: 2 } });
  });

  it.each([
    ['start', '"x"', 'Int cannot represent non-integer value: "x"'],
    ['start', '"1.5"', 'Int cannot represent non-integer value: "1.5"'],
    ['start', '"99999999999"', 'Int cannot represent non-integer value: "99999999999"'],
    ['start', '"9999999999"', 'Int cannot represent non 32-bit signed integer value: 9999999999'],
    ['start', '1.5', 'Int cannot represent non-integer value: 1.5'],
    ['start', 'true', 'Int cannot represent non-integer value: true'],
    ['searchFlags', '{skipCache: "yes"}', 'Boolean cannot represent a non boolean value: "yes"'],
    ['searchFlags', '{skipCache: 1}', 'Boolean cannot represent a non boolean value: 1'],
  ])('that are neither are refused: %s %s', async (field, value, message) => {
    const document = `{ searchAcrossEntities(input: {query: "*", ${field}: ${value}}) { start } }`;
    expect(await graphql.refusal(document)).toBe(`400 BAD_REQUEST: ${message}`);
    const sent = JSON.parse(value.replace(/(\w+):/u, '"$1":'));
    const search = 'query($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { start } }';
    expect(await graphql.refusal(search, { input: { query: '*', [field]: sent } })).toContain(message);
  });
});

describe('introspection', () => {
  it('shows the schema as it is written, with the scalars of the language', async () => {
    const query = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
    });
    const { __schema } = await graphql.data(query);
    const names = __schema.types.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(Object.keys(buildSchema(SCHEMA_TEXT).getTypeMap()).sort());
    const { inputFields } = __schema.types.find(({ name }: { name: string }) => name === 'SearchFlags');
    expect(inputFields.find(({ name }: { name: string }) => name === 'skipCache').type.name).toBe('Boolean');
    expect(String(GraphQLInt)).toBe('Int');
    expect(GraphQLBoolean.serialize(true)).toBe(true);
  });

  it('answers what clients ask of single types', async () => {
    const document = `{ __schema { queryType { name fields { name } } mutationType { name fields { name } } }
      __type(name: "SearchFlags") { inputFields { name } } }`;
    const { __schema, __type } = await graphql.data(document);
    expect(__schema.queryType.fields).toContainEqual({ name: 'scrollAcrossEntities' });
    expect(__schema.mutationType.fields).toContainEqual({ name: 'upsertStructuredProperties' });
    expect(__type.inputFields).toContainEqual({ name: 'includeSoftDeleted' });
  });
});
