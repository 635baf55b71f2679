import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_JSON_VALUES } from '../../../model/limits.ts';
import { add, assignmentBody, dataset, definitionBody, property } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  await api.catalog.define('p');
  await api.catalog.dataset('d');
});
afterAll(() => api.close());

const d = dataset('d');
const p = property('p');
const status = path('v3', p, 'status');
const values = path('v3', d, 'structuredProperties');

describe('a body', () => {
  it.each(['v2', 'v3'] as const)('may be the aspect or hold it under value: %s', async (version) => {
    const body = definitionBody('p');
    for (const sent of [body, { value: body }, { value: body, systemMetadata: null, headers: {} }]) {
      const answer = await api.post(path(version, p, 'propertyDefinition'), sent);
      expect([answer.status, answer.body.urn]).toEqual([200, p]);
    }
    expect((await api.post(path(version, p, 'status'), { value: { removed: false } })).status).toBe(200);
    expect((await api.post(path(version, d, 'structuredProperties'), { value: { properties: [] } })).status).toBe(200);
  });

  it('of a patch may come under both of its content types, as an object or a list', async () => {
    for (const type of [
      'application/json',
      'application/json-patch+json',
      'application/json-patch+json; charset=utf-8',
      'Application/JSON',
    ]) {
      for (const body of [{ patch: [add('p', 'x')] }, [add('p', 'y')]]) {
        const answer = await api.patch(values, body, { 'content-type': type });
        expect([type, answer.status]).toEqual([type, 200]);
      }
    }
  });

  it('may be empty where none is needed, whatever content type is sent with it', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    expect((await api.get(status, { headers })).status).not.toBe(400);
    expect((await api.get(path('v3', d), { headers })).status).toBe(200);
    expect((await api.send('HEAD', path('v3', d), { headers })).status).toBe(204);
    expect((await api.send('DELETE', path('v3', dataset('none')), { headers })).status).toBe(200);
    expect((await api.send('DELETE', path('v3', dataset('none')), { headers, body: '' })).status).toBe(200);
  });

  it('may begin with a byte order mark, and have replacement characters', async () => {
    const answer = await api.post(path('v3', d, 'datasetProperties'), '\uFEFF{"name": "\uFFFD"}');
    expect(answer).toMatchObject({ status: 200, body: { datasetProperties: { value: { name: '\uFFFD' } } } });
  });

  it('with numbers and texts of any kind comes back as it was sent', async () => {
    const odd = { description: 'é e\u0301 😀 \u2028 "\\ \u0000', numbers: [0.1, 1e300, -1], nested: { 'a.b': null } };
    await api.post(path('v3', d, 'editableDatasetProperties'), odd);
    const { body } = await api.get(path('v3', d, 'editableDatasetProperties'));
    expect(body.editableDatasetProperties.value).toEqual(odd);
  });
});

