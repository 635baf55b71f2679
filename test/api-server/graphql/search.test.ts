import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from '../../../api-server/create-server.ts';
import { dataset, override, property, TIMEOUT } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

const SEARCH = `query($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) {
  start count total searchResults { entity { urn type } matchedFields { name } insights { text } extraProperties { name } }
  suggestions { text }
} }`;
const SCROLL = `query($input: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $input) {
  nextScrollId count total searchResults { entity { urn } }
} }`;

let server: TestServer;
let graphql: Graphql;
const names = Array.from({ length: 25 }, (_, index) => `shop.table${String(index).padStart(2, '0')}`);
const urns = names.map(dataset);

beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  const { catalog } = server;
  await catalog.define('org.a', { description: 'retention of the shop' });
  const writes = names.map((name) => [
    dataset(name),
    { datasetProperties: { name, description: `Orders / of ${name}` } },
  ]);
  await catalog.batch(Object.fromEntries(writes));
  await catalog.assign(urns[0] ?? '', { 'org.a': ['valueword'] });
  await catalog.write('urn:li:dataFlow:(airflow,shop_daily,PROD)', { dataFlowInfo: { name: 'Daily' } });
  await catalog.write('urn:li:tag:shop', { tagProperties: { name: 'shop' } });
  await catalog.write('urn:li:corpuser:shop', { corpUserInfo: {} });
  await catalog.write('urn:li:dataPlatform:shop', { dataPlatformInfo: {} });
  await catalog.write(`urn:li:schemaField:(${urns[0]},shop)`, { status: { removed: false } });
  await catalog.write(dataset('removed'), { status: { removed: true } });
  await catalog.index();
});
afterAll(() => server.close());

const search = async (input: object) =>
  (await graphql.data(SEARCH, { input: { query: '*', types: ['DATASET'], ...input } })).searchAcrossEntities;
const scroll = async (input: object) =>
  (await graphql.data(SCROLL, { input: { query: '*', types: ['DATASET'], ...input } })).scrollAcrossEntities;
const urnsOf = (page: { searchResults: { entity: { urn: string } }[] }) =>
  page.searchResults.map(({ entity }) => entity.urn);

describe('searchAcrossEntities', () => {
  it('shows a page from a start on, in the order of the URNs, and how many there are', async () => {
    const page = await search({ start: 20, count: 3 });
    expect(page).toMatchObject({ start: 20, count: 3, total: 25, suggestions: [] });
    expect(urnsOf(page)).toEqual(urns.slice(20, 23));
    expect(page.searchResults[0]).toEqual({
      entity: { urn: urns[20], type: 'DATASET' },
      matchedFields: [],
      insights: [],
      extraProperties: [],
    });
    expect(await search({ start: 24 })).toMatchObject({ start: 24, count: 1, total: 25 });
    expect(await search({ start: 30 })).toMatchObject({ start: 30, count: 0, total: 25 });
    expect(await search({ count: 0 })).toMatchObject({ start: 0, count: 0, total: 25 });
    expect(await search({ start: null, count: null })).toMatchObject({ start: 0, count: 10 });
  });

  it('goes no further than 10,000 and says what does', async () => {
    expect((await search({ start: 9000, count: 1000 })).total).toBe(25);
    expect(await graphql.refusal(SEARCH, { input: { query: '*', start: 9000, count: 1001 } })).toBe(
      '400 BAD_REQUEST: start and count: together more than 10000; scrollAcrossEntities goes through any number',
    );
    expect(await graphql.refusal(SEARCH, { input: { query: '*', start: -1 } })).toBe(
      '400 BAD_REQUEST: start: -1 is less than 0',
    );
    expect(await graphql.refusal(SCROLL, { input: { query: '*', count: -1 } })).toContain('count: -1 is less than 0');
  });

  it('without types looks at what people search for', async () => {
    for (const types of [null, []]) {
      const { searchResults } = await search({ types, count: 100 });
      const found = searchResults.map(({ entity }: { entity: { type: string } }) => entity.type);
      expect([...new Set(found)].sort()).toEqual(['CORP_USER', 'DATASET', 'DATA_FLOW', 'TAG']);
    }
    const all = ['SCHEMA_FIELD', 'STRUCTURED_PROPERTY', 'DATA_PLATFORM', 'DATA_PLATFORM'];
    expect(urnsOf(await search({ types: all }))).toEqual([
      'urn:li:dataPlatform:shop',
      `urn:li:schemaField:(${urns[0]},shop)`,
      property('org.a'),
    ]);
  });

  it('takes no more types than there could be', async () => {
    const types = Array.from({ length: 101 }, () => 'DATASET');
    expect(await search({ types: types.slice(1) })).toMatchObject({ total: 25 });
    expect(await graphql.refusal(SEARCH, { input: { query: '*', types } })).toBe(
      '400 BAD_REQUEST: types: 101, more than 100',
    );
  });

  it('sorts by URN, either way, and by nothing else', async () => {
    const backwards = urns.toReversed().slice(0, 10);
    const criterion = { field: 'urn', sortOrder: 'DESCENDING' };
    expect(urnsOf(await search({ sortInput: { sortCriterion: criterion } }))).toEqual(backwards);
    expect(urnsOf(await search({ sortInput: { sortCriteria: [criterion] } }))).toEqual(backwards);
    expect(urnsOf(await search({ sortInput: { sortCriteria: [criterion] }, start: 24 }))).toEqual([urns[0]]);
    for (const sortInput of [null, {}, { sortCriteria: [] }, { sortCriterion: { field: 'urn' } }]) {
      expect(urnsOf(await search({ sortInput }))).toEqual(urns.slice(0, 10));
    }
    const other = { sortCriteria: [criterion, { field: 'name', sortOrder: 'ASCENDING' }] };
    expect(await graphql.refusal(SEARCH, { input: { query: '*', sortInput: other } })).toBe(
      '400 BAD_REQUEST: sortInput: entities are sorted by urn, not by name',
    );
  });

  it('refuses a view, as there are none', async () => {
    expect(await graphql.refusal(SEARCH, { input: { query: '*', viewUrn: 'urn:li:dataHubView:x' } })).toBe(
      '400 BAD_REQUEST: viewUrn: there are no views',
    );
    expect((await search({ viewUrn: null })).total).toBe(25);
  });

  it('leaves soft-deleted entities out unless it is asked for them, by a flag or by a filter on removed', async () => {
    const removed = dataset('removed');
    expect((await search({ searchFlags: { includeSoftDeleted: true } })).total).toBe(26);
    expect((await search({ searchFlags: { includeSoftDeleted: false } })).total).toBe(25);
    expect(urnsOf(await search({ orFilters: [{ and: [{ field: 'removed', values: ['true'] }] }] }))).toEqual([removed]);
    for (const field of ['removed.keyword', 'removed.delimited']) {
      expect(urnsOf(await search({ filters: [{ field, values: ['true'] }] }))).toEqual([removed]);
    }
    const not = { field: 'removed', values: ['true'], condition: 'EQUAL', negated: true };
    expect((await search({ orFilters: [{ and: [not] }] })).total).toBe(25);
    expect((await search({ orFilters: [{ and: [{ field: 'removed', condition: 'EXISTS' }] }] })).total).toBe(26);
  });
});

