import { beforeAll, describe, expect, it } from '@jest/globals';
import { entityPath } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { HIVE, HIVE_KEY, InterfaceService } from './fixture.ts';

await onEachDeployment((_newDeployment, kind) => {
  let service: InterfaceService;
  beforeAll(async () => {
    service = await InterfaceService.shared(kind);
  });

  const whole = `/entities/${encodeURIComponent(HIVE)}`;

  describe('a dataset', () => {
    it('has a key of name, platform and origin, and is created by it or in a batch', async () => {
      const urn = HIVE.replace('Sample', 'Other');
      const key = { ...HIVE_KEY, name: 'OtherHiveDataset' };
      const one = await service.api.post(entityPath('v3', urn, 'datasetKey'), key);
      expect([one.status, one.body]).toEqual([200, { urn, datasetKey: { value: key } }]);
      const second = HIVE.replace('Sample', 'Third');
      const many = await service.api.post('/openapi/v3/entity/dataset?async=false', [
        { urn: second, status: { value: { removed: false } } },
      ]);
      expect(many.status).toBe(200);
      expect(many.body[0]).toMatchObject({ urn: second, status: { value: { removed: false } } });
    });
  });

  describe('reading a whole entity', () => {
    it('GET /entities of the metadata service', async () => {
      const { body } = await service.api.get(whole);
      const { urn, aspects } = body.value['com.linkedin.metadata.snapshot.DatasetSnapshot'];
      expect(urn).toBe(HIVE);
      expect(aspects).toContainEqual({ 'com.linkedin.metadata.key.DatasetKey': HIVE_KEY });
      const none = encodeURIComponent('urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)');
      expect((await service.api.get(`/entities/${none}`)).status).toBe(404);
      const second = await service.api.get(`/entitiesV2/${encodeURIComponent(HIVE)}`);
      expect(second.body).toMatchObject({
        urn: HIVE,
        entityName: 'dataset',
        aspects: { datasetKey: { version: 0 } },
      });
    });

    it('GET /api/gms/entities through the proxy', async () => {
      const direct = await service.api.get(whole);
      expect((await service.frontend.get(`/api/gms${whole}`)).body).toEqual(direct.body);
    });
  });

  describe('addresses', () => {
    it('answer under /gms, through the frontend under /api/gms, and /openapi on the frontend', async () => {
      const path = entityPath('v3', HIVE, 'datasetKey');
      const expected = (await service.api.get(path)).body;
      expect(expected.urn).toBe(HIVE);
      expect((await service.api.get(`/gms${path}`)).body).toEqual(expected);
      expect((await service.frontend.get(`/api/gms${path}`)).body).toEqual(expected);
      expect((await service.frontend.get(path)).body).toEqual(expected);
      const slashed = 'urn:li:dataset:(urn:li:dataPlatform:s3,bucket/a b/100%/ü(1),PROD)';
      const written = await service.frontend.post(`/api/gms${entityPath('v3', slashed, 'status')}`, { removed: false });
      expect(written.body.urn).toBe(slashed);
    });

    it('tell that the server lives, is ready, and how it does', async () => {
      expect((await service.api.get('/health')).status).toBe(200);
      expect((await service.api.get('/ready')).body).toMatchObject({ ready: true });
      expect((await service.api.get('/metrics')).body).toContain('proplane_http_request_duration_seconds_bucket');
      expect((await service.api.get('/openapi/v3/api-docs')).body.openapi).toMatch(/^3\./u);
      expect((await service.api.get('/openapi/ui/')).status).toBe(200);
    });
  });
});
