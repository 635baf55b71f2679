import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { add, assignmentBody, dataset, property, remove } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  for (const name of ['p', 'q'])
    await api.catalog.define(name, { entityTypes: ['dataset', 'dataFlow', 'schemaField'] });
});
afterAll(() => api.close());

const flow = (name: string) => `urn:li:dataFlow:(airflow,${name},PROD)`;
const fieldOf = (urn: string, name: string) => `urn:li:schemaField:(${urn},${name})`;
const values = (urn: string) => api.catalog.values(urn);
const patchOf = (...patch: object[]) => ({ value: { patch, arrayPrimaryKeys: { properties: ['propertyUrn'] } } });

describe('a batch of patches', () => {
  it('is applied whole, several of one entity in their order', async () => {
    for (const name of ['a', 'b']) await api.catalog.dataset(name);
    await api.catalog.assign(dataset('a'), { p: ['1'], q: ['2'] });
    const answer = await api.patch('/openapi/v3/entity/dataset?async=false', [
      { urn: dataset('a'), structuredProperties: patchOf(remove('p')) },
      { urn: dataset('a'), structuredProperties: patchOf(add('p', '3')) },
      { urn: dataset('b'), structuredProperties: patchOf(add('q', '4')) },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ urn }: { urn: string }) => urn)).toEqual([dataset('a'), dataset('b')]);
    expect(answer.body[1].structuredProperties.value.properties).toEqual([assignmentBody('q', '4')]);
    expect([await values(dataset('a')), await values(dataset('b'))]).toEqual([['q=2', 'p=3'], ['q=4']]);
  });

  it('is refused whole, with all that is wrong in any patch', async () => {
    await api.catalog.dataset('c');
    const answer = await api.patch('/openapi/v3/entity/dataset', [
      { urn: dataset('c'), structuredProperties: patchOf(add('p', '1')) },
      { urn: dataset('a'), structuredProperties: patchOf(add('p', 5)) },
      { urn: dataset('b'), structuredProperties: patchOf(add('none', 'x')) },
    ]);
    expect([answer.status, answer.body.error]).toEqual([400, 'Validation Error']);
    for (const part of [dataset('a'), dataset('b'), property('none')]) expect(answer.body.message).toContain(part);
    expect(await values(dataset('c'))).toEqual([]);
    const unreadable = await api.patch('/openapi/v3/entity/dataset', [
      { urn: dataset('c'), structuredProperties: { value: { patch: [{ op: 'jump', path: '/x' }] } } },
    ]);
    expect(unreadable.body.message).toContain(`${dataset('c')} patch[0].op: must be one of`);
  });

  it('patches several aspects of an entity in one write', async () => {
    await api.catalog.dataset('e');
    const answer = await api.patch('/openapi/v3/entity/dataset', [
      {
        urn: dataset('e'),
        structuredProperties: patchOf(add('p', '1')),
        status: { value: { patch: [{ op: 'add', path: '/removed', value: true }] } },
      },
    ]);
    expect([answer.status, answer.body[0].status.value]).toEqual([202, { removed: true }]);
    expect(await values(dataset('e'))).toEqual(['p=1']);
    expect((await api.catalog.parts.store.entities.get(dataset('e')))?.revision).toBe(2);
  });

  it('needs the entities of values, unless they are to be made', async () => {
    const body = [{ urn: dataset('new'), structuredProperties: patchOf(add('p', '1')) }];
    expect((await api.patch('/openapi/v3/entity/dataset', body)).status).toBe(404);
    expect((await api.patch('/openapi/v3/entity/dataset?createIfEntityNotExists=true', body)).status).toBe(202);
    expect(await values(dataset('new'))).toEqual(['p=1']);
  });
});

