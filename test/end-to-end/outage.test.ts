import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import { checkCatalogue } from '../harness/check-catalogue.ts';
import { type Deployment, describeWithServers, serverDeployment } from '../harness/deployments.ts';
import { type MongodbServer, startMongodbServer } from '../harness/mongodb-server.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startTypesenseServer, type TypesenseServer } from '../harness/typesense-server.ts';

/** What happens when a backend is away, and when it is there but silent. The servers are the test's own. */

const PROPERTY = 'urn:li:structuredProperty:com.example.outage';
const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,outage.${name},PROD)`;
const QUERY = encodeURIComponent('_exists_:structuredProperties.com_example_outage');
const SEARCH = `/openapi/v3/entity/dataset?query=${QUERY}`;

await describeWithServers('an outage', () => {
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let mongodb: MongodbServer;
  let typesense: TypesenseServer;
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  const start = async () => {
    proplane = await ProplaneProcess.start({ deployment, role: 'api-server' });
    api = new Api(proplane.url);
  };

  beforeAll(async () => {
    data = await temporaryFolder();
    mongodb = await startMongodbServer({ folder: data.path });
    typesense = await startTypesenseServer();
    deployment = await serverDeployment(mongodb.uri, typesense.url);
    await start();
    const definition = { qualifiedName: 'com.example.outage', valueType: 'number', entityTypes: ['dataset'] };
    expect((await api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), definition)).status).toBe(200);
    expect((await put('first', 1)).status).toBe(200);
    await eventually(async () => expect(await found()).toEqual([dataset('first')]));
  }, 120_000);

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
    await typesense?.stop();
    await mongodb?.kill();
    await data?.remove();
  }, 180_000);

  function put(name: string, value: number): Promise<Answer> {
    const path = `${entityPath('v3', dataset(name), 'structuredProperties')}?createIfEntityNotExists=true`;
    return api.patch(path, addProperty(PROPERTY, [{ double: value }]));
  }

  async function found(): Promise<string[]> {
    const { body } = await api.get(SEARCH);
    return body.entities?.map(({ urn }: { urn: string }) => urn);
  }

  const metric = async (line: string) => (await api.get('/metrics')).body.includes(`\n${line}\n`);

  async function expectUnavailable(answer: Promise<Answer>): Promise<void> {
    const { status, headers, body } = await answer;
    expect({ status, body }).toEqual({
      status: 503,
      body: { error: 'Service Unavailable', message: expect.any(String) },
    });
    expect(headers.get('retry-after')).toBe('1');
  }

  describe('of the search engine', () => {
    it('lets writes and reads go on, answers searches with 503, and says so everywhere', async () => {
      await typesense.kill();
      await expectUnavailable(api.get(SEARCH));
      expect((await put('second', 2)).status).toBe(200);
      expect((await api.get(entityPath('v3', dataset('second')))).status).toBe(200);
      const { status, body } = await api.get('/ready');
      expect(status).toBe(200);
      expect(body).toMatchObject({ ready: true, store: 'ok', search: expect.stringContaining('127.0.0.1') });
      expect(JSON.stringify(body)).not.toContain(typesense.apiKey);
      await eventually(async () => {
        await api.get(SEARCH);
        expect(await metric('proplane_backend_left{backend="search"} 1')).toBe(true);
      });
      expect((await api.get('/metrics')).body).toMatch(/^proplane_outbox_entities [1-9]/mu);
      expect(proplane.output).toContain('the backend does not answer; it is left alone');
    }, 180_000);

    it('is over by itself: the index catches up', async () => {
      await typesense.start();
      await eventually(async () => expect(await found()).toEqual([dataset('first'), dataset('second')]), 120_000);
      await eventually(async () => expect(await metric('proplane_backend_left{backend="search"} 0')).toBe(true));
      await eventually(async () => {
        expect((await api.get('/metrics')).body).toMatch(/^proplane_outbox_entities 0$/mu);
      });
    }, 240_000);

    it('does not keep a process from starting, nor from taking writes', async () => {
      await proplane.kill();
      await typesense.kill();
      await start();
      expect((await put('third', 3)).status).toBe(200);
      await typesense.start();
      await eventually(async () => expect((await found()).length).toBe(3), 120_000);
    }, 400_000);

    it('that is silent piles no requests up: those that wait are refused when the first have failed', async () => {
      typesense.pause();
      const answers = await Promise.all(Array.from({ length: 300 }, () => api.get(SEARCH)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      const refused = /^proplane_backend_calls_refused\{backend="search"\} (\d+)$/mu.exec(
        (await api.get('/metrics')).body,
      );
      expect(Number(refused?.[1])).toBeGreaterThan(100);
      expect((await put('fourth', 4)).status).toBe(200);
      expect((await api.get('/health')).status).toBe(200);
      expect(await metric('proplane_backend_calls_waiting{backend="search"} 0')).toBe(true);
      typesense.resume();
      await eventually(async () => expect((await found()).length).toBe(4), 120_000);
    }, 400_000);
  });

  describe('of the store', () => {
    it('answers everything with 503, is not ready, and is over by itself', async () => {
      await mongodb.kill();
      await expectUnavailable(put('fifth', 5));
      await expectUnavailable(api.get(entityPath('v3', dataset('first'))));
      await expectUnavailable(api.get(SEARCH));
      const { status, body } = await api.get('/ready');
      expect([status, body.ready, body.search]).toEqual([503, false, 'ok']);
      expect(body.store).toContain('127.0.0.1');
      expect((await api.get('/health')).status).toBe(200);
      mongodb = await startMongodbServer({ folder: data.path, port: mongodb.port });
      await eventually(async () => expect((await put('fifth', 5)).status).toBe(200), 120_000);
      await eventually(async () => expect((await found()).length).toBe(5), 120_000);
      expect((await api.get('/ready')).status).toBe(200);
    }, 180_000);

    it('in the middle of batches leaves nothing half-written: each is there whole, or not at all', async () => {
      const SIZE = 60;
      const batch = (name: string) =>
        Array.from({ length: SIZE }, (_, index) => ({
          urn: dataset(`${name}.${index}`),
          status: { value: { removed: false } },
          structuredProperties: { value: { properties: [{ propertyUrn: PROPERTY, values: [{ double: index }] }] } },
        }));
      const names = Array.from({ length: 8 }, (_, index) => `batch${index}`);
      const sent = names.map((name) => api.post('/openapi/v3/entity/dataset?async=false', batch(name)));
      await Promise.race(sent);
      await mongodb.kill();
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      mongodb = await startMongodbServer({ folder: data.path, port: mongodb.port });
      const held = async (name: string) => {
        const urns = batch(name).map(({ urn }) => urn);
        const answers = await Promise.all(urns.map((urn) => api.get(entityPath('v3', urn))));
        return answers.filter(({ status }) => status === 200).length;
      };
      // What was cut is rolled forward by housekeeping, after the longest request time.
      await eventually(async () => {
        for (const [at, name] of names.entries())
          expect(statuses[at] === 200 ? [SIZE] : [0, SIZE]).toContain(await held(name));
      }, 120_000);
      expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
    }, 240_000);

    it('loses nothing of what was answered, and leaves an index that equals the store', async () => {
      await eventually(async () => {
        expect((await api.get('/metrics')).body).toMatch(/^proplane_outbox_entities 0$/mu);
      }, 180_000);
      await proplane.stop();
      const { store, search, close } = await deployment.open();
      expect(await checkCatalogue(store, search)).toEqual([]);
      await close();
    }, 240_000);
  });
});
