import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { MAX_COST, MAX_DEPTH, MAX_DOCUMENT, MAX_TOKENS } from '../../../api-server/graphql/limits.ts';
import { dataset } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

let server: TestServer;
let graphql: Graphql;
beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  await server.catalog.dataset('x');
});
afterAll(() => server.close());

const urn = dataset('x');

/** A dataset's own schema fields' parents' schema fields', so many levels deep. */
function nested(levels: number): string {
  const open = '... on SchemaFieldEntity { parent { ';
  return `{ entity(urn: "${urn}") { urn ${open.repeat(levels)} urn ${'} } '.repeat(levels)} } }`;
}

describe('a document', () => {
  it(`goes no deeper than ${MAX_DEPTH} levels`, async () => {
    expect(await graphql.data(nested(10))).toEqual({ entity: { urn } });
    expect(await graphql.refusal(nested(13))).toMatch(
      /^400 BAD_REQUEST: `unnamedQuery query depth \(28\) exceeds the query depth limit of 25`$/u,
    );
    const levels = Array.from(
      { length: 30 },
      (_, index) => `fragment f${index} on SchemaFieldEntity { parent { ...f${index + 1} } }`,
    );
    const fragments = `{ entity(urn: "${urn}") { ...f0 } } ${levels.join(' ')} fragment f30 on SchemaFieldEntity { urn }`;
    expect(await graphql.refusal(fragments)).toContain('exceeds the query depth limit of 25');
  });

  it('of introspection, as tools send it, is not too deep', async () => {
    const { body } = await graphql.send(getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }));
    expect(body.errors).toBeUndefined();
  });

  it(`has no more than ${MAX_TOKENS} tokens and ${MAX_DOCUMENT} characters`, async () => {
    expect(await graphql.refusal(`{ ${'a: __typename '.repeat(5000)} }`)).toContain(
      `400 BAD_REQUEST: Syntax Error: Document contains more that ${MAX_TOKENS} tokens. Parsing aborted.`,
    );
    const { status, body } = await server.post('/api/graphql', {
      query: `{ __typename } #${'x'.repeat(MAX_DOCUMENT)}`,
    });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'Validation Error' });
    expect(body.message).toContain('query: ');
  });
});