describe('the text of a search', () => {
  const total = async (query: string) => (await search({ query, types: null })).total;

  it('is everything when it is a star or blank', async () => {
    const all = await total('*');
    for (const query of ['', '  ', ' * ']) expect(await total(query)).toBe(all);
  });

  it('is looked for among the words of names and descriptions, all words needed', async () => {
    expect(await total('table07')).toBe(1);
    expect(await total('ORDERS table07 of')).toBe(1);
    expect(await total('orders daily')).toBe(0);
    expect(await total('retention')).toBe(0);
    expect(await total('valueword')).toBe(0);
    expect((await search({ query: 'retention', types: ['STRUCTURED_PROPERTY'] })).total).toBe(1);
  });

  it('is never a syntax error', async () => {
    for (const query of ['orders/table07', 'orders:"(table07', 'table07)] AND', '[table07 TO', 'orders AND OR'])
      expect(await total(query)).toBeLessThanOrEqual(1);
    expect(await total('orders/table07')).toBe(1);
    expect(await total('/orders table07/')).toBe(1);
    for (const query of ['/', '():"', '\\', '😀', '**']) expect(await total(query)).toBe(0);
  });

  it('is limited in its length, as a query string is', async () => {
    expect(await total(`${' '.repeat(16_376)}table07 `)).toBe(1);
    for (const query of ['x '.repeat(9000), ' '.repeat(18_000)]) {
      expect(await graphql.refusal(SEARCH, { input: { query } })).toBe(
        '400 BAD_REQUEST: query: 18000 characters, more than 16384',
      );
    }
    expect(await graphql.refusal(SEARCH, { input: { query: `/q ${'x '.repeat(9000)}` } })).toContain(
      'longer than 16384 characters',
    );
  });

  it.each(['/q ', '\\/q ', '\\\\/q '])('that begins with %s is a query string', async (prefix) => {
    expect(await total(`${prefix}name:*table0? AND NOT name:shop.table03`)).toBe(9);
    expect(await total(`${prefix}structuredProperties.org_a:valueword`)).toBe(1);
    expect(await total(`${prefix}*`)).toBe(await total('*'));
    const refused = await graphql.refusal(SEARCH, { input: { query: `${prefix}name:(` } });
    expect(refused).toMatch(/^400 BAD_REQUEST: query, column \d+: /u);
  });

  it('goes together with filters', async () => {
    const filter = (value: string) => [{ and: [{ field: 'name', values: [value] }] }];
    expect((await search({ query: 'orders', orFilters: filter('shop.table01') })).total).toBe(1);
    expect((await search({ query: 'table02', orFilters: filter('shop.table01') })).total).toBe(0);
  });
});

