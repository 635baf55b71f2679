import { STATUS_CODES } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from '../../../api-server/create-server.ts';
import { ERROR_TABLE } from '../../../api-server/request/errors.ts';
import { SearchError } from '../../../api-server/search/errors.ts';
import { dataset, override, property } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  await api.catalog.define('p');
  await api.catalog.dataset('d');
});
afterAll(() => api.close());

const d = dataset('d');
const SHAPE = { error: expect.stringMatching(/./u), message: expect.stringMatching(/./u) };

describe('an error answer', () => {
  it.each<[number, string, string, ('GET' | 'DELETE')?]>([
    [400, 'an entity type that is not known', '/openapi/v3/entity/nothing/urn%3Ali%3Anothing%3Ax'],
    [400, 'an entity type that is not known, in a listing', '/openapi/v3/entity/nothing'],
    [400, 'a text that is no URN', '/openapi/v3/entity/dataset/x'],
    [400, 'a URN that is malformed', `/openapi/v3/entity/dataset/${encodeURIComponent('urn:li:dataset:(x,y,z)')}`],
    [400, 'a URN of another entity type', `/openapi/v3/entity/dataset/${encodeURIComponent('urn:li:tag:x')}`],
    [
      400,
      'a URN of an entity type that is not known',
      `/openapi/v3/entity/dataset/${encodeURIComponent('urn:li:FOOBAR:x')}`,
    ],
    [400, 'an aspect that is not known', path('v3', d, 'nothing')],
    [400, 'an aspect of another type', path('v3', d, 'propertyDefinition')],
    [400, 'the deletion of an aspect that is not known', path('v3', d, 'nothing'), 'DELETE'],
    [400, 'the deletion of an aspect of another type', path('v2', d, 'propertyDefinition'), 'DELETE'],
    [400, 'the deletion of aspects that are not known', `${path('v3', d)}?aspects=status,nothing`, 'DELETE'],
    [400, 'the deletion of aspects of another type', `${path('v3', d)}?aspects=propertyDefinition`, 'DELETE'],
    [400, 'a path that cannot be decoded', '/openapi/v3/entity/dataset/%zz'],
    [400, 'a path that is no UTF-8', '/openapi/v3/entity/dataset/urn%3Ali%3Atag%3A%ff'],
    [400, 'a parameter that is no boolean', `${path('v3', d)}?systemMetadata=yes`],
    [400, 'a count that is no number', '/openapi/v3/entity/dataset?count=many'],
    [400, 'a negative count', '/openapi/v3/entity/dataset?count=-1'],
    [400, 'a sort field that there is not', '/openapi/v3/entity/dataset?sort=name'],
    [400, 'a sort order that there is not', '/openapi/v3/entity/dataset?sortOrder=UP'],
    [400, 'an aspect that no type has', '/openapi/v3/entity/dataset?aspects=nothing'],
    [400, 'a query that does not parse', '/openapi/v3/entity/dataset?query=name%3A('],
    [400, 'a field that is not known', '/openapi/v3/entity/dataset?query=colour%3Ared'],
    [400, 'a scrollId of somebody else', '/openapi/v3/entity/dataset?scrollId=x'],
    [404, 'an entity that does not exist', path('v3', dataset('none'))],
    [404, 'an aspect of an entity that does not exist', path('v3', dataset('none'), 'status')],
    [404, 'an aspect that is not there', path('v3', d, 'status')],
    [404, 'a route that there is not', '/openapi/v4/entity/dataset'],
    [404, 'the root', '/'],
  ])('is %i with an error and a message for %s', async (status, _what, url, method = 'GET') => {
    const answer = await api.send(method, url);
    expect(answer.body).toMatchObject(SHAPE);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['PUT', path('v3', d), 'GET, HEAD, DELETE'],
    ['PUT', path('v2', d, 'status'), 'GET, HEAD, POST, PATCH, DELETE'],
    ['OPTIONS', '/openapi/v3/entity/dataset/', 'GET, POST, PATCH'],
    ['GET', '/openapi/v3/entity/scroll', 'POST'],
    ['PUT', '/openapi/v3/entity/dataset/batchGet', 'POST'],
    ['GET', '/gms/api/graphql', 'POST'],
    ['POST', '/jobs/x', 'GET, DELETE'],
    ['POST', '/export', 'GET'],
    ['DELETE', '/import', 'GET, POST'],
    ['POST', '/health', 'GET, HEAD'],
  ])('is 405 with what there is for %s %s', async (method, url, allow) => {
    const answer = await api.send(method as 'GET', url, { body: 'x', headers: { 'content-type': 'text/plain' } });
    expect([answer.status, answer.headers.allow, answer.body]).toEqual([
      405,
      allow,
      {
        error: 'Method Not Allowed',
        message: expect.stringContaining(`No endpoint ${method} ${url.replace('/gms', '')}; there is ${allow}.`),
      },
    ]);
  });

  it('names what was asked for', async () => {
    expect((await api.get('/openapi/v4/x?y=z')).body.message).toBe('No endpoint GET /openapi/v4/x.');
    expect((await api.send('PUT', path('v3', d), { body: {} })).body.message).toMatch(/^No endpoint PUT /u);
    expect((await api.get(path('v3', d, 'nothing'))).body.message).toBe('Unknown aspect nothing for entity dataset');
    expect((await api.get(`/openapi/v3/entity/dataset/${encodeURIComponent('urn:li:FOOBAR:x')}`)).body.message).toMatch(
      /^Invalid urn!: urn:li:FOOBAR:x /u,
    );
    expect((await api.get('/openapi/v3/entity/dataset?count=many&sortOrder=UP')).body.message).toMatch(
      /count.*sortOrder/u,
    );
  });

  it('says in a header whether the entity or the aspect is missing', async () => {
    expect((await api.get(path('v3', dataset('none')))).headers['not-found-reason']).toBe('ENTITY');
    expect((await api.get(path('v2', dataset('none'), 'status'))).headers['not-found-reason']).toBe('ENTITY');
    expect((await api.get(path('v2', d, 'status'))).headers['not-found-reason']).toBe('ASPECT');
  });

  it('shows the place in a query', async () => {
    const query = encodeURIComponent('name:x AND colour:red');
    expect(await api.get(`/openapi/v3/entity/dataset?query=${query}`)).toMatchObject({
      status: 400,
      body: { error: 'Malformed Request', message: expect.stringMatching(/query, .*12/u) },
    });
  });

  it('is a validation error for a soft-deleted property, wherever it is used', async () => {
    await api.catalog.softDelete('p');
    const body = { properties: [{ propertyUrn: property('p'), values: [{ string: 'x' }] }] };
    const patch = [{ op: 'add', path: `/properties/${property('p')}`, value: body.properties[0] }];
    const definition = { qualifiedName: 'p', valueType: 'string', entityTypes: [], description: 'x' };
    for (const answer of [
      await api.post(path('v3', d, 'structuredProperties'), body),
      await api.patch(path('v2', d, 'structuredProperties'), patch),
      await api.post(path('v2', property('p'), 'propertyDefinition'), definition),
      await api.get('/openapi/v3/entity/dataset?query=_exists_:structuredProperties.p'),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: {
          error: 'Validation Error',
          message: expect.stringMatching(/deleted/u),
          violations: [{ code: 'soft-deleted' }],
        },
      });
    }
    await api.catalog.restore('p');
  });

  it('tells each violated rule by its code and place, 100 at most, and how many more there are', async () => {
    const allowedValues = Array.from({ length: 103 }, () => ({ value: { double: 1 } }));
    const definition = { qualifiedName: 'codes', valueType: 'string', entityTypes: ['dataset'], allowedValues };
    const { status, body } = await api.post(path('v3', property('codes'), 'propertyDefinition'), definition);
    expect([status, body.violations.length, body.moreViolations]).toEqual([400, 100, 3]);
    const [first] = body.violations;
    expect(first).toEqual({
      code: 'wrong-type',
      path: 'allowedValues[0].value',
      message: 'value: {double=1.0} should be a string',
    });
    expect(body.message).toMatch(/^allowedValues\[0\]\.value: value: .*; and 3 more$/u);
    const unknown = await api.get('/openapi/v3/entity/dataset?query=colour%3Ared');
    expect(Object.keys(unknown.body)).toEqual(['error', 'message']);
  });

  it('hides what goes wrong inside, and asks to try again when a backend is away', async () => {
    const { store, search } = api.catalog.parts;
    const broken = override(store, {
      entities: override(store.entities, {
        get: async () => {
          throw new Error('secret of the inside');
        },
      }),
    });
    const away = override(search, {
      search: async () => {
        throw new SearchError('unavailable', 'secret address');
      },
      ping: async () => {
        throw new Error('away');
      },
    });

    const server = await createServer(api.catalog.replica({ store: broken, search: away }), '1');
    const inside = await server.inject({ url: path('v3', d) });
    expect([inside.statusCode, inside.json()]).toEqual([500, { ...SHAPE, error: 'Internal Server Error' }]);
    const backend = await server.inject({ url: '/openapi/v3/entity/dataset' });
    expect([backend.statusCode, backend.json()]).toEqual([503, { ...SHAPE, error: 'Service Unavailable' }]);
    expect(backend.headers['retry-after']).toBe('1');
    expect(inside.payload + backend.payload).not.toContain('secret');
    const ready = await server.inject({ url: '/ready' });
    expect([ready.statusCode, ready.json()]).toMatchObject([
      200,
      { ready: true, store: 'ok', data: 'ok', writes: 'ok', search: 'away' },
    ]);
    await server.close();
  });

  it('has a status and a title for each code', () => {
    for (const { status, error } of Object.values(ERROR_TABLE)) {
      expect(STATUS_CODES[status]).toBeDefined();
      expect(error).toMatch(/^[A-Z]/u);
    }
    expect(ERROR_TABLE.invalid).toEqual({ status: 400, error: 'Validation Error' });
  });
});

describe('the request id', () => {
  it('is the one that was sent, or a new one', async () => {
    const id = async (sent?: string) =>
      (await api.get(path('v3', d), sent === undefined ? {} : { headers: { 'x-request-id': sent } })).headers[
        'x-request-id'
      ];
    expect(await id('abc-123:x.y_z')).toBe('abc-123:x.y_z');
    const made = await id();
    expect(made).toMatch(/^[0-9a-f-]{36}$/u);
    expect(await id()).not.toBe(made);
    for (const odd of ['a b', 'x'.repeat(129), '<script>', '']) expect(await id(odd)).toMatch(/^[0-9a-f-]{36}$/u);
  });

  it('is in error answers too', async () => {
    for (const url of ['/nothing', '/openapi/v3/entity/dataset/x', '/openapi/v3/entity/dataset/%zz']) {
      const { headers } = await api.get(url, { headers: { 'x-request-id': 'mine' } });
      expect([url, headers['x-request-id']]).toEqual([url, 'mine']);
    }
  });
});
