import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, entityPath, eventually, postBatch } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sizeOf } from '../tiers.ts';

const AT_ONCE = 250;
const PROPERTY = 'urn:li:structuredProperty:com.example.cascade.days';
const FIELD = '_exists_:structuredProperties.com_example_cascade_days';
const dataset = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,cascade.t${index},PROD)`;
const definition = { qualifiedName: 'com.example.cascade.days', valueType: 'number', entityTypes: ['dataset'] };

await onEachDeployment((newDeployment, { embedded }) => {
  /** A soak run asks for more. */
  const HOLDERS = sizeOf('PROPLANE_CASCADE_HOLDERS', { quick: 2_500, long: embedded ? 10_000 : 500 });

  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  async function start(): Promise<void> {
    proplane = await ProplaneProcess.start({
      deployment,
      environment: { REQUEST_TIMEOUT_S: embedded ? '2' : '10' },
    });
    api = new Api(proplane.url);
  }

  beforeAll(async () => {
    deployment = await newDeployment();
    await start();
    await api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), definition);
    for (let first = 0; first < HOLDERS; first += AT_ONCE) {
      const items = Array.from({ length: AT_ONCE }, (_, offset) => ({
        urn: dataset(first + offset),
        status: { value: { removed: false } },
        structuredProperties: { value: { properties: [{ propertyUrn: PROPERTY, values: [{ double: 30 }] }] } },
      }));
      await postBatch(api, 'dataset', items);
    }
  }, 600_000);

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  async function total(query: string): Promise<number> {
    const { body } = await api.get(`/openapi/v3/entity/dataset?count=0&query=${encodeURIComponent(query)}`);
    return body.totalCount;
  }

  async function valuesOf(index: number): Promise<unknown[]> {
    const { body } = await api.get(entityPath('v3', dataset(index), 'structuredProperties'));
    return body.structuredProperties?.value.properties ?? [];
  }

  interface ShownJob {
    readonly kind: string;
    readonly state: string;
    readonly processed: number;
    readonly remaining: number;
  }

  async function jobs(): Promise<ShownJob[]> {
    return (await api.get(`/jobs?subject=${encodeURIComponent(PROPERTY)}`)).body.jobs;
  }

  describe(`hard deletion of a property with ${HOLDERS} holders`, () => {
    it('answers at once, shows nothing from then on, and removes every value although it is killed three times', async () => {
      await eventually(async () => expect(await total(FIELD)).toBe(HOLDERS), 300_000);
      expect((await api.delete(entityPath('v3', PROPERTY))).status).toBe(200);
      const shown: number[] = [];
      for (let kill = 0; kill < 3; kill += 1) {
        expect(await total(FIELD)).toBe(0);
        for (const index of [0, HOLDERS / 2, HOLDERS - 1]) expect(await valuesOf(index)).toEqual([]);
        shown.push((await jobs())[0]?.processed ?? 0);
        await proplane.kill();
        await start();
      }
      await eventually(async () => {
        const [job] = await jobs();
        expect(job).toMatchObject({ kind: 'cascade', remaining: 0 });
        expect(['settling', 'done']).toContain(job?.state);
        expect(job?.processed).toBe(HOLDERS);
      }, 300_000);
      expect(shown).toEqual(shown.toSorted((one, other) => one - other));
      await eventually(async () => expect((await jobs())[0]?.state).toBe('done'), 120_000);
    }, 900_000);

    it('leaves the name free for another type, under which no old value comes back', async () => {
      await api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), { ...definition, valueType: 'string' });
      expect(await total(FIELD)).toBe(0);
      expect(await valuesOf(7)).toEqual([]);
      await api.patch(entityPath('v3', dataset(7), 'structuredProperties'), {
        patch: [
          { op: 'add', path: `/properties/${PROPERTY}`, value: { propertyUrn: PROPERTY, values: [{ string: 'x' }] } },
        ],
      });
      await eventually(async () => expect(await total('structuredProperties.com_example_cascade_days:x')).toBe(1));
    });
  });

  describe('a breaking version', () => {
    it('has the values of the ended epoch collected', async () => {
      const next = { ...definition, valueType: 'number', version: '20260101000000' };
      expect((await api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), next)).status).toBe(200);
      await eventually(async () => {
        const job = (await jobs()).find(({ kind }) => kind === 'collection');
        expect(job).toMatchObject({ processed: 1, remaining: 0 });
      });
    });
  });

  describe('hard deletion of a dataset', () => {
    it('takes its schema fields along, and not those of a dataset that is created under its name', async () => {
      const field = (name: string) => `urn:li:schemaField:(${dataset(1)},${name})`;
      const description = { value: { removed: false } };
      await api.post('/openapi/v3/entity/schemaField?async=false', [
        { urn: field('old'), status: description },
        { urn: field('both'), status: description },
      ]);
      await api.delete(entityPath('v3', dataset(1)));
      expect((await api.get(entityPath('v3', field('old')))).status).toBe(404);
      await api.post(entityPath('v3', dataset(1), 'status'), { removed: false });
      await api.post(entityPath('v3', field('both'), 'status'), { removed: false });
      await eventually(async () => {
        const { body } = await api.get(`/jobs?kind=fields&subject=${encodeURIComponent(dataset(1))}`);
        expect(body.jobs[0].state).toBe('done');
        expect(body.jobs[0].processed).toBeGreaterThanOrEqual(1);
      }, 120_000);
      expect((await api.get(entityPath('v3', field('old')))).status).toBe(404);
      expect((await api.get(entityPath('v3', field('both')))).status).toBe(200);
    });
  });
});
