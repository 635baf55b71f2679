import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from '../../../api-server/create-server.ts';
import { dataset, override, property, TIMEOUT } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

const AGGREGATE = `query($input: AggregateAcrossEntitiesInput!) { aggregateAcrossEntities(input: $input) { facets {
  field displayName entity { urn type ... on StructuredPropertyEntity { definition { qualifiedName } } }
  aggregations { value count displayName entity { urn } }
} } }`;

let server: TestServer;
let graphql: Graphql;

beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  const { catalog } = server;
  const entityTypes = ['dataset', 'dataFlow'];
  await catalog.define('org.number', {
    valueType: 'number',
    cardinality: 'MULTIPLE',
    entityTypes,
    displayName: 'Days',
  });
  await catalog.define('org.string', { cardinality: 'MULTIPLE', entityTypes });
  await catalog.define('org.date', { valueType: 'date', cardinality: 'MULTIPLE', entityTypes });
  await catalog.define('org.urn', { valueType: 'urn', cardinality: 'MULTIPLE', entityTypes });
  for (const name of ['a', 'b', 'c']) await catalog.dataset(name);
  await catalog.write('urn:li:dataset:(urn:li:dataPlatform:s3,d,DEV)', { subTypes: { typeNames: ['Table', 'View'] } });
  await catalog.write('urn:li:dataFlow:(airflow,f,PROD)', {});
  await catalog.write('urn:li:corpuser:ada', { corpUserInfo: {} });
  await catalog.assign(dataset('a'), {
    'org.number': [60, 0.1, 60],
    'org.string': ['Gold', 'gold', ''],
    'org.date': ['2024-02-29'],
    'org.urn': ['urn:li:corpuser:ada', 'urn:li:corpuser:bob', 'urn:li:chartish:x'],
  });
  await catalog.assign(dataset('b'), { 'org.number': [60, -7], 'org.string': ['gold'], 'org.date': ['1969-12-31'] });
  await catalog.assign('urn:li:dataFlow:(airflow,f,PROD)', { 'org.number': [365] });
  await catalog.index();
});
afterAll(() => server.close());

const aggregate = async (input: object) =>
  (await graphql.data(AGGREGATE, { input: { types: ['DATASET'], query: '*', ...input } })).aggregateAcrossEntities
    .facets;

