import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { add, assignmentBody, dataset, definitionBody, property, remove } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
});
afterAll(() => api.close());

const stored = {
  qualifiedName: 'io.acme.tier',
  valueType: 'urn:li:dataType:datahub.string',
  entityTypes: ['urn:li:entityType:datahub.dataset'],
};
const definition = { ...definitionBody('io.acme.tier'), entityTypes: ['dataset'] };
const tier = property('io.acme.tier');
const values = { properties: [assignmentBody('io.acme.tier', 'gold')] };
const d = dataset('logs.clicks');
const key = { name: 'logs.clicks', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' };

const patchOf = (...operations: object[]) => ({ patch: operations, arrayPrimaryKeys: { properties: ['propertyUrn'] } });

describe('version 3', () => {
  it('answers a definition inside its entity, written and read', async () => {
    const expected = { status: 200, body: { urn: tier, propertyDefinition: { value: stored } } };
    expect(await api.post(path('v3', tier, 'propertyDefinition'), definition)).toMatchObject(expected);
    const read = await api.get(path('v3', tier, 'propertyDefinition'));
    expect(read.status).toBe(200);
    expect(read.body).toEqual(expected.body);
  });

  it('answers values inside their entity, set, patched and read', async () => {
    await api.catalog.dataset('logs.clicks');
    const body = { urn: d, structuredProperties: { value: values } };
    expect((await api.post(path('v3', d, 'structuredProperties'), values)).body).toEqual(body);
    expect((await api.get(path('v3', d, 'structuredProperties'))).body).toEqual(body);
    const patched = await api.patch(path('v3', d, 'structuredProperties'), patchOf(add('io.acme.tier', 'silver')));
    expect(patched.body).toEqual({
      urn: d,
      structuredProperties: { value: { properties: [assignmentBody('io.acme.tier', 'silver')] } },
    });
    expect((await api.patch(path('v3', d, 'structuredProperties'), patchOf(remove('io.acme.tier')))).body).toEqual({
      urn: d,
      structuredProperties: { value: { properties: [] } },
    });
  });

  it('answers a status inside its entity, with system metadata when they are asked for', async () => {
    const plain = await api.post(`${path('v3', tier, 'status')}?systemMetadata=false`, { removed: true });
    expect(plain.body).toEqual({ urn: tier, status: { value: { removed: true } } });
    const full = await api.post(
      `${path('v3', tier, 'status')}?systemMetadata=true`,
      { removed: false },
      { 'x-datahub-actor': 'urn:li:corpuser:ada' },
    );
    const time = api.catalog.clock.now();
    expect(full.body).toEqual({
      urn: tier,
      status: {
        value: { removed: false },
        systemMetadata: {
          version: '2',
          lastObserved: time,
          runId: 'no-run-id-provided',
          lastRunId: 'no-run-id-provided',
          aspectCreated: { time, actor: 'urn:li:corpuser:__datahub_system' },
          aspectModified: { time, actor: 'urn:li:corpuser:ada' },
        },
      },
    });
  });

  it('answers an entity with all its aspects or some', async () => {
    const whole = await api.get(path('v3', d));
    expect(whole.body).toEqual({
      urn: d,
      datasetKey: { value: key },
      structuredProperties: { value: { properties: [] } },
      datasetProperties: { value: { name: 'logs.clicks' } },
    });
    for (const query of [
      'aspects=datasetKey&aspects=status',
      'aspectNames=datasetkey,status',
      'aspects=datasetKey&aspects=tagKey',
    ]) {
      expect((await api.get(`${path('v3', d)}?${query}`)).body).toEqual({ urn: d, datasetKey: { value: key } });
    }
  });

  it('answers a listing with its entities', async () => {
    await api.catalog.index();
    const { body } = await api.get(
      '/openapi/v3/entity/dataset?systemMetadata=false&aspects=datasetKey&aspects=structuredProperties&count=1&sort=urn&sortOrder=ASCENDING&query=*',
    );
    expect(body).toEqual({
      entities: [{ urn: d, datasetKey: { value: key }, structuredProperties: { value: { properties: [] } } }],
      totalCount: 1,
      scrollId: expect.any(String),
    });
    const last = await api.get(`/openapi/v3/entity/dataset?count=1&scrollId=${body.scrollId}`);
    expect(last.body).toEqual({ entities: [], totalCount: 1 });
  });
});

describe('version 2', () => {
  it('answers a read of an aspect with the aspect alone', async () => {
    const { status, body } = await api.get(path('v2', tier, 'propertyDefinition'));
    expect({ status, body }).toEqual({ status: 200, body: { value: stored } });
  });

  it('answers writes and patches with the aspect under aspects', async () => {
    const body = { urn: d, aspects: { structuredProperties: { value: values } } };
    expect((await api.post(path('v2', d, 'structuredProperties'), values)).body).toEqual(body);
    expect((await api.patch(path('v2', d, 'structuredProperties'), patchOf(add('io.acme.tier', 'gold')))).body).toEqual(
      body,
    );
    expect((await api.post(path('v2', tier, 'propertyDefinition'), definition)).body).toEqual({
      urn: tier,
      aspects: { propertyDefinition: { value: stored } },
    });
    expect((await api.post(path('v2', tier, 'status'), { removed: false })).body).toEqual({
      urn: tier,
      aspects: { status: { value: { removed: false } } },
    });
  });

  it('answers an entity and a listing with aspects under aspects', async () => {
    const body = { urn: d, aspects: { datasetKey: { value: key } } };
    expect((await api.get(`${path('v2', d)}?aspects=datasetKey`)).body).toEqual(body);
    await api.catalog.index();
    expect((await api.get('/openapi/v2/entity/dataset?aspects=datasetKey')).body).toEqual({ results: [body] });
  });
});

describe('names in paths', () => {
  it('are read in any case and answered in their own', async () => {
    for (const aspect of ['propertyDefinition', 'propertydefinition', 'PROPERTYDEFINITION']) {
      for (const type of ['structuredProperty', 'STRUCTUREDPROPERTY', 'structuredproperty']) {
        const url = path('v3', tier, aspect).replace('structuredProperty/', `${type}/`);
        expect((await api.get(url)).body).toEqual({ urn: tier, propertyDefinition: { value: stored } });
      }
    }
    const tags = { tags: [{ tag: 'urn:li:tag:x' }] };
    expect((await api.post(path('v3', d, 'globaltags'), tags)).body).toEqual({ urn: d, globalTags: { value: tags } });
  });
});

describe('presence', () => {
  it('is 204, or 404 for what is not there or soft deleted', async () => {
    const status = async (url: string) => {
      const answer = await api.send('HEAD', url);
      expect(answer.body).toBe('');
      return answer.status;
    };
    expect(await status(path('v3', d))).toBe(204);
    expect(await status(path('v3', d, 'structuredProperties'))).toBe(204);
    expect(await status(path('v3', d, 'status'))).toBe(404);
    expect(await status(path('v3', d, 'nothing'))).toBe(404);
    expect(await status(path('v3', dataset('none')))).toBe(404);
    expect(await status(path('v3', dataset('none'), 'status'))).toBe(404);
    await api.catalog.softDelete('io.acme.tier');
    expect(await status(path('v2', tier))).toBe(404);
    expect((await api.get(path('v2', tier))).status).toBe(200);
    await api.catalog.restore('io.acme.tier');
  });
});

describe('deletion', () => {
  it('answers 200 without a body, also for what is not there', async () => {
    for (const url of [
      path('v3', d, 'structuredProperties'),
      path('v3', d, 'structuredProperties'),
      path('v3', tier),
      path('v3', tier),
      path('v2', dataset('none'), 'status'),
      path('v2', d),
    ]) {
      const answer = await api.send('DELETE', url, { headers: { 'content-type': 'application/json' } });
      expect([url, answer.status, answer.body]).toEqual([url, 200, '']);
    }
    expect((await api.get(path('v3', tier))).status).toBe(404);
    expect((await api.get(path('v3', d))).status).toBe(404);
  });

  it.each(['aspects=status,globalTags,datasetProperties', 'clear=true'])(
    'of several aspects is one write: %s',
    async (query) => {
      const urn = dataset('several');
      await api.catalog.write(urn, { datasetProperties: { name: 'x' }, globalTags: { tags: [] } });
      await api.catalog.write(urn, { status: { removed: false } });
      const before = await api.catalog.parts.store.entities.get(urn);
      expect((await api.send('DELETE', `${path('v3', urn)}?${query}`)).status).toBe(200);
      const after = await api.catalog.parts.store.entities.get(urn);
      expect([after?.aspects, after?.revision]).toEqual([{}, (before?.revision ?? 0) + 1]);
    },
  );
});
