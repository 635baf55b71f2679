import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { CatalogParts } from '../../../api-server/catalog/parts.ts';
import { createServer } from '../../../api-server/create-server.ts';
import { add, dataset, override, property, TIMEOUT } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  await api.catalog.define('p');
  for (let index = 0; index < 150; index++) {
    await api.catalog.dataset(`d${index}`);
    await api.catalog.assign(dataset(`d${index}`), { p: ['x'] });
  }
  await api.catalog.index();
});
afterAll(() => api.close());

async function withServer<T>(
  changes: Partial<CatalogParts>,
  work: (server: FastifyInstance) => Promise<T>,
): Promise<T> {
  const server = await createServer(api.catalog.replica(changes), '1');
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

const graphql = (query: string) => ({ method: 'POST' as const, url: '/api/graphql', payload: { query } });
const LISTINGS = {
  'a listing': { method: 'GET', url: '/openapi/v3/entity/dataset?count=200&query=structuredProperties.p:x' },
  'a scroll': {
    method: 'POST',
    url: '/openapi/v3/entity/scroll?count=200',
    payload: { aspects: [], filter: { and: [{ criteria: [{ field: 'structuredProperties.p', value: 'x' }] }] } },
  },
  'a batch of reads': {
    method: 'POST',
    url: '/openapi/v3/entity/dataset/batchGet',
    payload: Array.from({ length: 150 }, (_, index) => ({ urn: dataset(`d${index}`) })),
  },
  'a search with its facets':
    graphql(`{ searchAcrossEntities(input: { query: "/q structuredProperties.p:x", count: 200 }) {
    searchResults { entity { ... on Dataset { structuredProperties { properties { associatedUrn } } } } }
    facets { field }
  } }`),
} as const;

describe('a request', () => {
  it.each(Object.entries(LISTINGS))('looks at the registry once: %s', async (_what, request) => {
    const { store } = api.catalog.parts;
    let looks = 0;
    const counting = override(store, {
      records: override(store.records, {
        get: (kind, ...rest) => {
          if (kind === 'registry') looks += 1;
          return store.records.get(kind, ...rest);
        },
      }),
    });
    const { payload } = await withServer({ store: counting }, (server) => server.inject(request));
    expect([payload.match(/"(?:propertyUrn|associatedUrn)"/gu)?.length, looks]).toEqual([150, 1]);
  });

  it('has one time limit, which begins before it searches', async () => {
    const { search } = api.catalog.parts;
    const slow = override(search, {
      search: async (asked) => {
        const found = await search.search(asked);
        await api.catalog.clock.advance(TIMEOUT + 1);
        return found;
      },
    });
    for (const request of [LISTINGS['a listing'], LISTINGS['a scroll']]) {
      const { statusCode, payload } = await withServer({ search: slow }, (server) => server.inject(request));
      expect([statusCode, JSON.parse(payload)]).toEqual([503, expect.objectContaining({ error: 'Timeout' })]);
    }
  });

  it('has a time limit that begins when it comes in, before its body is there', async () => {
    const url = path('v3', dataset('d0'), 'structuredProperties');
    const { statusCode } = await withServer({}, (server) => {
      server.addHook('preParsing', async () => {
        await api.catalog.clock.advance(TIMEOUT + 1);
      });
      return server.inject({ method: 'PATCH', url, payload: [add('p', 'late')] });
    });
    expect(statusCode).toBe(503);
    expect(await api.catalog.values(dataset('d0'))).toEqual(['p=x']);
  });

  it('that writes shows what it wrote, by the definition that it was checked against', async () => {
    const { registry, store } = api.catalog.parts;
    // Between the read of the mutation and its write the definition gets a new epoch.
    let changes = 0;
    const changing = override(store, {
      entities: override(store.entities, {
        get: async (urn) => {
          const document = await store.entities.get(urn);
          if (urn === dataset('d1') && ++changes === 2) {
            await api.catalog.delete(property('p'));
            await api.catalog.define('p');
          }
          return document;
        },
      }),
    });
    const mutation = `mutation { upsertStructuredProperties(input: { assetUrn: "${dataset('d1')}", structuredPropertyInputParams: [
      { structuredPropertyUrn: "${property('p')}", values: [{ stringValue: "new" }] }] }) { properties { values { ... on StringValue { stringValue } } } } }`;
    const { payload } = await withServer({ store: changing, registry }, (server) => server.inject(graphql(mutation)));
    expect(JSON.parse(payload)).toMatchObject({
      data: { upsertStructuredProperties: { properties: [{ values: [{ stringValue: 'new' }] }] } },
    });
  });
});
