import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sizeOf } from '../tiers.ts';

const PROPERTY = 'urn:li:structuredProperty:com.example.crash.round';
const DATASETS = 40;
const ROUNDS = sizeOf('PROPLANE_CRASH_ROUNDS', { quick: 2, long: 5 });
const dataset = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:s3,crash/${index},PROD)`;

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;

  beforeAll(async () => {
    deployment = await newDeployment();
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  async function start(): Promise<Api> {
    proplane = await ProplaneProcess.start({ deployment });
    return new Api(proplane.url);
  }

  /** The value of each dataset, as reads show it. */
  async function storedRounds(api: Api): Promise<Map<string, number>> {
    const { body } = await api.get('/openapi/v3/entity/dataset?count=1000&aspects=structuredProperties');
    return new Map(
      body.entities.map(
        (entity: {
          urn: string;
          structuredProperties: { value: { properties: { values: { double: number }[] }[] } };
        }) => [entity.urn, entity.structuredProperties.value.properties[0]?.values[0]?.double],
      ),
    );
  }

  async function searchedUrns(api: Api, round: number): Promise<string[]> {
    const query = encodeURIComponent(`structuredProperties.com_example_crash_round:${round}`);
    const { body } = await api.get(`/openapi/v3/entity/dataset?count=1000&aspects=datasetKey&query=${query}`);
    return body.entities.map((entity: { urn: string }) => entity.urn);
  }

  describe('kill -9 between a write and its index update', () => {
    it('loses no acknowledged write, and search agrees with the store after the restart', async () => {
      let api = await start();
      await api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), {
        qualifiedName: 'com.example.crash.round',
        valueType: 'number',
        entityTypes: ['dataset'],
      });
      const acknowledged = new Map<string, number>();
      for (let round = 1; round <= ROUNDS; round += 1) {
        // Early in one round, late in another: somewhere a write is stored and its entry is not.
        const enough = Math.ceil((DATASETS * round) / (ROUNDS + 1));
        const { promise: isEnough, resolve: killNow } = Promise.withResolvers<void>();
        let answered = 0;
        const writes = Array.from({ length: DATASETS }, async (_, index) => {
          const path = `${entityPath('v3', dataset(index), 'structuredProperties')}?createIfEntityNotExists=true`;
          const answer = await api.patch(path, addProperty(PROPERTY, [{ double: round }])).catch(() => undefined);
          if (answer?.status !== 200) return;
          acknowledged.set(dataset(index), round);
          answered += 1;
          if (answered === enough) killNow();
        });
        await Promise.race([Promise.all(writes), isEnough]);
        await proplane.kill();
        await Promise.all(writes);
        api = await start();
        const restarted = api;
        await eventually(async () => {
          const stored = await storedRounds(restarted);
          for (const [urn, value] of acknowledged) expect(stored.get(urn)).toBeGreaterThanOrEqual(value);
          for (const each of [round - 1, round]) {
            const expected = [...stored].filter(([, value]) => value === each).map(([urn]) => urn);
            expect((await searchedUrns(restarted, each)).sort()).toEqual(expected.sort());
          }
        });
      }
      expect(acknowledged.size).toBeGreaterThan(0);
    });

    it('keeps a second process off its data where they are embedded', async () => {
      if (deployment.embedded)
        await expect(ProplaneProcess.start({ deployment })).rejects.toThrow('is in use by another Proplane');
    });

    it('finds its data at a start after others, and Ctrl-C ends it with 0', async () => {
      const api = new Api(proplane.url);
      expect((await api.get(entityPath('v3', PROPERTY))).status).toBe(200);
      expect(await proplane.stop()).toBe(0);
    });
  });
});