describe('scrollAcrossEntities', () => {
  it('goes through all, page by page, and ends with null', async () => {
    for (const count of [7, 5, 25, 26, 5000]) {
      const found: string[] = [];
      let scrollId: string | null = null;
      let pages = 0;
      do {
        const page = await scroll({ count, scrollId });
        expect(page).toMatchObject({ total: 25, count: page.searchResults.length });
        found.push(...urnsOf(page));
        scrollId = page.nextScrollId;
        pages++;
      } while (scrollId !== null);
      expect({ count, found, pages }).toEqual({ count, found: urns, pages: Math.ceil(25 / count) });
    }
  });

  it('goes backwards as well', async () => {
    const sortInput = { sortCriteria: [{ field: 'urn', sortOrder: 'DESCENDING' }] };
    const first = await scroll({ count: 20, sortInput });
    const second = await scroll({ count: 20, sortInput, scrollId: first.nextScrollId });
    expect([...urnsOf(first), ...urnsOf(second)]).toEqual(urns.toReversed());
  });

  it('takes an empty scrollId for none, and refuses one that is none', async () => {
    expect(urnsOf(await scroll({ scrollId: '', count: 1 }))).toEqual([urns[0]]);
    expect(await graphql.refusal(SCROLL, { input: { query: '*', scrollId: 'x' } })).toBe(
      '400 BAD_REQUEST: scrollId: not one that a listing returned',
    );
  });

  it('takes a greater count than there may be for the most', async () => {
    expect((await scroll({ count: 99_999 })).count).toBe(25);
  });

  it('without a page shows none, and nothing behind it', async () => {
    expect(await scroll({ count: 0 })).toEqual({ nextScrollId: null, count: 0, total: 25, searchResults: [] });
  });
});

describe('what is deleted', () => {
  it('is not shown even while the index still has it', async () => {
    const { catalog } = server;
    const gone = 'urn:li:dataset:(urn:li:dataPlatform:s3,gone,PROD)';
    const field = `urn:li:schemaField:(${gone},id)`;
    await catalog.write(gone, { datasetProperties: {} });
    await catalog.write(field, { status: { removed: false } });
    await catalog.index();
    const filters = (urn: string) => [{ field: 'urn', values: [urn] }];
    expect(await graphql.find(filters(gone))).toEqual([gone]);
    expect(await graphql.find(filters(field), { types: ['SCHEMA_FIELD'] })).toEqual([field]);
    await catalog.delete(gone);
    expect(await graphql.find(filters(gone))).toEqual([]);
    expect(await graphql.find(filters(field), { types: ['SCHEMA_FIELD'] })).toEqual([]);
    await catalog.write(gone, { datasetProperties: {} });
    expect(await graphql.find(filters(gone))).toEqual([]);
    await catalog.index();
    expect(await graphql.find(filters(gone))).toEqual([gone]);
  });
});

describe('a page of many', () => {
  const search = (selection: string) => `{ searchAcrossEntities(input: {query: "*", types: DATASET, count: 300}) {
    count searchResults { entity { ${selection} } } } }`;

  it('is read from the store in parts, and the time limit is looked at before each', async () => {
    const { catalog } = server;
    const name = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:many,t${index},PROD)`;
    await catalog.batch(Object.fromEntries(Array.from({ length: 220 }, (_, index) => [name(index), {}])));
    await catalog.index();
    const asked: number[] = [];
    let late = 0;
    const entities = override(catalog.parts.store.entities, {
      getMany: async (urns, maxBytes) => {
        asked.push(urns.length);
        await catalog.clock.advance(late);
        return catalog.parts.store.entities.getMany(urns, maxBytes);
      },
    });
    const parts = catalog.replica({ store: override(catalog.parts.store, { entities }) });
    const other = await createServer(parts, '1');
    const counted = new Graphql({
      post: async (url, payload) => {
        const answer = await other.inject({ method: 'POST', url, payload: payload as object });
        return { status: answer.statusCode, body: answer.json() };
      },
    });
    const reads = async (selection: string) => {
      asked.length = 0;
      expect((await counted.data(search(selection))).searchAcrossEntities.count).toBe(246);
      return asked;
    };
    // Where only URNs are asked for, no document is read.
    expect(await reads('urn type ...on Dataset { __typename }')).toEqual([]);
    expect(await reads('urn ... on Dataset { name exists }')).toEqual([100, 1, 100, 46]);
    late = TIMEOUT + 1;
    expect(await counted.refusal(search('urn ... on Dataset { name exists }'))).toContain('504 DEADLINE_EXCEEDED');
    await other.close();
  });
});
