import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import { checkCatalogue } from '../harness/check-catalogue.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sizeOf } from '../tiers.ts';

/** A name that is deleted and used again with another type, over and over, while others write its values. */

const KILLS = sizeOf('PROPLANE_RECREATE_KILLS', { quick: 2, long: 4 });
const WRITERS = 4;
const PROPERTY = 'urn:li:structuredProperty:com.example.again';
const DATASETS = [0, 1, 2].map((index) => `urn:li:dataset:(urn:li:dataPlatform:hive,again.t${index},PROD)`);

await onEachDeployment((newDeployment, { embedded }) => {
  const ROUNDS = sizeOf('PROPLANE_RECREATE_ROUNDS', embedded ? { quick: 40, long: 500 } : { quick: 10, long: 20 });

  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  async function start(): Promise<void> {
    proplane = await ProplaneProcess.start({ deployment, environment: { REQUEST_TIMEOUT_S: embedded ? '1' : '5' } });
    api = new Api(proplane.url);
  }

  beforeAll(async () => {
    deployment = await newDeployment();
    await start();
    for (const dataset of DATASETS) await api.post(entityPath('v3', dataset, 'status'), { removed: false });
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  /** Until it succeeds: what was sent to a process that was killed is sent again. */
  function insist(send: () => Promise<Answer>): Promise<void> {
    return eventually(async () => {
      const { status, body } = await send();
      expect({ status, body }).toMatchObject({ status: 200 });
    });
  }

  async function shown(): Promise<string[]> {
    const all: string[] = [];
    for (const dataset of DATASETS) {
      const { body } = await api.get(entityPath('v3', dataset, 'structuredProperties'));
      for (const { values } of body.structuredProperties?.value.properties ?? []) all.push(JSON.stringify(values[0]));
    }
    return all;
  }

  describe('a property that is deleted and created again with another type', () => {
    it(`never shows an old value (${ROUNDS} times, ${WRITERS} writers, ${KILLS} kills), and leaves nothing behind`, async () => {
      const acknowledged = new Set<string>();
      let round = 0;
      let writes = 0;
      let killed = 0;
      let over = false;
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        while (!over) {
          writes += 1;
          const value = round % 2 === 0 ? { double: writes } : { string: `w${writes}` };
          const path = entityPath('v3', DATASETS[(writer + writes) % DATASETS.length] ?? '', 'structuredProperties');
          const answer = await api.patch(path, addProperty(PROPERTY, [value])).catch(() => undefined);
          if (answer?.status === 200) acknowledged.add(JSON.stringify(value));
          // Some twenty writes in a round, wherever they fall: more would only make the rounds longer.
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      });
      for (; round < ROUNDS; round += 1) {
        const valueType = round % 2 === 0 ? 'number' : 'string';
        const definition = { qualifiedName: 'com.example.again', valueType, entityTypes: ['dataset'] };
        await insist(() => api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), definition));
        const old = new Set(acknowledged);
        if (killed < KILLS && round % Math.floor(ROUNDS / KILLS) === 3) {
          killed += 1;
          await proplane.kill();
          await start();
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
        const before = new Set(acknowledged);
        await insist(() => api.delete(entityPath('v3', PROPERTY)));
        expect(await shown()).toEqual([]);
        // Acknowledged before this life began, or while it lasted: gone either way from here on.
        for (const value of [...old, ...before]) acknowledged.delete(value);
        await insist(() => api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), definition));
        const back = (await shown()).filter((value) => before.has(value) || old.has(value));
        expect(back).toEqual([]);
        await insist(() => api.delete(entityPath('v3', PROPERTY)));
      }
      over = true;
      await Promise.all(writers);
      await insist(() => api.delete(entityPath('v3', PROPERTY)));
      expect(killed).toBe(KILLS);
      expect(writes).toBeGreaterThan(ROUNDS);
      await eventually(async () => {
        const { body } = await api.get(`/jobs?subject=${encodeURIComponent(PROPERTY)}`);
        expect(body.jobs.filter(({ state }: { state: string }) => state !== 'done')).toEqual([]);
      }, 180_000);
      await eventually(async () => expect((await api.get('/metrics')).body).toMatch(/^proplane_outbox_entities 0$/mu));
      await proplane.stop();
      const { store, search, close } = await deployment.open();
      expect(await store.entities.countHolders(PROPERTY)).toBe(0);
      expect(await checkCatalogue(store, search)).toEqual([]);
      await close();
    }, 1_200_000);
  });
});
