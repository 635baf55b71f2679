import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { LifeCycleModel, type Values, type Wish } from '../harness/life-cycle-model.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sizeOf } from '../tiers.ts';

/** Random lives of properties against a model in memory; reads and searches agree after every step. */

/** The MongoDB-wire server of the tests is slow: fewer there. */
const LIVES = { embedded: { quick: 6, long: 25 }, servers: { quick: 3, long: 10 } };
const PROPERTIES = [0, 1, 2];
const DATASETS = [0, 1];

await onEachDeployment((newDeployment, { embedded }) => {
  const runs = sizeOf('PROPLANE_LIFE_CYCLE_RUNS', embedded ? LIVES.embedded : LIVES.servers);
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;
  /** Every run has names of its own. */
  let run = 0;

  async function start(): Promise<void> {
    proplane = await ProplaneProcess.start({ deployment, environment: { REQUEST_TIMEOUT_S: embedded ? '1' : '10' } });
    api = new Api(proplane.url);
  }

  beforeAll(async () => {
    deployment = await newDeployment();
    await start();
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  const nameOf = (property: number) => `com.example.life${run}.p${property}`;
  const urnOf = (property: number) => `urn:li:structuredProperty:${nameOf(property)}`;
  const datasetOf = (dataset: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,life${run}.d${dataset},PROD)`;
  const typed = (values: readonly (number | string)[]) =>
    values.map((value) => (typeof value === 'number' ? { double: value } : { string: value }));

  type Step =
    | { readonly kind: 'define'; readonly property: number; readonly wish: Wish }
    | { readonly kind: 'status'; readonly property: number; readonly removed: boolean }
    | { readonly kind: 'hardDelete'; readonly property: number }
    | { readonly kind: 'replace'; readonly dataset: number; readonly assignments: readonly Values[] }
    | { readonly kind: 'add'; readonly dataset: number; readonly assignment: Values }
    | { readonly kind: 'remove'; readonly dataset: number; readonly property: number }
    | { readonly kind: 'systemUpdate' }
    | { readonly kind: 'restart' };

  const property = fc.constantFrom(...PROPERTIES);
  const dataset = fc.constantFrom(...DATASETS);
  const values = fc.oneof(
    fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
    fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  );
  const assignment = fc.record({ property, values });
  const wish: fc.Arbitrary<Wish> = fc.record(
    {
      type: fc.constantFrom('number' as const, 'string' as const),
      multiple: fc.boolean(),
      version: fc.constantFrom('20260101000000', '20260102000000', '20260103000000'),
    },
    { requiredKeys: ['type', 'multiple'] },
  );

  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('define' as const), property, wish }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('status' as const), property, removed: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('hardDelete' as const), property }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('replace' as const),
        dataset,
        assignments: fc.uniqueArray(assignment, { selector: (each) => each.property, maxLength: 3 }),
      }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), dataset, assignment }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), dataset, property }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('systemUpdate' as const) }) },
  );

  const life = fc
    .tuple(fc.array(step, { minLength: 10, maxLength: 40 }), fc.boolean())
    .map(([steps, restarts]): Step[] => (restarts ? [...steps, { kind: 'restart' }, ...steps.slice(0, 5)] : steps));

  /** Does a step on both sides. @returns the server's status and the one that the model expects. */
  async function perform(model: LifeCycleModel, each: Step): Promise<[number, number]> {
    const accepted = (ok: boolean, otherwise = 400) => (ok ? 200 : otherwise);
    switch (each.kind) {
      case 'define': {
        const { type, multiple, version } = each.wish;
        const expected = accepted(model.define(each.property, each.wish));
        const { status } = await api.post(entityPath('v3', urnOf(each.property), 'propertyDefinition'), {
          qualifiedName: nameOf(each.property),
          valueType: type,
          cardinality: multiple ? 'MULTIPLE' : 'SINGLE',
          entityTypes: ['dataset'],
          ...(version === undefined ? {} : { version }),
        });
        return [status, expected];
      }
      case 'status': {
        const expected = accepted(model.setRemoved(each.property, each.removed), 404);
        const body = { removed: each.removed };
        return [(await api.post(entityPath('v3', urnOf(each.property), 'status'), body)).status, expected];
      }
      case 'hardDelete':
        model.hardDelete(each.property);
        return [(await api.delete(entityPath('v3', urnOf(each.property)))).status, 200];
      case 'replace': {
        const expected = accepted(model.replace(each.dataset, each.assignments));
        const properties = each.assignments.map((one) => ({
          propertyUrn: urnOf(one.property),
          values: typed(one.values),
        }));
        const path = entityPath('v3', datasetOf(each.dataset), 'structuredProperties');
        return [(await api.post(path, { properties })).status, expected];
      }
      case 'add': {
        const expected = accepted(model.add(each.dataset, each.assignment));
        const patch = addProperty(urnOf(each.assignment.property), typed(each.assignment.values));
        return [
          (await api.patch(entityPath('v3', datasetOf(each.dataset), 'structuredProperties'), patch)).status,
          expected,
        ];
      }
      case 'remove': {
        model.remove(each.dataset, each.property);
        const patch = { patch: [{ op: 'remove', path: `/properties/${urnOf(each.property)}` }] };
        return [
          (await api.patch(entityPath('v3', datasetOf(each.dataset), 'structuredProperties'), patch)).status,
          200,
        ];
      }
      case 'systemUpdate':
        return [(await api.post('/jobs', { kind: 'system-update' })).status, 202];
      default:
        await proplane.kill();
        await start();
        return [0, 0];
    }
  }

  async function readsAgree(model: LifeCycleModel): Promise<void> {
    for (const each of DATASETS) {
      const { body } = await api.get(entityPath('v3', datasetOf(each), 'structuredProperties'));
      const expected = model
        .visible(each)
        .map((one) => ({ propertyUrn: urnOf(one.property), values: typed(one.values) }));
      expect(body.structuredProperties?.value.properties ?? []).toEqual(expected);
    }
  }

  async function searchesAgree(model: LifeCycleModel): Promise<void> {
    for (const each of PROPERTIES) {
      const known = model.properties.get(each);
      const name = nameOf(each).replaceAll('.', '_');
      const field = known?.version === undefined ? name : `_versioned.${name}.${known.version}.${known.type}`;
      const query = encodeURIComponent(`_exists_:structuredProperties.${field}`);
      const { status, body } = await api.get(`/openapi/v3/entity/dataset?aspects=datasetKey&query=${query}`);
      if (known?.removed) {
        expect(status).toBe(400);
        continue;
      }
      const found = body.entities.map(({ urn }: { urn: string }) => urn);
      expect(found).toEqual(model.holders(each, DATASETS).map(datasetOf));
    }
  }

  describe('random lives of properties', () => {
    it(`agree with the model after every step (${runs} lives)`, async () => {
      await fc.assert(
        fc.asyncProperty(life, async (steps) => {
          run += 1;
          const model = new LifeCycleModel();
          for (const each of DATASETS) await api.post(entityPath('v3', datasetOf(each), 'status'), { removed: false });
          for (const each of steps) {
            const [status, expected] = await perform(model, each);
            expect({ step: each, status }).toEqual({ step: each, status: expected });
            await readsAgree(model);
            await eventually(() => searchesAgree(model), 120_000);
          }
        }),
        { numRuns: runs, endOnFailure: true },
      );
    }, 600_000);
  });
});