describe('the cost of an operation', () => {
  const search = (count: unknown, selection = 'urn') =>
    `scrollAcrossEntities(input: {query: "*", count: ${count}, searchFlags: {skipAggregates: true}}) {
      searchResults { entity { ${selection} } } }`;
  const TOO_DEAR =
    /^400 BAD_REQUEST: The query costs about \d+, more than 500000: ask for fewer entities, facets or fields at a time$/u;

  it('allows the largest pages of what clients ask for', async () => {
    expect(MAX_COST).toBe(500_000);
    await graphql.data(`{ ${search(10_000, 'urn type ... on Dataset { name platform { name } }')} }`);
    await graphql.data(
      `{ ${search(5000, '... on Dataset { structuredProperties { properties { values { __typename } } } }')} }`,
    );
  });

  it('grows with the page and with what is asked of each entity', async () => {
    const selection = `... on Dataset { structuredProperties { properties { structuredProperty { definition { qualifiedName
      allowedValues { description } entityTypes { info { qualifiedName } } } } } } }`;
    expect(await graphql.refusal(`{ ${search(10_000, selection)} }`)).toMatch(TOO_DEAR);
    await graphql.data(`{ ${search(1000, selection)} }`);
    const variables =
      'query($n: Int) { scrollAcrossEntities(input: {query: "*", count: $n}) { searchResults { entity { ...F } } } }';
    const fragment = `fragment F on Entity { ${selection} }`;
    expect(await graphql.refusal(`${variables} ${fragment}`, { n: 10_000 })).toMatch(TOO_DEAR);
    expect(await graphql.refusal(`${variables} ${fragment}`, { n: '10000' })).toMatch(TOO_DEAR);
    await graphql.data(`${variables} ${fragment}`, { n: 10 });
  });

  it('grows with every alias: a hundred searches are too many', async () => {
    const many = (length: number) => Array.from({ length }, (_, index) => `a${index}: ${search(1)}`).join(' ');
    await graphql.data(`{ ${many(90)} }`);
    expect(await graphql.refusal(`{ ${many(101)} }`)).toMatch(TOO_DEAR);
    const facets = JSON.stringify(Array.from({ length: 101 }, (_, index) => `f${index}`));
    const aggregate = `{ aggregateAcrossEntities(input: {query: "*", facets: ${facets}}) { facets { field } } }`;
    expect(await graphql.refusal(aggregate)).toMatch(TOO_DEAR);
    const urns = JSON.stringify(Array.from({ length: 10_001 }, () => 'x'));
    const entities = 'query($urns: [String!]!) { entities(urns: $urns) { urn } }';
    expect(await graphql.refusal(entities, { urns: JSON.parse(urns) })).toMatch(TOO_DEAR);
    const removal = `removeStructuredProperties(input: {assetUrn: "${urn}", structuredPropertyUrns: []}) { __typename }`;
    const mutations = Array.from({ length: 101 }, (_, index) => `m${index}: ${removal}`);
    expect(await graphql.refusal(`mutation { ${mutations.join(' ')} }`)).toMatch(TOO_DEAR);
  });

  it('counts facets beside results for the search, not for each result', async () => {
    const page = (count: number, flags: string, facets: string) =>
      `{ scrollAcrossEntities(input: {query: "*", count: ${count}, searchFlags: {${flags}}}) {
        searchResults { entity { urn } } ${facets} } }`;
    const facets = 'facets { field aggregations { value count } }';
    await graphql.data(page(10_000, '', facets));
    await graphql.data(page(10, 'includeStructuredPropertyFacets: true', facets));
    await graphql.data(
      page(10, 'includeStructuredPropertyFacets: true, maxAggValues: 10000, skipAggregates: true', facets),
    );
    await graphql.data(page(10, 'maxAggValues: 1000', facets));
    expect(
      await graphql.refusal(page(10, 'includeStructuredPropertyFacets: true, maxAggValues: 10000', facets)),
    ).toMatch(TOO_DEAR);
    const aliases = Array.from({ length: 900 }, (_, index) => `f${index}: ${facets}`).join(' ');
    expect(await graphql.refusal(page(1, 'maxAggValues: 100', aliases))).toMatch(TOO_DEAR);
  });

  it('counts the marked properties where facets are not named, and nothing for what is less than none', async () => {
    const aggregate = (input: string) =>
      `aggregateAcrossEntities(input: {query: "*", ${input}}) { facets { field aggregations { value } } }`;
    for (const facets of ['', 'facets: null', 'facets: []', 'facets: [null]']) {
      await graphql.data(`{ ${aggregate(facets)} }`);
      expect(await graphql.refusal(`{ a: ${aggregate(facets)} b: ${aggregate(facets)} }`)).toMatch(TOO_DEAR);
    }
    const many = Array.from({ length: 101 }, (_, index) => `a${index}: ${search(1)}`).join(' ');
    const negative = aggregate('facets: "x", searchFlags: {maxAggValues: -100000000}');
    expect(await graphql.refusal(`{ ${negative} ${many} }`)).toMatch(TOO_DEAR);
  });

  it('counts the lists of introspection', async () => {
    const aliases = (field: string) => Array.from({ length: 60 }, (_, index) => `a${index}: ${field}`).join(' ');
    const document = `{ __schema { types { ${aliases('fields { type { ...F } }')} } } }
      fragment F on __Type { ${aliases('fields { name }')} }`;
    expect(await graphql.refusal(document)).toMatch(TOO_DEAR);
  });

  it('is that of the operation which is carried out', async () => {
    const document = `query cheap { __typename } query dear { ${Array.from({ length: 101 }, (_, index) => `a${index}: ${search(1)}`).join(' ')} }`;
    expect((await graphql.send(document, {}, { operationName: 'cheap' })).body.data).toEqual({ __typename: 'Query' });
    expect((await graphql.send(document, {}, { operationName: 'dear' })).body.errors?.[0]?.message).toContain(
      'costs about',
    );
  });

  it('is not got round by fragments that multiply', async () => {
    const fragments = Array.from(
      { length: 20 },
      (_, index) => `fragment f${index} on Query { ...f${index + 1} a${index}: __typename ...f${index + 1} }`,
    );
    const bomb = `{ ...f0 } ${fragments.join(' ')} fragment f20 on Query { __typename }`;
    expect(await graphql.refusal(bomb)).toContain('Query exceeds the maximum allowed number of nodes.');
  });
});