describe('a batch over entity types', () => {
  it('writes, patches and reads entities of several types at once', async () => {
    const written = await api.post('/openapi/v3/entity/generic?async=false', {
      dataset: [{ urn: dataset('g'), status: { value: { removed: false } } }],
      dataFlow: [{ urn: flow('g'), dataFlowInfo: { name: 'g' } }],
    });
    expect([written.status, Object.keys(written.body).sort()]).toEqual([200, ['dataFlow', 'dataset']]);
    const patched = await api.patch('/openapi/v3/entity/generic?async=false', {
      dataset: [{ urn: dataset('g'), structuredProperties: patchOf(add('p', '1')) }],
      dataflow: [{ urn: flow('g'), structuredProperties: patchOf(add('q', '2')) }],
      schemaField: [{ urn: fieldOf(dataset('g'), 'f'), structuredProperties: patchOf(add('q', '3')) }],
    });
    expect(patched.status).toBe(200);
    expect(await values(fieldOf(dataset('g'), 'f'))).toEqual(['q=3']);
    const read = await api.post('/openapi/v3/entity/generic/batchGet', {
      dataset: [{ urn: dataset('g'), structuredProperties: {} }, { urn: dataset('nobody') }],
      dataFlow: [{ urn: flow('g') }],
    });
    expect(read.body).toEqual({
      dataset: [{ urn: dataset('g'), structuredProperties: { value: { properties: [assignmentBody('p', '1')] } } }],
      dataFlow: [
        {
          urn: flow('g'),
          dataFlowKey: { value: { orchestrator: 'airflow', flowId: 'g', cluster: 'PROD' } },
          dataFlowInfo: { value: { name: 'g' } },
          structuredProperties: { value: { properties: [assignmentBody('q', '2')] } },
        },
      ],
    });
  });

  it('names a type that there is not, and a URN of another type', async () => {
    const unknown = await api.post('/openapi/v3/entity/generic', { table: [] });
    expect([unknown.status, unknown.body.message]).toEqual([400, 'Unknown entity type table']);
    const wrong = await api.post('/openapi/v3/entity/generic', { dataFlow: [{ urn: dataset('g') }] });
    expect([wrong.status, wrong.body.message]).toEqual([400, `[0].urn: ${dataset('g')} is a dataset, not a dataFlow`]);
  });

  it('has routes for one entity of any type', async () => {
    await api.catalog.dataset('one');
    const url = `/openapi/v3/entity/generic/${encodeURIComponent(dataset('one'))}`;
    expect((await api.get(`${url}?aspects=datasetKey`)).body).toMatchObject({ urn: dataset('one'), datasetKey: {} });
    expect((await api.send('HEAD', url)).status).toBe(204);
    expect((await api.send('DELETE', url)).status).toBe(200);
    expect((await api.get(url)).status).toBe(404);
  });
});

