import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { allRecords } from '../../../api-server/store/pages.ts';
import type { Fence } from '../../../api-server/store/port.ts';
import { fenceOf } from '../../contract/store/fixture.ts';
import { add, assignmentsBody, dataset, definitionBody, mark, property } from '../../harness/catalog.ts';
import { type Answer, path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeEach(async () => {
  api = await TestServer.open();
});
afterEach(() => api.close());

type Headers = Record<string, string>;

const header = (fence: Partial<Record<keyof Fence, string | number>>): Headers => ({
  'x-proplane-fence': new URLSearchParams(
    Object.entries(fence).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString(),
});
const leader = (transitions: number) => header({ ...fenceOf(transitions) });
const owner = (kind: string) => ({
  'x-proplane-owner': new URLSearchParams({ ...mark('one', { kind }) }).toString(),
});

const d = dataset('d');
const p = property('p');
const values = path('v3', d, 'structuredProperties');
const resource = '/resources/DatasetProperties/shop/one';
const resources = [{ kind: 'DatasetProperties', namespace: 'shop', name: 'one', specHash: 'y' }];
const held = [{ kind: 'DatasetProperties', namespace: 'shop', name: 'two' }];

/** Every kind of write that an operator sends, and those that share their way. */
const WRITES: Record<string, (headers: Headers) => Promise<Answer>> = {
  'a new definition': (headers) =>
    api.post(path('v3', property('new'), 'propertyDefinition'), definitionBody('new'), {
      ...headers,
      ...owner('StructuredProperty'),
    }),
  'a definition': (headers) =>
    api.post(path('v3', p, 'propertyDefinition'), definitionBody('p', { description: 'late' }), headers),
  'a status': (headers) => api.post(path('v3', p, 'status'), { removed: true }, headers),
  'the deletion of an entity': (headers) => api.send('DELETE', path('v3', p), { headers }),
  'the deletion of an aspect': (headers) => api.send('DELETE', values, { headers }),
  'a patch of values': (headers) =>
    api.patch(values, [add('p', 'late')], { ...headers, ...owner('DatasetProperties') }),
  'a write of values': (headers) => api.post(values, assignmentsBody({ p: ['late'] }), headers),
  'a batch': (headers) =>
    api.post(
      '/openapi/v3/entity/dataset',
      [d, dataset('e')].map((urn) => ({ urn, datasetProperties: { value: { name: 'late' } } })),
      headers,
    ),
  'a batch over types': (headers) =>
    api.post(
      '/openapi/v3/entity/generic',
      { dataset: [{ urn: d, datasetProperties: { value: { name: 'late' } } }] },
      headers,
    ),
  'clearing owner marks': (headers) =>
    api.send('DELETE', '/owners?source=git&kind=DatasetProperties&namespace=shop&name=one', { headers }),
  'recording resources': (headers) => api.post('/resources/register', { source: 'git', resources }, headers),
  'a status of a resource': (headers) =>
    api.send('PUT', resource, { body: { source: 'git', status: { late: true } }, headers }),
  'forgetting a resource': (headers) => api.send('DELETE', `${resource}?source=git`, { headers }),
  'holding deletions back': (headers) =>
    api.send('PUT', '/resources/held-deletions', { body: { source: 'git', resources: held }, headers }),
  'a GraphQL mutation': async (headers) => {
    const query = `mutation { deleteStructuredProperty(input: { urn: "${p}" }) }`;
    const answer = await api.post('/api/graphql', { query }, headers);
    // GraphQL says it inside the answer once it has begun.
    return answer.body.errors?.[0].extensions.code === 409 ? { ...answer, status: 409 } : answer;
  },
};

/** What writes change; a refused one may leave what a crash leaves: a claim of a name, a job without work. */
async function contents(): Promise<unknown> {
  const { store } = api.catalog.parts;
  const kinds = ['resource', 'heldResources', 'batch'];
  return [
    await store.entities.list({ limit: 100 }),
    await Promise.all(kinds.map((kind) => Array.fromAsync(allRecords(store, kind)))),
  ];
}

async function filled(): Promise<void> {
  await api.catalog.define('p');
  await api.catalog.dataset('d');
  await api.catalog.patch(d, [add('p', 'x')], { owner: mark('one') });
  await api.post('/resources/register', { source: 'git', resources: [{ ...resources[0], specHash: 'x' }] });
}

const FENCED = {
  error: 'Fenced',
  message: expect.stringContaining('Another operator leads source git now (Lease lease1, transitions 2)'),
};

describe('a read of an operator', () => {
  it.each([
    ['/openapi/v3/entity/structuredProperty/batchGet', [{ urn: p }]],
    ['/openapi/v3/entity/scroll?count=0', { entities: ['dataset'] }],
  ])('is answered whoever leads, and says nothing about it: POST %s', async (path, body) => {
    await filled();
    await api.send('PUT', '/fences', { headers: leader(2) });
    for (const transitions of [1, 3]) expect((await api.post(path, body, leader(transitions))).status).toBe(200);
    expect((await api.get('/fences')).body).toEqual({ fences: [fenceOf(2)] });
  });
});

describe('a write of an operator', () => {
  it.each(Object.entries(WRITES))('that leads no more is refused: %s', async (_, write) => {
    await filled();
    await api.send('PUT', '/fences', { headers: leader(2) });
    const before = await contents();
    const answer = await write(leader(1));
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject(FENCED);
    expect(await contents()).toEqual(before);
    expect((await write({})).status).toBeLessThan(300);
  });

  it.each(Object.entries(WRITES))('is refused when another takes over while it is on its way: %s', async (_, write) => {
    await filled();
    const { fences } = api.catalog.parts.store;
    const raise = fences.raise.bind(fences);
    const before = await contents();
    jest.spyOn(fences, 'raise').mockImplementation(async (fence) => {
      await raise(fence);
      await raise(fenceOf(2));
    });
    expect((await write(leader(1))).status).toBe(409);
    expect(await contents()).toEqual(before);
  });

  it.each(Object.entries(WRITES))('that leads is done, and says that it leads: %s', async (_, write) => {
    await filled();
    const before = await contents();
    expect((await write(leader(2))).status).toBeLessThan(300);
    expect(await contents()).not.toEqual(before);
    expect((await api.get('/fences')).body).toEqual({ fences: [fenceOf(2)] });
  });

  it('without a fence, or of another shard or source, is done all the same', async () => {
    await filled();
    await api.send('PUT', '/fences', { headers: leader(2) });
    for (const headers of [{}, header({ ...fenceOf(1), shard: 'b' }), header({ ...fenceOf(1), source: 'other' })]) {
      expect((await api.patch(values, [add('p', 'x')], headers)).status).toBe(200);
    }
  });

  it('may read whatever it was', async () => {
    await filled();
    await api.send('PUT', '/fences', { headers: leader(2) });
    const headers = leader(1);
    expect((await api.get(path('v3', d), { headers })).status).toBe(200);
    expect((await api.get('/resources', { headers })).status).toBe(200);
  });
});

describe('a fence', () => {
  it('is raised by itself at the beginning of a term, and shown', async () => {
    expect((await api.get('/fences')).body).toEqual({ fences: [] });
    const raised = await api.send('PUT', '/fences', { headers: leader(2) });
    expect([raised.status, raised.body]).toEqual([200, fenceOf(2)]);
    const again = await api.send('PUT', '/fences', { headers: leader(2) });
    expect([again.status, again.body]).toEqual([200, fenceOf(2)]);
    const lower = await api.send('PUT', '/fences', { headers: leader(1) });
    expect([lower.status, lower.body]).toEqual([409, FENCED]);
    const other = fenceOf(0, { shard: 'ü & ñ', lease: 'lease2' });
    expect((await api.send('PUT', '/gms/fences', { headers: header({ ...other }) })).body).toEqual(other);
    expect((await api.get('/fences')).body).toEqual({ fences: [fenceOf(2), other] });
  });

  it('is needed to raise one', async () => {
    expect(await api.send('PUT', '/fences')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('x-proplane-fence') },
    });
  });

  it.each([
    ['', 'source: missing; shard: missing; lease: missing; created: missing; transitions: missing'],
    ['source=git&shard=&lease=&created=1&transitions=1', 'lease: missing'],
    ['source=git&shard=&lease=l&created=1&transitions=-1', 'transitions: should be a whole number, not "-1"'],
    [
      'source=git&shard=&lease=l&created=2026-01-01&transitions=',
      'created: should be a whole number, not "2026-01-01"; transitions: should be a whole number, not ""',
    ],
    ['source=a%00b&shard=%00&lease=l&created=1&transitions=1', 'source: contains NUL; shard: contains NUL'],
  ])('that is %j is refused, saying what is wrong, and nothing is written', async (text, wrong) => {
    await filled();
    const before = await contents();
    for (const [name, write] of Object.entries(WRITES)) {
      const answer = await write({ 'x-proplane-fence': text });
      expect([name, answer.status, answer.body]).toEqual([
        name,
        400,
        { error: 'Malformed Request', message: `header X-Proplane-Fence: ${wrong}` },
      ]);
    }
    expect(await contents()).toEqual(before);
  });
});
