import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { schemaFieldUrn } from '../../../model/urn.ts';
import { add, assignmentBody, dataset, property, remove } from '../../harness/catalog.ts';
import { path, TestServer } from '../../harness/http.ts';
import { anyName, pairedName } from '../../harness/urn-arbitraries.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  await api.catalog.define('p');
});
afterAll(() => api.close());

describe('a path', () => {
  it('is the same with /gms before it, with two slashes at its start and with one at its end', async () => {
    await api.catalog.dataset('d');
    const plain = path('v3', dataset('d'));
    for (const url of [
      plain,
      `/${plain}`,
      `//${plain}`,
      `/gms${plain}`,
      `//gms${plain}`,
      `/gms/${plain}`,
      `//gms//${plain}`,
      `${plain}/`,
      `/gms${plain}/?aspects=datasetKey`,
    ]) {
      const { status, body } = await api.get(url);
      expect([url, status, body.urn]).toEqual([url, 200, dataset('d')]);
    }
    for (const url of ['/health', '/gms/health', '//gms/health', '/gms/health?x=y']) {
      expect(await api.get(url)).toMatchObject({ status: 200, body: { status: 'ok' } });
    }
    for (const url of ['/gms', '/gms/', '/gms?x', '/gmsx/health', '/gms/gms/health']) {
      expect((await api.get(url)).status).toBe(404);
    }
  });

  it('may hold a URN that is not encoded', async () => {
    await api.catalog.dataset('logs.clicks');
    const answer = await api.get(`/openapi/v3/entity/dataset/${dataset('logs.clicks')}`);
    expect(answer.body.urn).toBe(dataset('logs.clicks'));
  });

  it('may hold no bytes that are no UTF-8, and neither may a query or a header', async () => {
    for (const bytes of ['%ff', '%c3', '%ed%a0%80', 'x%C3%28']) {
      for (const url of [
        `/openapi/v3/entity/tag/urn:li:tag:${bytes}`,
        `/openapi/v3/entity/tag?query=name:${bytes}`,
        `/openapi/v3/entity/tag?scrollId=${bytes}`,
        `/import?id=${bytes}`,
      ]) {
        expect([url, (await api.get(url)).status]).toEqual([url, 400]);
      }
    }
    expect((await api.get('/openapi/v3/entity/tag?query=100%')).status).toBe(200);
    const urn = dataset('sent');
    const write = (name: string, bytes: Buffer) =>
      api.post(`${path('v3', urn, 'status')}?systemMetadata=true`, {}, { [name]: bytes.toString('latin1') });
    const by = await write('X-DataHub-Actor', Buffer.from('urn:li:corpuser:é'));
    expect(JSON.stringify(by.body)).toContain('urn:li:corpuser:é');
    for (const name of ['X-DataHub-Actor', 'X-Proplane-Owner', 'X-Proplane-Fence']) {
      const answer = await write(name, Buffer.from([0x75, 0xff]));
      expect(answer).toMatchObject({ status: 400, body: { message: `header ${name}: it is no UTF-8` } });
    }
    const mark = 'source=%ff&kind=k&namespace=n&name=x&deletionPolicy=Delete';
    expect((await write('X-Proplane-Owner', Buffer.from(mark))).status).toBe(400);
  });

  it('may hold a URN of thousands of characters', async () => {
    const urn = dataset('x'.repeat(5000));
    expect((await api.post(path('v3', urn, 'status'), { removed: false })).status).toBe(200);
    expect((await api.get(path('v3', urn))).body.urn).toBe(urn);
    const tooLong = await api.get(path('v3', dataset('x'.repeat(70_000))));
    expect(tooLong.status).toBeGreaterThanOrEqual(400);
    expect(tooLong.status).toBeLessThan(500);
  });

  it('may hold a URN that is longer than new ones may be, which an older release has stored', async () => {
    const urn = dataset('x'.repeat(30_000));
    expect((await api.post(path('v3', urn, 'status'), { removed: false })).status).toBe(400);
    const { entities } = api.catalog.parts.store;
    const stored = await entities.get(dataset('d'));
    await entities.insert({ ...stored!, urn, incarnation: 'old', revision: 1 });
    expect((await api.get(path('v3', urn))).body.urn).toBe(urn);
    expect((await api.post(path('v3', urn, 'status'), { removed: false })).status).toBe(200);
    expect((await api.send('DELETE', path('v3', urn))).status).toBe(200);
    expect((await api.get(path('v3', urn))).status).toBe(404);
  });

  it.each([
    'İstanbul',
    'ẞ',
    'a%2Fb',
    'a%252Fb',
    '%',
    '100%',
    'a#b?c&d=e',
    'a;b',
    'a+b c',
    'ſ',
    'K',
    '..',
    '/',
    '//',
    '\\',
    'a:b',
    ':urn',
    '*',
    '日本語',
    '😀',
  ])('carries the name "%s" through', async (name) => {
    const urn = dataset(name);
    const written = await api.post(path('v3', urn, 'datasetProperties'), { name });
    expect([written.status, written.body.urn]).toEqual([200, urn]);
    const read = await api.get(path('v3', urn));
    expect(read.body).toEqual({
      urn,
      datasetKey: { value: { platform: 'urn:li:dataPlatform:hive', name, origin: 'PROD' } },
      datasetProperties: { value: { name } },
    });
    expect((await api.get(path('v2', urn, 'datasetProperties'))).body).toEqual({ value: { name } });
  });

  it('carries the name of any dataset, property and field through, to the store and back', async () => {
    await fc.assert(
      fc.asyncProperty(pairedName, anyName, async (name, fieldPath) => {
        const urn = dataset(name);
        const field = schemaFieldUrn(urn, fieldPath);
        for (const [each, body] of [
          [urn, { name }],
          [field, { fieldPath }],
        ] as const) {
          const aspect = each === urn ? 'datasetProperties' : 'documentation';
          const written = await api.post(path('v3', each, aspect), body);
          expect([written.status, written.body]).toEqual([200, { urn: each, [aspect]: { value: body } }]);
          expect((await api.get(path('v3', each, aspect))).body).toEqual(written.body);
          expect((await api.get(`/entities/${encodeURIComponent(each)}`)).status).toBe(200);
        }
        const values = { properties: [assignmentBody('p', name)] };
        expect((await api.post(path('v2', field, 'structuredProperties'), values)).body).toEqual({
          urn: field,
          aspects: { structuredProperties: { value: values } },
        });
        expect((await api.send('DELETE', path('v3', urn))).status).toBe(200);
        expect((await api.get(path('v3', field))).status).toBe(404);
      }),
      { numRuns: 60 },
    );
  });

  it('carries names of properties through, and patches find them encoded or not', async () => {
    await api.catalog.dataset('d');
    const values = path('v3', dataset('d'), 'structuredProperties');
    for (const name of ['a/b', 'a~b', 'a~1b', 'a%2Fb', 'x,y(z)', 'é.😀', 'a:b', 'İ']) {
      const definition = { qualifiedName: name, valueType: 'string', entityTypes: ['dataset'] };
      expect((await api.post(path('v3', property(name), 'propertyDefinition'), definition)).status).toBe(200);
      const escaped = property(name).replaceAll('~', '~0').replaceAll('/', '~1');
      const operations = [{ ...add(name, 'x'), path: `/properties/${escaped}` }];
      const { body } = await api.patch(values, operations);
      expect(body.structuredProperties?.value.properties).toContainEqual(assignmentBody(name, 'x'));
      const unescaped = name.includes('~1') ? `/properties/${escaped}/` : remove(name).path;
      const removed = await api.patch(values, [{ op: 'remove', path: unescaped }]);
      expect(removed.body.structuredProperties?.value.properties).toEqual([]);
    }
  });
});
