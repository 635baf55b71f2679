import { beforeAll, describe, expect, it } from '@jest/globals';
import { entityPath } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { FLOW, HIVE, InterfaceService, propertyUrn, RETENTION, retention, WORDS, words } from './fixture.ts';

await onEachDeployment((_newDeployment, kind) => {
  let service: InterfaceService;
  beforeAll(async () => {
    service = await InterfaceService.shared(kind);
  });

  /** What becomes of a definition with one field changed; a name of its own for each test. */
  async function defined(name: string, change: object) {
    const qualifiedName = `com.example.fields.${name}`;
    const written = await service.define({ ...retention, qualifiedName, ...change });
    const urn = propertyUrn(qualifiedName);
    const read = await service.api.get(entityPath('v3', urn, 'propertyDefinition'));
    return { urn, status: written.status, message: written.body.message, stored: read.body.propertyDefinition?.value };
  }

  describe('endpoints of a definition', () => {
    it('POST answers with the wrapper of its version', async () => {
      const written = await service.define(retention);
      expect([written.status, written.body]).toEqual([
        200,
        { urn: RETENTION, propertyDefinition: { value: retention } },
      ]);
      const second = await service.define(words, 'v2');
      expect(second.body).toEqual({ urn: WORDS, aspects: { propertyDefinition: { value: words } } });
    });

    it('GET answers with the wrapper of its version', async () => {
      await service.define(retention);
      const read = async (version: 'v2' | 'v3') =>
        (await service.api.get(entityPath(version, RETENTION, 'propertyDefinition'))).body;
      expect(await read('v2')).toEqual({ value: retention });
      expect(await read('v3')).toEqual({ urn: RETENTION, propertyDefinition: { value: retention } });
    });

    it('POST of a changed definition updates it', async () => {
      await service.define(words);
      const wider = { ...words, allowedValues: [...words.allowedValues, { value: { string: 'baz2' } }] };
      expect((await service.define(wider, 'v2')).status).toBe(200);
      const read = await service.api.get(entityPath('v2', WORDS, 'propertyDefinition'));
      expect(read.body.value.allowedValues).toHaveLength(3);
    });
  });

  describe('fields of a definition', () => {
    it('qualifiedName is the identifier of the URN', async () => {
      const fine = await defined('qualifiedName', {});
      expect(fine.stored.qualifiedName).toBe('com.example.fields.qualifiedName');
      const other = await service.api.post(entityPath('v3', propertyUrn('com.example.one'), 'propertyDefinition'), {
        ...retention,
        qualifiedName: 'com.example.other',
      });
      expect([other.status, other.body.message]).toEqual([
        400,
        expect.stringContaining('Cannot change the fully qualified name'),
      ]);
    });

    it('valueType is the URN of a data type', async () => {
      expect((await defined('number', {})).stored.valueType).toBe('urn:li:dataType:datahub.number');
      const text = await defined('string', { valueType: 'urn:li:dataType:datahub.string', allowedValues: undefined });
      expect(text.stored.valueType).toBe('urn:li:dataType:datahub.string');
      const unknown = await defined('unknown', { valueType: 'urn:li:dataType:datahub.unknown' });
      expect(unknown).toMatchObject({ status: 400, message: expect.stringContaining('unknown data type') });
      expect(unknown.stored).toBeUndefined();
    });

    it('description is free text', async () => {
      const description = 'Zeile 1\nline 2 "quoted" \\ / ~ ` <b>ü 日本語 😀';
      expect((await defined('description', { description })).stored.description).toBe(description);
    });

    it('displayName is a name for people', async () => {
      expect((await defined('displayName', { displayName: 'How long? (days)' })).stored.displayName).toBe(
        'How long? (days)',
      );
    });

    it('cardinality is SINGLE or MULTIPLE and holds for values', async () => {
      const single = await defined('single', { cardinality: 'SINGLE' });
      const multiple = await defined('multiple', { cardinality: 'MULTIPLE' });
      const two = [{ double: 30 }, { double: 60 }];
      const refused = await service.set(HIVE, [{ propertyUrn: single.urn, values: two }]);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('has cardinality 1')]);
      expect((await service.set(HIVE, [{ propertyUrn: multiple.urn, values: two }])).status).toBe(200);
      const unknown = await defined('some', { cardinality: 'SOME' });
      expect(unknown).toMatchObject({ status: 400, message: expect.stringContaining('cardinality') });
    });

    it('entityTypes are the kinds of entity that may have values', async () => {
      const { urn } = await defined('onlyDatasets', { entityTypes: ['urn:li:entityType:datahub.dataset'] });
      const assignment = [{ propertyUrn: urn, values: [{ double: 30 }] }];
      expect((await service.set(HIVE, assignment)).status).toBe(200);
      expect((await service.set(FLOW, assignment)).status).toBe(400);
      const both = await defined('both', {});
      expect((await service.set(FLOW, [{ propertyUrn: both.urn, values: [{ double: 30 }] }])).status).toBe(200);
      for (const wrong of ['urn:li:entityType:datahub.nothing', 'urn:li:entityType:dataset']) {
        const unknown = await defined('nothing', { entityTypes: [wrong] });
        expect(unknown).toMatchObject({ status: 400, message: expect.stringContaining('unknown entity type') });
      }
    });

    it('allowedValues are typed values with a description, and nothing else is taken', async () => {
      const { urn, stored } = await defined('allowedValues', {});
      expect(stored.allowedValues).toEqual(retention.allowedValues);
      expect((await service.set(HIVE, [{ propertyUrn: urn, values: [{ double: 365 }] }])).status).toBe(200);
      const other = await service.set(HIVE, [{ propertyUrn: urn, values: [{ double: 31 }] }]);
      expect([other.status, other.body.message]).toEqual([
        400,
        expect.stringContaining('value: {double=31.0} should be one of ['),
      ]);
    });

    it('version is yyyyMMddhhmmss', async () => {
      expect((await defined('version', { version: '20240614080000' })).stored.version).toBe('20240614080000');
      for (const version of ['2024', '2024061408000', 'v1', '2024-06-14T08:00:00']) {
        const wrong = await defined('wrongVersion', { version });
        expect(wrong).toMatchObject({
          status: 400,
          message: expect.stringContaining('Invalid version specified. Must match [0-9]{14}'),
        });
      }
    });

    it('a field that there is not is refused by its name', async () => {
      expect(await defined('colour', { colour: 'red' })).toMatchObject({
        status: 400,
        message: expect.stringContaining('unknown field "colour"'),
      });
    });
  });

  describe('changes of a definition', () => {
    it('a backward-incompatible one without a new version is rejected, naming each break', async () => {
      await service.define(retention);
      const narrower = {
        ...retention,
        cardinality: 'SINGLE',
        valueType: 'urn:li:dataType:datahub.string',
        allowedValues: [],
      };
      const { status, body } = await service.define(narrower);
      expect([status, body.error]).toEqual([400, 'Validation Error']);
      for (const fragment of [
        'Value type cannot be changed',
        'cardinality cannot be changed from MULTI to SINGLE',
        'Cannot restrict values that were previously allowed',
      ]) {
        expect(body.message).toContain(fragment);
      }
      const read = await service.api.get(entityPath('v2', RETENTION, 'propertyDefinition'));
      expect(read.body.value.cardinality).toBe('MULTIPLE');
    });
  });
});
