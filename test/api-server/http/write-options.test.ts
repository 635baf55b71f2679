import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { add, assignmentBody, dataset, definitionBody, property } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeEach(async () => {
  api = await TestServer.open();
  await api.catalog.define('p');
});
afterEach(() => api.close());

const d = dataset('d');
const values = path('v3', d, 'structuredProperties');
const body = { properties: [assignmentBody('p', 'x')] };
const exists = { error: 'Validation Error', message: expect.stringContaining('Cannot perform CREATE') };

describe('createIfEntityNotExists', () => {
  it('lets values make their dataset, which they do not otherwise', async () => {
    expect(await api.post(values, body)).toMatchObject({ status: 404, body: { error: 'Not Found' } });
    expect((await api.patch(values, [add('p', 'x')])).status).toBe(404);
    expect((await api.post(`${values}?createIfEntityNotExists=false`, body)).status).toBe(404);
    expect((await api.get(path('v3', d))).status).toBe(404);
    expect((await api.post(`${values}?createIfEntityNotExists=true`, body)).status).toBe(200);
    const other = path('v2', dataset('e'), 'structuredProperties');
    expect((await api.patch(`${other}?createIfEntityNotExists=true`, [add('p', 'x')])).status).toBe(200);
    expect(await api.catalog.values(dataset('e'))).toEqual(['p=x']);
  });

  it('does not make a dataset of a schema field', async () => {
    const field = path('v3', `urn:li:schemaField:(${d},x)`, 'structuredProperties');
    expect((await api.post(`${field}?createIfEntityNotExists=true`, body)).status).toBe(404);
  });
});

describe('createIfNotExists', () => {
  it('refuses an aspect that is there, and is off when it is not sent', async () => {
    const definition = path('v3', property('p'), 'propertyDefinition');
    for (const query of ['', '?createIfNotExists=false']) {
      expect((await api.post(definition + query, definitionBody('p', { description: query }))).status).toBe(200);
    }
    expect(await api.post(`${definition}?createIfNotExists=true`, definitionBody('p'))).toMatchObject({
      status: 400,
      body: exists,
    });
    const fresh = path('v2', property('q'), 'propertyDefinition');
    expect((await api.post(`${fresh}?createIfNotExists=true`, definitionBody('q'))).status).toBe(200);
    expect((await api.post(`${fresh}?createIfNotExists=true`, definitionBody('q'))).status).toBe(400);
  });

  it('makes no dataset by its values', async () => {
    expect((await api.post(`${values}?createIfNotExists=true`, body)).status).toBe(404);
    expect((await api.get(path('v3', d))).status).toBe(404);
    await api.catalog.dataset('d');
    expect((await api.post(`${values}?createIfNotExists=true`, body)).status).toBe(200);
    expect(await api.post(`${values}?createIfNotExists=true`, body)).toMatchObject({ status: 400, body: exists });
    const both = `${values}?createIfNotExists=true&createIfEntityNotExists=true`;
    expect((await api.post(both, body)).status).toBe(400);
    expect((await api.post(both.replace(encodeURIComponent(d), encodeURIComponent(dataset('e'))), body)).status).toBe(
      200,
    );
  });
});

describe('async', () => {
  it('answers 202 after the write is done', async () => {
    await api.catalog.dataset('d');
    const answer = await api.post(`${values}?async=true`, body);
    expect([answer.status, answer.body]).toEqual([202, { urn: d, structuredProperties: { value: body } }]);
    expect((await api.get(values)).body).toEqual(answer.body);
    expect((await api.patch(`${values}?async=true`, [add('p', 'y')])).status).toBe(202);
    expect((await api.post(`${values}?async=false`, body)).status).toBe(200);
  });

  it('still validates first', async () => {
    const wrong = { qualifiedName: 'x' };
    expect((await api.post(`${path('v3', property('q'), 'propertyDefinition')}?async=true`, wrong)).status).toBe(400);
    expect((await api.post('/openapi/v3/entity/dataset?async=true', [{ urn: 'x' }])).status).toBe(400);
    expect((await api.post(`${values}?async=maybe`, body)).status).toBe(400);
  });
});