describe('a facet', () => {
  it('counts entities by value, the most frequent first, and says what property it is', async () => {
    expect(await aggregate({ facets: ['structuredProperties.org.number'] })).toEqual([
      {
        field: 'structuredProperties.org.number',
        displayName: 'Days',
        entity: {
          urn: property('org.number'),
          type: 'STRUCTURED_PROPERTY',
          definition: { qualifiedName: 'org.number' },
        },
        aggregations: [
          { value: '60.0', count: 2, displayName: null, entity: null },
          { value: '-7.0', count: 1, displayName: null, entity: null },
          { value: '0.1', count: 1, displayName: null, entity: null },
        ],
      },
    ]);
  });

  it('keeps the case of strings, and shows dates as dates', async () => {
    expect(await graphql.facet('structuredProperties.org.string')).toEqual(['gold=2', '=1', 'Gold=1']);
    expect(await graphql.facet('structuredProperties.org.date')).toEqual(['1969-12-31=1', '2024-02-29=1']);
  });

  it('says of URNs which entities they are, if these exist', async () => {
    const [{ aggregations }] = await aggregate({ facets: ['structuredProperties.org.urn'] });
    expect(aggregations.map(({ value, entity }: { value: string; entity: unknown }) => [value, entity])).toEqual([
      ['urn:li:chartish:x', null],
      ['urn:li:corpuser:ada', { urn: 'urn:li:corpuser:ada' }],
      ['urn:li:corpuser:bob', null],
    ]);
  });

  it('counts what the types, the text and the filters leave', async () => {
    const field = 'structuredProperties.org.number';
    expect(await graphql.facet(field, { types: [] })).toEqual(['60.0=2', '-7.0=1', '0.1=1', '365.0=1']);
    expect(await graphql.facet(field, { types: ['DATA_FLOW'] })).toEqual(['365.0=1']);
    expect(await graphql.facet(field, { query: 'a' })).toEqual(['0.1=1', '60.0=1']);
    const filter = { field, condition: 'LESS_THAN', values: ['0'] };
    expect(await graphql.facet(field, { orFilters: [{ and: [filter] }] })).toEqual(['-7.0=1', '60.0=1']);
  });

  it('has no more values than asked for, exactly counted', async () => {
    const { catalog } = server;
    const field = 'structuredProperties.org.string';
    const many = Array.from({ length: 30 }, (_, index) => `v${String(index).padStart(2, '0')}`);
    await catalog.dataset('many');
    await catalog.assign(dataset('many'), { 'org.string': many });
    await catalog.index();
    const limited = (maxAggValues?: unknown) =>
      graphql.facet(field, { searchFlags: maxAggValues === undefined ? {} : { maxAggValues } });
    expect(await limited()).toHaveLength(20);
    expect(await limited(null)).toHaveLength(20);
    expect(await limited(1)).toEqual(['gold=2']);
    expect(await limited(3)).toEqual(['gold=2', '=1', 'Gold=1']);
    expect(await limited(10_000)).toHaveLength(33);
    for (const wrong of [0, -1, 10_001]) {
      const input = { query: '*', facets: [field], searchFlags: { maxAggValues: wrong } };
      expect(await graphql.refusal(AGGREGATE, { input })).toBe(
        `400 BAD_REQUEST: searchFlags.maxAggValues: ${wrong} is not within 1 and 10000`,
      );
    }
  });

  it('is there for the fields of entities', async () => {
    expect(await graphql.facet('platform', { types: [] })).toEqual([
      'urn:li:dataPlatform:hive=4',
      'urn:li:dataPlatform:s3=1',
    ]);
    expect(await graphql.facet('platform.keyword', { searchFlags: { maxAggValues: 1 } })).toEqual([
      'urn:li:dataPlatform:hive=4',
    ]);
    expect(await graphql.facet('_entityType', { types: [] })).toEqual(['DATASET=5', 'CORP_USER=1', 'DATA_FLOW=1']);
    expect(await graphql.facet('env')).toEqual(['PROD=4', 'DEV=1']);
    expect(await graphql.facet('typeNames')).toEqual(['Table=1', 'View=1']);
    expect(await graphql.facet('removed')).toEqual(['false=5']);
  });

  it('of many platforms has the most frequent ones', async () => {
    const { catalog } = server;
    const platform = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:p${index},x,TEST)`;
    await catalog.batch(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [platform(index), {}])));
    await catalog.index();
    const orFilters = [{ and: [{ field: 'origin', values: ['TEST'] }] }];
    const found = await graphql.facet('platform', { orFilters, searchFlags: { maxAggValues: 20 } });
    expect(found).toHaveLength(20);
    expect(found.every((one) => /^urn:li:dataPlatform:p\d+=1$/u.test(one))).toBe(true);
  });

  it('echoes the name that was asked for, and is empty where that means nothing', async () => {
    const names = ['structuredProperties.never.defined', 'nothing', 'structuredProperties.org_number', 'a␞b', '', null];
    const facets = await aggregate({ facets: names });
    expect(facets.map(({ field }: { field: string }) => field)).toEqual(names.slice(0, -1));
    expect(facets[0]).toEqual({ field: names[0], displayName: names[0], entity: null, aggregations: [] });
    expect(facets[2].aggregations).toHaveLength(3);
    expect([facets[1], facets[3], facets[4]].flatMap(({ aggregations }) => aggregations)).toEqual([]);
  });

  it('of a deleted property is empty, softly or not', async () => {
    const { catalog } = server;
    const field = 'structuredProperties.org.gone';
    await catalog.define('org.gone');
    await catalog.assign(dataset('c'), { 'org.gone': ['x'] });
    await catalog.index();
    expect(await graphql.facet(field)).toEqual(['x=1']);
    await catalog.softDelete('org.gone');
    expect(await graphql.facet(field)).toEqual([]);
    await catalog.restore('org.gone');
    expect(await graphql.facet(field)).toEqual(['x=1']);
    await catalog.delete(property('org.gone'));
    expect(await graphql.facet(field)).toEqual([]);
  });
});

describe('without facets asked for', () => {
  const fields = (facets: { field: string }[]) => facets.map(({ field }) => field);
  const standard = ['_entityType', 'platform', 'origin'];

  it('type, platform and origin are counted, and properties that are marked for it', async () => {
    for (const facets of [null, [], [null]]) expect(fields(await aggregate({ facets }))).toEqual(standard);
    const { catalog } = server;
    await catalog.write(property('org.string'), { structuredPropertySettings: { showInSearchFilters: true } });
    await catalog.write(property('org.date'), { structuredPropertySettings: { showInSearchFilters: false } });
    await catalog.index();
    expect(fields(await aggregate({}))).toEqual([...standard, 'structuredProperties.org.string']);
  });

  it('search results have them unless they are skipped', async () => {
    const search = async (searchFlags: object | null) => {
      const document = `query($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) {
        facets { field aggregations { value } } } }`;
      const input = { query: '*', count: 1, searchFlags };
      return fields((await graphql.data(document, { input })).searchAcrossEntities.facets);
    };
    expect(await search(null)).toEqual(standard);
    expect(await search({ skipAggregates: true })).toEqual([]);
    expect(await search({ includeStructuredPropertyFacets: true })).toEqual([
      ...standard,
      'structuredProperties.org.string',
    ]);
    const document = `{ scrollAcrossEntities(input: {query: "*"}) { facets { field } } }`;
    expect(fields((await graphql.data(document)).scrollAcrossEntities.facets)).toEqual(standard);
  });
});

describe('facets beside results', () => {
  it('are counted once for all aliases, one after the other, until the time is over', async () => {
    const { catalog } = server;
    let [calls, running, most, late] = [0, 0, 0, 0];
    const search = override(catalog.parts.search, {
      aggregate: async (request) => {
        calls++;
        running++;
        most = Math.max(most, running);
        await catalog.clock.advance(late);
        const counts = await catalog.parts.search.aggregate(request);
        running--;
        return counts;
      },
    });
    const other = await createServer({ ...catalog.replica(), search }, '1');
    const aliases = Array.from({ length: 20 }, (_, index) => `f${index}: facets { field }`).join(' ');
    const payload = { query: `{ searchAcrossEntities(input: {query: "*"}) { ${aliases} } }` };
    const ask = async () => (await other.inject({ method: 'POST', url: '/api/graphql', payload })).json();
    const { data } = await ask();
    expect(data.searchAcrossEntities.f19).toEqual(data.searchAcrossEntities.f0);
    expect({ calls, most }).toEqual({ calls: 3, most: 1 });
    late = TIMEOUT + 1;
    const { errors } = await ask();
    expect(errors[0].extensions.type).toBe('DEADLINE_EXCEEDED');
    expect(calls).toBe(4);
    await other.close();
  });
});

describe('the text of a number', () => {
  const NUMBERS = [
    60,
    0.1,
    0.1 + 0.2,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 53 + 2,
    5e-324,
    Number.MAX_VALUE,
    -0,
    1e21,
    1e-7,
    1e20,
  ];

  it('reads back as the same double, and finds what was counted', async () => {
    const { catalog } = server;
    await catalog.define('org.awkward', { valueType: 'number', cardinality: 'MULTIPLE' });
    await catalog.dataset('awkward');
    await catalog.assign(dataset('awkward'), { 'org.awkward': NUMBERS });
    await catalog.index();
    const field = 'structuredProperties.org.awkward';
    const found = (await graphql.facet(field)).map((one) => one.slice(0, -'=1'.length));
    expect(found.map(Number)).toEqual(NUMBERS.map((number) => (number === 0 ? 0 : number)).sort((a, b) => a - b));
    expect(found).toEqual(expect.arrayContaining(['60.0', '0.1', '0.0', '9007199254740991.0', '5e-324', '1e+21']));
    for (const value of found) expect(await graphql.find([{ field, values: [value] }])).toEqual([dataset('awkward')]);
  });
});