describe('reading many entities', () => {
  it('gives all aspects, the named ones, or those that have the named version', async () => {
    await api.catalog.dataset('r');
    await api.catalog.assign(dataset('r'), { p: ['1'] });
    await api.catalog.assign(dataset('r'), { p: ['2'] });
    const read = async (aspects: object, query = '') =>
      (await api.post(`/openapi/v3/entity/dataset/batchGet${query}`, [{ urn: dataset('r'), ...aspects }])).body[0];
    expect(Object.keys(await read({})).sort()).toEqual([
      'datasetKey',
      'datasetProperties',
      'structuredProperties',
      'urn',
    ]);
    expect(Object.keys(await read({ structuredProperties: {}, status: {} }))).toEqual(['urn', 'structuredProperties']);
    const inVersion = (version: string) => read({ structuredProperties: { headers: { 'If-Version-Match': version } } });
    expect(await inVersion('2')).toHaveProperty('structuredProperties');
    expect(await inVersion('1')).toEqual({ urn: dataset('r') });
    const full = await read({ structuredProperties: {} }, '?systemMetadata=true');
    expect(full.structuredProperties.systemMetadata.version).toBe('2');
  });

  it('answers in version 2 with the entities that exist', async () => {
    await api.catalog.dataset('v2');
    const read = (body: object) => api.post('/openapi/v2/entity/batch/dataset', body);
    const both = await read({ urns: [dataset('v2'), dataset('nobody')], aspectNames: ['datasetKey'] });
    expect(both.body).toEqual({
      entities: [
        {
          urn: dataset('v2'),
          aspects: { datasetKey: { value: { name: 'v2', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' } } },
        },
      ],
    });
    const wrong = await read({ urns: ['nonsense', flow('x')] });
    expect(wrong.status).toBe(400);
    expect(wrong.body.message).toContain('urns[0]: ');
    expect(wrong.body.message).toContain('urns[1]: ');
    const nothing = await read({ names: [] });
    expect([nothing.status, nothing.body.message]).toEqual([400, expect.stringContaining('urns')]);
  });
});

it('a version of an aspect that is not the present one is not there', async () => {
  await api.catalog.dataset('v');
  await api.catalog.assign(dataset('v'), { p: ['1'] });
  await api.catalog.assign(dataset('v'), { p: ['2'] });
  const read = async (version: string) =>
    (await api.get(`${path('v3', dataset('v'), 'structuredProperties')}?version=${version}`)).status;
  expect([await read('0'), await read('2'), await read('1'), await read('x')]).toEqual([200, 200, 404, 400]);
});

describe('a batch over a property and its values', () => {
  const generic = (body: object) => api.post('/openapi/v3/entity/generic?async=false', body);
  const definition = (name: string, rest: object = {}) => ({
    urn: property(name),
    propertyDefinition: { qualifiedName: name, valueType: 'string', entityTypes: ['dataset'], ...rest },
  });
  const holding = (name: string) => ({
    urn: dataset('held'),
    structuredProperties: { properties: [assignmentBody(name, 'old')] },
  });

  it('is refused when the property changes in it, since the values were checked against what it was', async () => {
    await api.catalog.dataset('held');
    await api.catalog.define('changing');
    const breaking = definition('changing', { valueType: 'number', version: '20260101000000' });
    for (const change of [breaking, { urn: property('changing'), status: { removed: true } }]) {
      const answer = await generic({ structuredProperty: [change], dataset: [holding('changing')] });
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringContaining(`${property('changing')} changes in the same request`),
      ]);
    }
    const patched = await api.patch('/openapi/v3/entity/generic', {
      dataset: [{ urn: dataset('held'), structuredProperties: patchOf(add('changing', 'x')) }],
      structuredProperty: [
        { urn: property('changing'), status: { value: { patch: [{ op: 'add', path: '/removed', value: true }] } } },
      ],
    });
    expect(patched.status).toBe(400);
    expect(await values(dataset('held'))).toEqual([]);
  });

  it('is written when the definition stays what it is', async () => {
    await api.catalog.dataset('held');
    await api.catalog.define('staying', { entityTypes: ['dataset'] });
    const same = { structuredProperty: [definition('staying')], dataset: [holding('staying')] };
    expect((await generic(same)).status).toBe(200);
    expect(await values(dataset('held'))).toEqual(['staying=old']);
  });
});

it('a refused patch of several aspects claims no name and begins no job', async () => {
  const bad = { value: { patch: [{ op: 'add', path: '/nonsense', value: true }] } };
  const patch = (name: string, definition: object) =>
    api.patch('/openapi/v3/entity/structuredProperty', [
      {
        urn: property(name),
        propertyDefinition: {
          value: {
            patch: Object.entries(definition).map(([field, value]) => ({ op: 'add', path: `/${field}`, value })),
          },
        },
        structuredPropertySettings: bad,
      },
    ]);
  const body = { qualifiedName: 'leak.a', valueType: 'string', entityTypes: ['dataset'] };
  expect((await patch('leak.a', body)).status).toBe(400);
  expect(
    (await api.post(path('v3', property('leak_a'), 'propertyDefinition'), { ...body, qualifiedName: 'leak_a' })).status,
  ).toBe(200);
  expect((await patch('leak_a', { valueType: 'number', version: '20260101000000' })).status).toBe(400);
  expect((await api.get(`/jobs?subject=${encodeURIComponent(property('leak_a'))}`)).body.jobs).toEqual([]);
});

it('thousands of patches of one entity are one', async () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({
    urn: dataset('many'),
    datasetProperties: { patch: [{ op: 'add', path: `/customProperties/k${index}`, value: 'v' }] },
  }));
  const answer = await api.patch('/openapi/v3/entity/dataset?async=false', items);
  expect([answer.status, Object.keys(answer.body[0].datasetProperties.value.customProperties)]).toEqual([
    200,
    items.map((_, index) => `k${index}`),
  ]);
  expect((await api.catalog.parts.store.entities.get(dataset('many')))?.aspects.datasetProperties?.version).toBe(1);
});

it('an answer shows of each entity what was written of it', async () => {
  const answer = await api.post('/openapi/v3/entity/dataset?async=false', [
    { urn: dataset('m1'), status: { removed: false }, subTypes: { typeNames: ['x'] } },
    { urn: dataset('m2'), status: { removed: false } },
  ]);
  await api.post(path('v3', dataset('m2'), 'subTypes'), { typeNames: ['y'] });
  expect(Object.keys(answer.body[1])).toEqual(['urn', 'datasetKey', 'status']);
  const again = await api.post('/openapi/v3/entity/dataset?async=false', [
    { urn: dataset('m1'), subTypes: { typeNames: ['z'] } },
    { urn: dataset('m2'), status: { removed: false } },
  ]);
  expect(again.body.map(Object.keys)).toEqual([
    ['urn', 'datasetKey', 'subTypes'],
    ['urn', 'datasetKey', 'status'],
  ]);
});

it('more than a thousand entities are not read at once', async () => {
  const many = Array.from({ length: 1001 }, () => ({ urn: dataset('one') }));
  const answer = await api.post('/openapi/v3/entity/dataset/batchGet', many);
  expect([answer.status, answer.body.message]).toEqual([400, '1001 entities are asked for; at most 1000 at a time']);
  const v2 = await api.post('/openapi/v2/entity/batch/dataset', { urns: many.map(({ urn }) => urn) });
  expect(v2.status).toBe(400);
});