describe('a batch', () => {
  it('is written by version 3 with the aspects beside the URN, and answered with them', async () => {
    const items = [
      { urn: d, datasetProperties: { value: { name: 'd' } }, structuredProperties: { value: body, headers: {} } },
      { urn: dataset('e'), status: { value: { removed: false }, systemMetadata: null } },
    ];
    const answer = await api.post('/openapi/v3/entity/dataset?async=false', items);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        urn: d,
        datasetKey: { value: { name: 'd', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' } },
        structuredProperties: { value: body },
        datasetProperties: { value: { name: 'd' } },
      },
      {
        urn: dataset('e'),
        datasetKey: { value: { name: 'e', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' } },
        status: { value: { removed: false } },
      },
    ]);
  });

  it('is written by version 2 with the aspects under aspects, and answered with its URNs', async () => {
    const items = [d, dataset('e')].map((urn) => ({ urn, aspects: { Status: { value: { removed: true } } } }));
    const answer = await api.post('/openapi/v2/entity/dataset', items);
    expect([answer.status, answer.body]).toEqual([202, [{ urn: d }, { urn: dataset('e') }]]);
    expect((await api.get(path('v2', d, 'status'))).body).toEqual({ value: { removed: true } });
  });

  it('is 202 unless async=false is sent, also when it is empty', async () => {
    for (const [query, status] of [
      ['', 202],
      ['?async=true', 202],
      ['?async=false', 200],
    ] as const) {
      const answer = await api.post(`/openapi/v3/entity/dataset${query}`, []);
      expect([answer.status, answer.body]).toEqual([status, []]);
    }
  });

  it('is refused whole, with all that is wrong in any item', async () => {
    const items = [
      { urn: d, datasetProperties: { value: {} } },
      { urn: dataset('e'), status: { value: { removed: 'x' } } },
      { urn: dataset('f'), structuredProperties: { value: { properties: [{}] } } },
      { urn: dataset('g'), nothing: { value: {} } },
    ];
    const answer = await api.post('/openapi/v3/entity/dataset', items);
    expect([answer.status, answer.body.error]).toEqual([400, 'Validation Error']);
    for (const part of [
      `${dataset('e')} removed: `,
      `${dataset('f')} properties[0].propertyUrn: `,
      'Unknown aspect nothing',
    ]) {
      expect(answer.body.message).toContain(part);
    }
    expect((await api.get(path('v3', d))).status).toBe(404);
  });

  it('is refused with every URN that is wrong', async () => {
    const items = [{ urn: 'x' }, { urn: d }, { urn: property('p') }];
    const { status, body: answer } = await api.post('/openapi/v3/entity/dataset', items);
    expect(status).toBe(400);
    expect(answer.message).toContain('[0].urn: Invalid urn!: x');
    expect(answer.message).toContain(`[2].urn: ${property('p')} is a structuredProperty, not a dataset`);
  });

  it.each([[[{}]], [{ urn: d }], [[{ urn: d, status: 'x' }]], [['x']]])('is refused when it is %j', async (items) => {
    expect((await api.post('/openapi/v3/entity/dataset', items)).status).toBe(400);
  });

  it('of values alone needs the datasets, and lets the query say otherwise', async () => {
    const items = [{ urn: d, structuredProperties: { value: body } }];
    expect((await api.post('/openapi/v3/entity/dataset', items)).status).toBe(404);
    expect((await api.post('/openapi/v3/entity/dataset?createIfEntityNotExists=true', items)).status).toBe(202);
    expect(await api.catalog.values(d)).toEqual(['p=x']);
  });

  it('of definitions writes them all', async () => {
    const items = ['x', 'y'].map((name) => ({
      urn: property(name),
      propertyDefinition: { value: definitionBody(name) },
    }));
    const answer = await api.post('/openapi/v3/entity/structuredProperty?async=false', items);
    expect(answer.body.map(({ urn }: { urn: string }) => urn)).toEqual(['x', 'y'].map(property));
  });
});

describe('an owner', () => {
  const header = (rest: Record<string, string> = {}) => ({
    'x-proplane-owner': new URLSearchParams({
      source: 'git',
      kind: 'DatasetProperties',
      namespace: 'shop',
      name: 'ü & ñ',
      deletionPolicy: 'Remove',
      ...rest,
    }).toString(),
  });

  it('is taken from the header, listed and cleared', async () => {
    await api.catalog.dataset('d');
    expect((await api.patch(values, [add('p', 'x')], header())).status).toBe(200);
    const owned = {
      source: 'git',
      kind: 'DatasetProperties',
      namespace: 'shop',
      name: 'ü & ñ',
      deletionPolicy: 'Remove',
      urn: d,
      propertyUrn: property('p'),
    };
    expect((await api.get('/owners?source=git')).body).toEqual({ owners: [owned] });
    expect((await api.get(`${path('v3', d)}?aspects=status&owners=true`)).body).toEqual({ urn: d, owners: [owned] });
    const together = '/openapi/v3/entity/dataset/batchGet?owners=true';
    expect((await api.post(together, [{ urn: d, status: {} }])).body).toEqual([{ urn: d, owners: [owned] }]);
    const name = new URLSearchParams({ source: 'git', kind: 'DatasetProperties', namespace: 'shop', name: 'ü & ñ' });
    expect((await api.send('DELETE', `/owners?${name}`)).body).toEqual({ cleared: 1 });
    expect((await api.get('/owners?source=git')).body).toEqual({ owners: [] });
    expect((await api.get(`${path('v3', d)}?owners=true`)).body).toMatchObject({ urn: d, owners: [] });
    expect((await api.get(`${path('v3', d)}?owners=false`)).body).not.toHaveProperty('owners');
    expect(await api.catalog.values(d)).toEqual(['p=x']);
  });

  it('is on a definition, whose mark names no property', async () => {
    const p = property('p');
    await api.post(path('v3', p, 'propertyDefinition'), definitionBody('p', { description: 'owned' }), header());
    const { owners } = (await api.get(`${path('v3', p)}?owners=true`)).body;
    expect(owners).toEqual([expect.objectContaining({ urn: p, name: 'ü & ñ' })]);
    expect(owners[0]).not.toHaveProperty('propertyUrn');
  });

  it('is listed in pages', async () => {
    for (const name of ['a', 'b', 'c']) {
      await api.catalog.dataset(name);
      await api.post(path('v3', dataset(name), 'structuredProperties'), body, header());
    }
    const first = await api.get('/owners?source=git&count=2');
    expect(first.body.owners).toHaveLength(2);
    const second = await api.get(`/owners?source=git&count=2&after=${encodeURIComponent(first.body.next)}`);
    expect(second.body).toEqual({ owners: [expect.objectContaining({ urn: dataset('c') })] });
    expect((await api.get('/owners?source=git&after=x')).status).toBe(400);
  });

  it('that is incomplete is refused, and nothing is written', async () => {
    await api.catalog.dataset('d');
    for (const headers of [header({ name: '' }), { 'x-proplane-owner': 'source=git' }, { 'x-proplane-owner': '' }]) {
      const answer = await api.post(values, body, headers);
      expect(answer).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/X-Proplane-Owner: .*name.* missing/u) },
      });
    }
    expect(await api.catalog.values(d)).toEqual([]);
  });
});
