import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, addProperty, entityPath, eventually, postBatch } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sizeOf } from '../tiers.ts';

/** The first entities are written all the time, the others stay as they are. */
const WRITTEN = 1_000;
const AT_ONCE = 250;
const STABLE = 'com.example.reindex.stable';
const HOT = 'com.example.reindex.hot';
const GONE = 'com.example.reindex.gone';

const propertyOf = (name: string) => `urn:li:structuredProperty:${name}`;
const fieldOf = (name: string) => `structuredProperties.${name.replaceAll('.', '_')}`;
const dataset = (index: number) =>
  `urn:li:dataset:(urn:li:dataPlatform:hive,reindex.t${String(index).padStart(7, '0')},PROD)`;

await onEachDeployment((newDeployment, { embedded }) => {
  /** A soak run asks for more. */
  const ENTITIES = sizeOf('PROPLANE_REINDEX_ENTITIES', { quick: 3_000, long: embedded ? 10_000 : 2_000 });

  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  async function start(): Promise<void> {
    proplane = await ProplaneProcess.start({
      deployment,
      environment: { REQUEST_TIMEOUT_S: embedded ? '5' : '10', ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE: 'false' },
    });
    api = new Api(proplane.url);
  }

  async function define(name: string): Promise<void> {
    const definition = { qualifiedName: name, valueType: 'number', entityTypes: ['dataset'] };
    expect((await api.post(entityPath('v3', propertyOf(name), 'propertyDefinition'), definition)).status).toBe(200);
  }

  interface Listing {
    readonly status: number;
    readonly total: number;
    readonly urns: readonly string[];
  }

  async function search(query: string, count = 100): Promise<Listing> {
    const path = `/openapi/v3/entity/dataset?aspects=datasetKey&count=${count}&query=${encodeURIComponent(query)}`;
    const { status, body } = await api.get(path);
    return { status, total: body.totalCount, urns: body.entities?.map(({ urn }: { urn: string }) => urn) };
  }

  const job = async () => (await api.get('/jobs/system-update')).body;

  beforeAll(async () => {
    deployment = await newDeployment();
    await start();
    for (const name of [STABLE, HOT, GONE]) await define(name);
    for (let first = 0; first < ENTITIES; first += AT_ONCE) {
      const items = Array.from({ length: AT_ONCE }, (_, offset) => first + offset).map((index) => ({
        urn: dataset(index),
        status: { value: { removed: false } },
        structuredProperties: {
          value: {
            properties: [
              { propertyUrn: propertyOf(GONE), values: [{ double: 1 }] },
              ...(index < WRITTEN ? [] : [{ propertyUrn: propertyOf(STABLE), values: [{ double: index % 10 }] }]),
            ],
          },
        },
      }));
      await postBatch(api, 'dataset', items);
    }
    await api.delete(entityPath('v3', propertyOf(GONE)));
    await eventually(async () => {
      const { body } = await api.get(`/jobs?kind=cascade&subject=${encodeURIComponent(propertyOf(GONE))}`);
      expect(body.jobs[0]?.state).toBe('done');
    }, 300_000);
    await eventually(async () => expect((await search(`_exists_:${fieldOf(STABLE)}`)).total).toBe(ENTITIES - WRITTEN));
  }, 900_000);

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  describe(`a system update of ${ENTITIES} entities under write load`, () => {
    const written = new Map<number, number>();
    const writeFailures: unknown[] = [];
    const wrongAnswers: unknown[] = [];
    let pausing = false;
    let stopping = false;
    const removedEarlier: { propertyUrn: string }[] = [];

    /** A writer has 250 entities of its own. Nobody writes while the server is restarted. */
    async function write(writer: number): Promise<void> {
      for (let value = 1; !stopping; value++) {
        if (pausing) await sleep(20);
        else {
          const index = writer * 250 + ((value * 7) % 250);
          const patch = addProperty(propertyOf(HOT), [{ double: value }]);
          const sent = await api.patch(entityPath('v3', dataset(index), 'structuredProperties'), patch).catch(String);
          if (typeof sent !== 'string' && sent.status === 200) written.set(index, value);
          else {
            // Who knows whether it was written.
            written.delete(index);
            if (!pausing) writeFailures.push(sent);
          }
        }
      }
    }

    async function read(expected: readonly Listing[]): Promise<void> {
      for (let digit = 0; !stopping; digit = (digit + 1) % 10) {
        if (pausing) await sleep(20);
        else {
          const found = await search(`${fieldOf(STABLE)}:${digit}`).catch(String);
          if (!pausing && JSON.stringify(found) !== JSON.stringify(expected[digit])) wrongAnswers.push(found);
        }
      }
    }

    /** Begins a system update, and looks up in the middle of it; begins another when it has slept through. */
    async function inTheMiddle(): Promise<{ readonly created: number; readonly processed: number }> {
      for (;;) {
        expect((await api.post('/jobs', { kind: 'system-update' })).status).toBe(202);
        await eventually(async () => expect((await job()).processed).toBeGreaterThan(ENTITIES / 20), 120_000);
        const seen = await job();
        if (seen.state === 'running') return seen;
        removedEarlier.push(...seen.result.removed);
      }
    }

    it('answers every search as before, takes every write, and goes on when it is killed in the middle', async () => {
      const expected = await Promise.all(
        Array.from({ length: 10 }, (_, digit) => search(`${fieldOf(STABLE)}:${digit}`)),
      );
      expect(expected.map(({ total }) => total)).toEqual(expected.map(() => (ENTITIES - WRITTEN) / 10));
      const load = [0, 1, 2, 3].map(write);
      load.push(read(expected));
      const before = await inTheMiddle();
      pausing = true;
      await proplane.kill();
      await start();
      pausing = false;
      const after = await job();
      expect(after.created).toBe(before.created);
      expect(after.processed).toBeGreaterThanOrEqual(before.processed);
      await eventually(async () => expect((await job()).state).toBe('done'), 600_000);
      stopping = true;
      await Promise.all(load);
      expect(writeFailures).toEqual([]);
      expect(wrongAnswers).toEqual([]);
      expect(written.size).toBeGreaterThan(0);
      for (const [digit, listing] of expected.entries())
        expect(await search(`${fieldOf(STABLE)}:${digit}`)).toEqual(listing);
    }, 900_000);

    it('lists what it kept and why, and what it removed', async () => {
      const { result } = await job();
      expect(
        result.kept.map(({ propertyUrn, why }: { propertyUrn: string; why: string }) => [propertyUrn, why]),
      ).toEqual(
        expect.arrayContaining([
          [propertyOf(STABLE), 'live'],
          [propertyOf(HOT), 'live'],
        ]),
      );
      expect(
        [...removedEarlier, ...result.removed].map(({ propertyUrn }: { propertyUrn: string }) => propertyUrn),
      ).toEqual([propertyOf(GONE)]);
      expect(result.entities).toBeGreaterThanOrEqual(ENTITIES);
    });

    it('has every acknowledged write in the new index', async () => {
      await eventually(async () => {
        expect((await search(`_exists_:${fieldOf(HOT)}`)).total).toBeGreaterThanOrEqual(written.size);
        for (const [index, value] of [...written].slice(0, 50)) {
          expect((await search(`${fieldOf(HOT)}:${value}`, 1_000)).urns).toContain(dataset(index));
        }
      }, 120_000);
    });
  });
});
