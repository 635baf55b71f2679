import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Housekeeping } from '../../api-server/catalog/housekeeping.ts';
import { Lease } from '../../api-server/catalog/indexing/lease.ts';
import { recordBatch } from '../../api-server/catalog/write/batches.ts';
import { claimSearchName } from '../../api-server/catalog/write/search-name-claims.ts';
import { apiServerEnvironment } from '../../api-server/config.ts';
import { ensureJob, listJobs } from '../../api-server/jobs/job.ts';
import { JobRunner } from '../../api-server/jobs/job-runner.ts';
import { jobWorks } from '../../api-server/jobs/job-works.ts';
import { type RunningApiServer, startApiServer } from '../../api-server/server.ts';
import { parseUrn } from '../../model/urn.ts';
import { SYSTEM_CLOCK } from '../../process/clock.ts';
import { Api, entityPath, eventually } from '../harness/api.ts';
import { dataset, describing, property, TestCatalog, TIMEOUT } from '../harness/catalog.ts';
import type { Deployment } from '../harness/deployments.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** The clock on the wall was a day ahead, or a day behind, and is right again. Nothing waits for a day. */

const DAY = 24 * 3600 * 1000;

describe.each([
  ['ahead', DAY],
  ['behind', -DAY],
])('what was begun while the clock was a day %s', (_how, jump) => {
  let catalog: TestCatalog;
  beforeEach(async () => {
    catalog = await TestCatalog.open();
  });
  afterEach(() => catalog.close());

  async function whileWrong<T>(work: () => Promise<T>): Promise<T> {
    catalog.clock.jump(jump);
    try {
      return await work();
    } finally {
      catalog.clock.jump(-jump);
    }
  }

  /** A batch that is written down, whose process then dies. */
  const cutBatch = () => {
    const write = catalog.entityWrite(dataset('a'), describing('of the batch'));
    return recordBatch(catalog.parts, [{ ...write, checkedFor: 'nothing' } as never], catalog.context);
  };

  /** One round of the housekeeping, which is not the first of a process that is alone. */
  async function clean(): Promise<void> {
    const housekeeping = new Housekeeping(catalog.parts);
    await housekeeping.clean();
  }

  it('a batch is carried out, once its request is over', async () => {
    await whileWrong(cutBatch);
    await catalog.clock.advance(2 * TIMEOUT + 1);
    await clean();
    expect(await catalog.description('a')).toBe('of the batch');
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('a lease is taken over by another process, and stays with one that renews it', async () => {
    const { store } = catalog.parts;
    const lease = () => new Lease({ store, name: 'x', duration: 3_000, clock: catalog.parts, exclusive: false });
    const gone = lease();
    expect(await whileWrong(() => gone.hold())).toBe(true);
    await catalog.clock.advance(3_001);
    const next = lease();
    expect(await next.hold()).toBe(true);
    const other = lease();
    for (let round = 0; round < 5; round++) {
      expect(await next.hold()).toBe(true);
      expect(await other.hold()).toBe(false);
      await catalog.clock.advance(2_000);
    }
    // the clock jumps while it is held: its holder goes on
    catalog.clock.jump(jump);
    expect(await next.hold()).toBe(true);
  });

  it('a tombstone is purged', async () => {
    await catalog.dataset('a');
    await whileWrong(() => catalog.delete(dataset('a')));
    await catalog.index();
    await catalog.clock.advance(2 * TIMEOUT + 1);
    await clean();
    expect(await catalog.parts.store.entities.get(dataset('a'))).toBeUndefined();
  });

  it('a claim of a search name that nothing came of is taken over', async () => {
    await whileWrong(() => claimSearchName(catalog.parts, parseUrn(property('a.b'))));
    await catalog.clock.advance(TIMEOUT + 1);
    expect(await claimSearchName(catalog.parts, parseUrn(property('a_b')))).toBeUndefined();
  });

  it('a job is worked on, also one that a runner held which has died', async () => {
    const { parts } = catalog;
    const job = { kind: 'collection', subject: property('gone'), remains: 'epoch' } as const;
    await whileWrong(() => ensureJob(parts.store, job, parts.now()));
    const held = { ...job, remains: 'other' };
    await whileWrong(async () => {
      await ensureJob(parts.store, held, parts.now());
      const [record] = await parts.store.records.list<object>('job', `${job.kind}:o`, 1);
      const lease = { holder: 'gone', until: parts.now() + 10_000 };
      await parts.store.records.put(
        'job',
        record?.id ?? '',
        { ...record?.body, state: 'running', lease },
        record?.revision,
      );
    });
    await catalog.clock.advance(10_001);
    const runner = new JobRunner(parts, jobWorks(parts), false);
    runner.start();
    await eventually(async () => {
      // the second pass waits for writers that are late
      await catalog.clock.advance(TIMEOUT);
      expect((await listJobs(parts.store)).map(({ state }) => state)).toEqual(['done', 'done']);
    }, 20_000);
    await runner.stop();
  });

  it('a request has the time that it has', async () => {
    const { context } = catalog;
    catalog.clock.jump(jump);
    const write = catalog.entityWrite(dataset('a'), describing('in time'));
    await expect(
      recordBatch(catalog.parts, [{ ...write, checkedFor: 'nothing' } as never], context),
    ).resolves.toBeDefined();
    await catalog.dataset('b');
    expect(await catalog.values(dataset('b'))).toEqual([]);
  });
});

describe('a server whose clock jumps while it runs', () => {
  it('answers, indexes, and ends its jobs', async () => {
    const { embeddedDeployment } = await import('../harness/embedded-deployment.ts');
    const deployment = await embeddedDeployment();
    let ahead = 0;
    const clock = { ...SYSTEM_CLOCK, now: () => Date.now() + ahead };
    const environment = { ...deployment.environment, API_PORT: '0', REQUEST_TIMEOUT_S: '1' };
    let server: RunningApiServer | undefined;
    try {
      server = await startApiServer(apiServerEnvironment.parse(environment), pino({ level: 'silent' }), clock);
      const api = new Api(server.url);
      for (const [index, jump] of [0, DAY, 0, -DAY, 0].entries()) {
        ahead = jump;
        const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,clock.${index},PROD)`;
        const path = entityPath('v3', urn);
        expect((await api.post(`${path}/datasetProperties`, { name: `clock${index}` })).status).toBe(200);
        const query = encodeURIComponent(`name:clock${index}`);
        await eventually(async () =>
          expect((await api.get(`/openapi/v3/entity/dataset?query=${query}`)).body.totalCount).toBe(1),
        );
        const name = `com.example.clock${index}`;
        const definition = { qualifiedName: name, valueType: 'string', entityTypes: ['dataset'] };
        const definitionPath = entityPath('v3', `urn:li:structuredProperty:${name}`);
        expect((await api.post(`${definitionPath}/propertyDefinition`, definition)).status).toBe(200);
        expect((await api.delete(definitionPath)).status).toBe(200);
      }
      await eventually(async () => {
        const { jobs } = (await api.get('/jobs')).body;
        expect(jobs.filter(({ kind }: { kind: string }) => kind !== 'system-update').length).toBeGreaterThan(0);
        expect(jobs.filter(({ state }: { state: string }) => state !== 'done')).toEqual([]);
      }, 30_000);
    } finally {
      await server?.stop();
      await deployment.remove();
    }
  });
});

await onEachDeployment((newDeployment) => {
  it('a process carries out and takes over what another has left whose clock was a day ahead', async () => {
    const deployment: Deployment = await newDeployment();
    let proplane: ProplaneProcess | undefined;
    try {
      const { store, close } = await deployment.open();
      const wrong = Date.now() + DAY;
      const catalog = await TestCatalog.open();
      const write = catalog.entityWrite(dataset('cut'), describing('of the batch'));
      const parts = { ...catalog.parts, store, now: () => wrong };
      await recordBatch(parts, [{ ...write, checkedFor: 'nothing' } as never], catalog.context);
      await store.records.put('lease', 'indexer', { holder: 'gone', until: wrong + 3_000 }, undefined);
      await catalog.close();
      await close();
      const environment = { REQUEST_TIMEOUT_S: '1' };
      proplane = await ProplaneProcess.start({ deployment, role: 'api-server', environment });
      const api = new Api(proplane.url);
      await eventually(async () => {
        expect((await api.get(entityPath('v3', dataset('cut')))).status).toBe(200);
      }, 30_000);
      await eventually(async () => {
        expect((await api.get('/metrics')).body).toContain('\nproplane_outbox_entities 0\n');
      }, 30_000);
    } finally {
      await proplane?.kill();
      await deployment.remove();
    }
  });
});
