import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, property } from '../../harness/catalog.ts';
import { TestServer } from '../../harness/http.ts';

let api: TestServer;
beforeAll(async () => {
  api = await TestServer.open();
  await api.catalog.define('p');
  await api.catalog.define('hidden');
  await api.catalog.dataset('d');
  await api.catalog.assign(d, { p: ['x'], hidden: ['y'] });
  await api.catalog.softDelete('hidden');
});
afterAll(() => api.close());

const d = dataset('d');
const values = { properties: [{ propertyUrn: property('p'), values: [{ string: 'x' }] }] };
const key = { name: 'd', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' };

describe('the read of a whole entity', () => {
  it('is a snapshot with its visible aspects', async () => {
    const { body } = await api.get(`/entities/${encodeURIComponent(d)}`);
    expect(body).toEqual({
      value: {
        'com.linkedin.metadata.snapshot.DatasetSnapshot': {
          urn: d,
          aspects: [
            { 'com.linkedin.metadata.key.DatasetKey': key },
            { 'com.linkedin.structured.StructuredProperties': values },
            { 'com.linkedin.dataset.DatasetProperties': { name: 'd' } },
          ],
        },
      },
    });
    expect((await api.get(`/gms/entities/${encodeURIComponent(d)}`)).body).toEqual(body);
  });

  it('of what does not exist is 404, of what is no URN 400', async () => {
    expect((await api.get(`/entities/${encodeURIComponent(dataset('none'))}`)).status).toBe(404);
    expect((await api.get('/entities/x')).status).toBe(400);
  });

  it('is, for clients that expect that, never 404', async () => {
    const { body } = await api.get(`/entitiesV2/${encodeURIComponent(d)}`);
    expect(body).toMatchObject({ urn: d, entityName: 'dataset', aspects: { structuredProperties: { value: values } } });
    const none = await api.get(`/entitiesV2/${encodeURIComponent(dataset('none'))}`);
    expect([none.status, Object.keys(none.body.aspects)]).toEqual([200, ['datasetKey']]);
  });
});
