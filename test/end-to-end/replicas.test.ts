import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import { checkCatalogue } from '../harness/check-catalogue.ts';
import { type Deployment, describeWithServers, serverDeployment } from '../harness/deployments.ts';
import { type MongodbServer, startMongodbServer } from '../harness/mongodb-server.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startTypesenseServer, type TypesenseServer } from '../harness/typesense-server.ts';

/** Three API servers over one MongoDB and one Typesense of their own. */

/** How long the mixed load lasts; a soak run asks for more. */
const SECONDS = Number(process.env.PROPLANE_REPLICA_SECONDS ?? 20);
const REPLICAS = 3;
const WRITERS = 6;
const DATASETS = 60;
const PROPERTIES = [0, 1, 2, 3];

const nameOf = (index: number) => `com.example.replicas.p${index}`;
const propertyOf = (index: number) => `urn:li:structuredProperty:${nameOf(index)}`;
const datasetOf = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,replicas.t${index},PROD)`;
const assignments = (urn: string) => entityPath('v3', urn, 'structuredProperties');

await describeWithServers('three replicas', () => {
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let mongodb: MongodbServer;
  let typesense: TypesenseServer;
  let deployment: Deployment;
  const replicas: ProplaneProcess[] = [];

  async function startReplica(at: number): Promise<void> {
    const environment = { REQUEST_TIMEOUT_S: '5' };
    replicas[at] = await ProplaneProcess.start({ deployment, role: 'api-server', environment });
  }

  /** The replica's client; another one's after it was restarted. */
  function api(at: number): Api {
    const replica = replicas[at % REPLICAS];
    if (replica === undefined) throw new Error('no such replica');
    return new Api(replica.url);
  }

  beforeAll(async () => {
    data = await temporaryFolder();
    mongodb = await startMongodbServer({ folder: data.path });
    typesense = await startTypesenseServer();
    deployment = await serverDeployment(mongodb.uri, typesense.url);
    await Promise.all(Array.from({ length: REPLICAS }, (_, at) => startReplica(at)));
  }, 120_000);

  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await deployment?.remove();
    await typesense?.stop();
    await mongodb?.kill();
    await data?.remove();
  }, 180_000);

  async function define(through: Api, index: number, more: object = {}): Promise<Answer> {
    const definition = { qualifiedName: nameOf(index), valueType: 'number', entityTypes: ['dataset'], ...more };
    return through.post(entityPath('v3', propertyOf(index), 'propertyDefinition'), definition);
  }

  async function values(through: Api, dataset: number): Promise<unknown[]> {
    const { body } = await through.get(assignments(datasetOf(dataset)));
    return body.structuredProperties?.value.properties ?? [];
  }

  describe('a change through one replica', () => {
    it('is there for the others at once: definition, value, soft deletion, restoring, breaking change, hard deletion', async () => {
      await api(0).post(entityPath('v3', datasetOf(0), 'status'), { removed: false });
      for (let round = 0; round < 10; round++) {
        const [one, other, third] = [api(round), api(round + 1), api(round + 2)];
        expect((await define(one, 0)).status).toBe(200);
        const held = [{ propertyUrn: propertyOf(0), values: [{ double: round }] }];
        expect((await other.post(assignments(datasetOf(0)), { properties: held })).status).toBe(200);
        expect(await values(third, 0)).toEqual(held);
        await one.post(entityPath('v3', propertyOf(0), 'status'), { removed: true });
        expect([await values(other, 0), await values(third, 0)]).toEqual([[], []]);
        expect((await third.post(assignments(datasetOf(0)), { properties: held })).status).toBe(400);
        await other.post(entityPath('v3', propertyOf(0), 'status'), { removed: false });
        expect(await values(third, 0)).toEqual(held);
        expect((await define(third, 0, { valueType: 'string', version: `2026010100000${round}` })).status).toBe(200);
        expect(await values(one, 0)).toEqual([]);
        await other.delete(entityPath('v3', propertyOf(0)));
        expect((await one.get(entityPath('v3', propertyOf(0)))).status).toBe(404);
      }
    }, 120_000);
  });

  describe(`mixed load for ${SECONDS} seconds, a replica killed every few of them, the search engine restarted twice`, () => {
    it(
      'loses no acknowledged write, ends every job, and leaves an index that equals the store',
      async () => {
        for (const index of PROPERTIES) expect((await define(api(0), index)).status).toBe(200);
        for (let index = 0; index < DATASETS; index++) {
          await api(index).post(entityPath('v3', datasetOf(index), 'status'), { removed: false });
        }
        const acknowledged = new Map<string, number>();
        const until = Date.now() + SECONDS * 1000;
        let searches = 0;
        const statuses = new Map<number, number>();
        const writers = Array.from({ length: WRITERS }, async (_, writer) => {
          for (let value = 1; Date.now() < until; value++) {
            // A writer has datasets of its own, so its last acknowledged write of a property is the one that counts.
            const dataset = datasetOf(writer * (DATASETS / WRITERS) + (value % (DATASETS / WRITERS)));
            const property = propertyOf(value % PROPERTIES.length);
            const patch = addProperty(property, [{ double: value }]);
            const answer = await api(value + writer)
              .patch(assignments(dataset), patch)
              .catch(() => undefined);
            const key = `${dataset} ${property}`;
            if (answer?.status === 200) acknowledged.set(key, value);
            // Who knows whether it was written.
            else acknowledged.delete(key);
            statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
          }
        });
        const searcher = (async () => {
          for (let round = 0; Date.now() < until; round++) {
            const query = encodeURIComponent(`_exists_:structuredProperties.com_example_replicas_p${round % 4}`);
            const answer = await api(round)
              .get(`/openapi/v3/entity/dataset?count=5&query=${query}`)
              .catch(() => undefined);
            if (answer?.status === 200) searches += 1;
            await sleep(20);
          }
        })();
        // Jobs as well: a property of its own is deleted and made again, and the index is rebuilt.
        const deleter = (async () => {
          for (let round = 0; Date.now() < until; round++) {
            const through = api(round);
            const patch = addProperty(propertyOf(9), [{ double: round }]);
            await define(through, 9).catch(() => undefined);
            await through.patch(assignments(datasetOf(round % DATASETS)), patch).catch(() => undefined);
            await through.delete(entityPath('v3', propertyOf(9))).catch(() => undefined);
            await through.post('/jobs', { kind: 'system-update' }).catch(() => undefined);
            await sleep(500);
          }
        })();
        const killer = (async () => {
          for (let round = 1; Date.now() < until - 2_000; round++) {
            await sleep(2_000 + Math.random() * 1_000);
            const at = Math.floor(Math.random() * REPLICAS);
            await replicas[at]?.kill();
            await startReplica(at);
            if (round === 2 || round === 4) {
              await typesense.kill();
              await sleep(1_000);
              await typesense.start();
            }
          }
        })();
        await Promise.all([...writers, searcher, deleter, killer]);
        expect(searches).toBeGreaterThan(0);
        expect(statuses.get(200)).toBeGreaterThan(100);
        await eventually(async () => {
          const { body } = await api(0).get('/jobs');
          expect(body.jobs.filter(({ state }: { state: string }) => !['done', 'failed'].includes(state))).toEqual([]);
          expect((await api(0).get('/metrics')).body).toMatch(/^proplane_outbox_entities 0$/mu);
        }, 120_000);
        for (const [key, value] of acknowledged) {
          const [dataset = '', property] = key.split(' ');
          const { body } = await api(1).get(assignments(dataset));
          const held = body.structuredProperties.value.properties.find(
            ({ propertyUrn }: { propertyUrn: string }) => propertyUrn === property,
          );
          expect([key, held?.values]).toEqual([key, [{ double: value }]]);
        }
        await Promise.all(replicas.map((replica) => replica.stop()));
        const { store, search, close } = await deployment.open();
        expect(await checkCatalogue(store, search)).toEqual([]);
        await close();
        // Figures for the docs, when somebody looks.
        process.stderr.write(
          `replicas: ${JSON.stringify({ answers: [...statuses], searches, kept: acknowledged.size })}\n`,
        );
      },
      SECONDS * 2_000 + 300_000,
    );
  });
});
