import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { entityPath } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { add, HDFS, HIVE, InterfaceService, RETENTION, remove, retention, WORDS, words } from './fixture.ts';

await onEachDeployment((_newDeployment, kind) => {
  let service: InterfaceService;
  beforeAll(async () => {
    service = await InterfaceService.shared(kind);
    await service.define(retention);
    await service.define(words);
  });

  const sixty = { propertyUrn: RETENTION, values: [{ double: 60 }] };
  const bar = { propertyUrn: WORDS, values: [{ string: 'bar2' }] };
  const nowhere = 'urn:li:dataset:(urn:li:dataPlatform:hive,nowhere,PROD)';

  describe('the aspect structuredProperties', () => {
    it('properties are a list of one element for each property, in its order', async () => {
      await service.set(HIVE, [bar, sixty]);
      expect(await service.shown(HIVE)).toEqual([bar, sixty]);
    });

    it('propertyUrn is the key: one element for each property', async () => {
      const { status, body } = await service.set(HIVE, [sixty, sixty]);
      expect([status, body.message]).toEqual([400, expect.stringContaining('has multiple entries')]);
    });

    it('values are doubles of a number and strings of a text', async () => {
      const { status, body } = await service.set(HIVE, [
        { propertyUrn: RETENTION, values: [{ string: 'often' }] },
        { propertyUrn: WORDS, values: [{ double: 1 }] },
        { propertyUrn: WORDS.replace('02', '99'), values: [{ double: 1, string: 'x' }] },
      ]);
      expect(status).toBe(400);
      expect(body.message).toContain('properties[2].values[0]');
      const wrong = await service.set(HIVE, [
        { propertyUrn: RETENTION, values: [{ string: 'often' }] },
        { propertyUrn: WORDS, values: [{ double: 1 }] },
      ]);
      expect(wrong.body.message).toContain('value: {string=often} should be a number');
      expect(wrong.body.message).toContain('{double=1.0}');
    });
  });

  describe('endpoints of values', () => {
    beforeEach(async () => {
      await service.set(HIVE, [sixty]);
      await service.set(HDFS, []);
    });

    it('POST sets and replaces all properties', async () => {
      const first = await service.set(HIVE, [bar]);
      expect([first.status, first.body]).toEqual([
        200,
        { urn: HIVE, structuredProperties: { value: { properties: [bar] } } },
      ]);
      expect(await service.shown(HIVE)).toEqual([bar]);
      const second = await service.set(HDFS, [sixty], 'v2');
      expect(second.body).toEqual({ urn: HDFS, aspects: { structuredProperties: { value: { properties: [sixty] } } } });
    });

    it('PATCH adds and removes one property; a property that is added again is listed last', async () => {
      const added = await service.patch(HIVE, [add(WORDS, { string: 'bar2' })]);
      expect([added.status, added.body]).toEqual([
        200,
        { urn: HIVE, structuredProperties: { value: { properties: [sixty, bar] } } },
      ]);
      const removed = await service.patch(HIVE, [remove(RETENTION)], 'v2');
      expect(removed.body).toEqual({ urn: HIVE, aspects: { structuredProperties: { value: { properties: [bar] } } } });
      const back = await service.patch(HIVE, [add(RETENTION, { double: 365 })]);
      expect(back.body.structuredProperties.value.properties).toEqual([
        bar,
        { propertyUrn: RETENTION, values: [{ double: 365 }] },
      ]);
    });

    it('PATCH is checked as a POST is', async () => {
      const { status, body } = await service.patch(HIVE, [add(WORDS, { string: 'baz' })]);
      expect([status, body.message]).toEqual([400, expect.stringContaining('value: {string=baz} should be one of [')]);
      expect(await service.shown(HIVE)).toEqual([sixty]);
    });

    it('a dataset or a property that does not exist is refused, and nothing is written', async () => {
      expect((await service.set(nowhere, [sixty])).status).toBe(404);
      expect((await service.patch(nowhere, [add(RETENTION, { double: 60 })])).status).toBe(404);
      expect((await service.api.get(entityPath('v3', nowhere))).status).toBe(404);
      const unknown = 'urn:li:structuredProperty:com.example.unknown';
      const refused = await service.set(HIVE, [{ propertyUrn: unknown, values: [{ double: 1 }] }]);
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringContaining(`Unexpected null value found for ${unknown}`),
      ]);
      expect(await service.shown(HIVE)).toEqual([sixty]);
    });

    it('every violated rule is named', async () => {
      const { status, body } = await service.set(HIVE, [
        { propertyUrn: RETENTION, values: [{ double: 31 }, { string: 'often' }] },
        { propertyUrn: WORDS, values: [{ string: 'foo2' }, { string: 'baz' }] },
        { propertyUrn: RETENTION, values: [] },
      ]);
      expect(status).toBe(400);
      for (const fragment of [
        'value: {double=31.0} should be one of [',
        'value: {string=often} should be a number',
        'has cardinality 1',
        'value: {string=baz} should be one of [',
        'has multiple entries',
      ]) {
        expect(body.message).toContain(fragment);
      }
    });
  });
});
