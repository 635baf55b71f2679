import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { entityPath, eventually } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { add, HIVE, InterfaceService, propertyUrn, retention, type TypedValues, words } from './fixture.ts';

let count = 0;

await onEachDeployment((_newDeployment, kind) => {
  let service: InterfaceService;
  /** A property of its own for each test, with a value on a dataset. */
  let definition: typeof retention;
  let property: string;
  let field: string;
  let other: TypedValues;

  beforeAll(async () => {
    service = await InterfaceService.shared(kind);
    await service.define(words);
    other = { propertyUrn: propertyUrn(words.qualifiedName), values: [{ string: 'foo2' }] };
  });

  beforeEach(async () => {
    count += 1;
    definition = { ...retention, qualifiedName: `com.example.states.p${count}` };
    property = propertyUrn(definition.qualifiedName);
    field = `structuredProperties.com_example_states_p${count}`;
    await service.define(definition);
    await service.set(HIVE, [{ propertyUrn: property, values: [{ double: 60 }] }, other]);
    await eventually(async () => expect(await service.find(`${field}:60`)).toEqual([HIVE]));
  });

  /** Runs a system update. @returns what its result says about fields that stay. */
  async function keptBySystemUpdate(): Promise<string> {
    const { body: begun } = await service.api.post('/jobs', { kind: 'system-update' });
    return eventually(async () => {
      const { body } = await service.api.get(`/jobs/${begun.id}`);
      expect(body.state).toBe('done');
      return JSON.stringify(body.result.kept);
    });
  }

  const status = (urn: string) => entityPath('v3', urn, 'status');

  describe('states of a property', () => {
    it('active becomes soft deleted by its status, and no stored data is removed', async () => {
      const before = await service.shown(HIVE);
      const removed = await service.setRemoved(property, true);
      expect([removed.status, removed.body]).toEqual([200, { urn: property, status: { value: { removed: true } } }]);
      expect(await service.shown(HIVE)).toEqual([other]);
      await service.setRemoved(property, false);
      expect(await service.shown(HIVE)).toEqual(before);
    });

    it('soft deleted becomes active by its status or by deleting the status aspect', async () => {
      const before = await service.shown(HIVE);
      await service.setRemoved(property, true);
      const restored = await service.api.post(entityPath('v2', property, 'status'), { removed: false });
      expect(restored.body).toEqual({ urn: property, aspects: { status: { value: { removed: false } } } });
      expect(await service.shown(HIVE)).toEqual(before);
      await service.setRemoved(property, true);
      expect((await service.api.delete(status(property))).status).toBe(200);
      expect(await service.shown(HIVE)).toEqual(before);
      expect(await service.find(`${field}:60`)).toEqual([HIVE]);
    });

    it('active or soft deleted becomes hard deleted by DELETE of the entity', async () => {
      expect((await service.api.delete(entityPath('v3', property))).status).toBe(200);
      expect((await service.api.get(entityPath('v3', property))).status).toBe(404);
      const second = { ...definition, qualifiedName: `${definition.qualifiedName}b` };
      await service.define(second);
      await service.setRemoved(propertyUrn(second.qualifiedName), true);
      expect((await service.api.delete(entityPath('v3', propertyUrn(second.qualifiedName)))).status).toBe(200);
      expect((await service.api.get(entityPath('v3', propertyUrn(second.qualifiedName)))).status).toBe(404);
    });
  });

  describe('endpoints of deletion', () => {
    it('POST of the status answers with it', async () => {
      const plain = await service.api.post(`${status(property)}?systemMetadata=false`, { removed: true });
      expect([plain.status, plain.body]).toEqual([200, { urn: property, status: { value: { removed: true } } }]);
      const full = await service.api.post(`${status(property)}?systemMetadata=true`, { removed: false });
      expect(full.body.status).toMatchObject({ value: { removed: false }, systemMetadata: { version: '2' } });
    });

    it('DELETE answers 200 without a body', async () => {
      const { status: code, body } = await service.api.delete(entityPath('v3', property));
      expect([code, body]).toEqual([200, '']);
    });
  });

  describe('a soft-deleted property', () => {
    beforeEach(() => service.setRemoved(property, true));

    it('is not returned with its values', async () => {
      expect(await service.shown(HIVE)).toEqual([other]);
    });

    it('denies updates of its definition', async () => {
      const { status: code, body } = await service.define({ ...definition, displayName: 'x' } as typeof definition);
      expect([code, body.message]).toEqual([400, 'Cannot mutate a soft deleted Structured Property Definition']);
    });

    it('denies values', async () => {
      for (const answer of [
        await service.patch(HIVE, [add(property, { double: 30 })]),
        await service.set(HIVE, [{ propertyUrn: property, values: [{ double: 30 }] }]),
      ]) {
        expect([answer.status, answer.body.message]).toEqual([
          400,
          expect.stringContaining('Cannot apply a soft deleted'),
        ]);
      }
    });

    it('denies search filters', async () => {
      for (const query of [`${field}:>1`, `_exists_:${field}`, `NOT ${field}:60`]) {
        const answer = await service.search(query);
        expect([answer.status, answer.body.message]).toEqual([
          400,
          expect.stringContaining(`Cannot filter on deleted Structured Property [${property}]`),
        ]);
      }
    });
  });

  describe('a hard-deleted property', () => {
    it('is gone with its values at once, and its name can be used again', async () => {
      await service.api.delete(entityPath('v3', property));
      expect(await service.shown(HIVE)).toEqual([other]);
      expect(await service.find(`_exists_:${field}`)).toEqual([]);
      const text = { ...words, qualifiedName: definition.qualifiedName };
      expect((await service.define(text)).status).toBe(200);
      expect(await service.shown(HIVE)).toEqual([other]);
      expect(await service.find(`_exists_:${field}`)).toEqual([]);
    });

    it('leaves values that a job removes, and a field that the system update removes', async () => {
      await service.api.delete(entityPath('v3', property));
      await eventually(async () => {
        const { body } = await service.api.get(`/jobs?kind=cascade&subject=${encodeURIComponent(property)}`);
        expect(body.jobs[0]).toMatchObject({ processed: 1, remaining: 0 });
      });
      await eventually(async () => expect(await keptBySystemUpdate()).not.toContain(property));
    });
  });

  describe('a new version', () => {
    it('permits a breaking change; the old values are not retrievable any more', async () => {
      const name = `com.example.states.v${count}`;
      const urn = propertyUrn(name);
      const versioned = (version: string) =>
        `structuredProperties._versioned.com_example_states_v${count}.${version}.number`;
      await service.define({ ...definition, qualifiedName: name, version: '20240614080000' } as typeof definition);
      await service.patch(HIVE, [add(urn, { double: 30 }, { double: 60 })]);
      await eventually(async () => expect(await service.find(`${versioned('20240614080000')}:60`)).toEqual([HIVE]));
      const single = { ...definition, qualifiedName: name, cardinality: 'SINGLE' };
      const same = { ...single, version: '20240614080000' };
      expect((await service.define(same)).status).toBe(400);
      const greater = { ...single, version: '20240614080001' };
      expect((await service.define(greater)).status).toBe(200);
      expect(JSON.stringify(await service.shown(HIVE))).not.toContain(urn);
      expect(await service.find(`_exists_:${versioned('20240614080001')}`)).toEqual([]);
      await service.patch(HIVE, [add(urn, { double: 30 })]);
      await eventually(async () => expect(await service.find(versioned('20240614080001'))).toEqual([HIVE]));
      expect(await service.find(`${versioned('20240614080000')}:30`)).toEqual([]);
    });
  });
});