describe('a body that cannot be used', () => {
  it.each(['{', '{"removed": tru', "{'removed': true}", '{"removed": true}}', '\u0000', 'removed'])(
    'because %j is no JSON is told so',
    async (body) => {
      const answer = await api.post(status, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: 'Invalid JSON format', message: expect.stringMatching(/./u) });
    },
  );

  it('because it is no UTF-8 is told at which byte, and nothing is stored', async () => {
    const before = await api.get(path('v3', d, 'editableDatasetProperties'));
    const bytes = (text: string) => Buffer.from(text);
    for (const [type, method, url] of [
      ['application/json', 'POST', path('v3', d, 'editableDatasetProperties')],
      ['application/json-patch+json', 'PATCH', path('v3', d, 'editableDatasetProperties')],
      ['application/json', 'POST', '/api/graphql'],
      ['application/x-ndjson', 'POST', '/import?id=x&before=0'],
    ] as const) {
      for (const invalid of [[0xe9], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xef, 0xbf], [0xf0, 0x9f, 0x98]]) {
        const payload = Buffer.concat([bytes('{"description": "é\uFFFD'), Buffer.from(invalid), bytes('x"}')]);
        const answer = await api.server.inject({ method, url, payload, headers: { 'content-type': type } });
        expect([url, answer.statusCode]).toEqual([url, 400]);
        expect(answer.json()).toEqual({ error: 'Invalid JSON format', message: expect.stringContaining('byte 22 ') });
      }
    }
    expect(await api.get(path('v3', d, 'editableDatasetProperties'))).toMatchObject({ body: before.body });
  });

  it('because it is nested too deep is refused, and so is a patch that would make it so', async () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    const url = path('v3', d, 'editableDatasetProperties');
    const deep = expect.stringContaining('deeper than 200 levels');
    expect((await api.post(url, nested(200))).status).toBe(200);
    expect((await api.post(url, { value: nested(200) })).status).toBe(200);
    expect(await api.post(url, nested(201))).toMatchObject({ status: 400, body: { message: deep } });
    expect((await api.post(url, nested(221))).body.message).toContain('deeper than 220 levels');
    const batch = (levels: number) => [{ urn: d, editableDatasetProperties: { value: nested(levels) } }];
    expect((await api.post('/openapi/v3/entity/dataset', batch(200))).status).toBe(202);
    expect(await api.post('/openapi/v3/entity/dataset', batch(201))).toMatchObject({
      status: 400,
      body: { message: deep },
    });
    const patch = (levels: number) => [{ op: 'add', path: '/a/a/a/a/a', value: nested(levels) }];
    expect((await api.patch(url, patch(195))).status).toBe(200);
    expect(await api.patch(url, patch(196))).toMatchObject({ status: 400, body: { message: deep } });
    const attributed = (levels: number) => [
      { op: 'add', path: `/properties/${p}`, value: { ...assignmentBody('p', 'x'), attribution: nested(levels) } },
    ];
    expect((await api.patch(values, attributed(197))).status).toBe(200);
    expect(await api.patch(values, attributed(198))).toMatchObject({ status: 400, body: { message: deep } });
  });

  it('because a text in it is half of a surrogate pair is refused', async () => {
    for (const text of ['{"a": "\\ud800"}', '{"\\uDFFF": 1}', '{"a": {"b": ["\\ud800x\\udc00"]}}']) {
      const answer = await api.post(path('v3', d, 'editableDatasetProperties'), text);
      expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid JSON format' } });
    }
  });

  it('because it would reach a prototype is refused', async () => {
    for (const body of ['{"__proto__": {"x": 1}}', '{"value": {"removed": true, "constructor": {"prototype": {}}}}']) {
      expect(await api.post(status, body)).toMatchObject({ status: 400, body: { error: 'Invalid JSON format' } });
    }
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each([
    ['""', 400],
    ['null', 400],
    ['[]', 400],
    ['5', 400],
    ['""', 400],
    ['true', 400],
    ['', 400],
  ])('because it is %s and no object is refused on every route with a body', async (body, expected) => {
    for (const url of [status, values, path('v2', p, 'propertyDefinition'), path('v3', d, 'globalTags')]) {
      const answer = await api.post(url, body);
      expect([url, answer.status]).toEqual([url, expected]);
      expect(answer.body).toMatchObject({ error: expect.any(String), message: expect.stringMatching(/./u) });
    }
    if (body !== '[]') expect((await api.patch(values, body)).status).toBe(expected);
    if (body !== '[]') expect((await api.post('/openapi/v3/entity/dataset', body)).status).toBe(expected);
  });

  it('because it is no JSON by its content type is 415', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
      const answer = await api.post(status, 'removed=true', { 'content-type': type });
      expect([type, answer.status]).toEqual([type, 415]);
      expect(answer.body).toEqual({ error: expect.any(String), message: expect.any(String) });
    }
  });

  it('because it is over 16 MiB is 413', async () => {
    const body = JSON.stringify({ description: 'x'.repeat(17 * 1024 * 1024) });
    const answer = await api.post(path('v3', d, 'datasetProperties'), body);
    expect(answer).toMatchObject({ status: 413, body: { error: 'Payload Too Large', message: expect.any(String) } });
  });

  it('because it holds more values than a body may is 413, however small it is', async () => {
    const answer = await api.post(status, `[${'0,'.repeat(MAX_JSON_VALUES)}0]`);
    expect(answer).toMatchObject({
      status: 413,
      body: { error: 'Payload Too Large', message: expect.stringContaining(`${MAX_JSON_VALUES} values`) },
    });
  });

  it('because the entity would be over 12 MiB is 413, naming the aspect', async () => {
    const body = { description: 'x'.repeat(13 * 1024 * 1024) };
    const answer = await api.post(path('v3', d, 'datasetProperties'), body);
    expect(answer).toMatchObject({
      status: 413,
      body: { error: 'Payload Too Large', message: expect.stringContaining('aspect datasetProperties') },
    });
  });

  it('because it breaks rules is a validation error that names every one', async () => {
    const body = {
      properties: [assignmentBody('p', 'x', 'y'), assignmentBody('none', 'z'), { propertyUrn: 'x', values: [] }],
    };
    const answer = await api.post(values, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('Validation Error');
    for (const part of ['has cardinality 1', 'Unexpected null value found', 'Invalid urn!']) {
      expect(answer.body.message).toContain(part);
    }
  });

  it('because of a field that is not known is refused', async () => {
    expect(await api.post(status, { removed: true, deleted: true })).toMatchObject({
      status: 400,
      body: { error: 'Validation Error', message: 'unknown field "deleted"' },
    });
  });
});
