import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelJob } from '../../../api-server/jobs/cancel-job.ts';
import {
  ensureJob,
  ensureOnlyJob,
  findOpenJob,
  type Job,
  listJobs,
  openJobs,
  readJob,
  saveJob,
} from '../../../api-server/jobs/job.ts';
import { JobRunner } from '../../../api-server/jobs/job-runner.ts';
import type { JobWork } from '../../../api-server/jobs/job-work.ts';
import { eventually } from '../../harness/api.ts';
import { override, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';
import { TestClock } from '../../harness/test-clock.ts';

// as runners have them
const LEASE = 10_000;
const LOOK_INTERVAL = 1_000;
const RETRY = 5_000;

let catalog: TestCatalog;
const runners: JobRunner[] = [];
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await catalog.close();
});

/** Runners that share the store, as those of replicas do. */
function start(work: Partial<JobWork>, count = 1, parts = catalog.parts): JobRunner[] {
  const all: JobWork = {
    count: async () => 0,
    step: async () => ({ processed: 0, finished: true }),
    settles: false,
    ...work,
  };
  const works = { cascade: all, collection: all, fields: all, 'system-update': all };
  const started = Array.from({ length: count }, () => new JobRunner(parts, works, false));
  for (const runner of started) runner.start();
  runners.push(...started);
  return started;
}

const newJob = (remains: string) =>
  ensureJob(
    catalog.parts.store,
    { kind: 'cascade', subject: 'urn:li:structuredProperty:p', remains },
    catalog.clock.now(),
  );
const states = async () => (await listJobs(catalog.parts.store)).map(({ state }) => state);

describe('runners that share a store', () => {
  it('look at what is due, and not at all that waits', async () => {
    const { store } = catalog.parts;
    for (let at = 0; at < 300; at++) await newJob(`later${at}`);
    for await (const { body, revision } of openJobs(store)) {
      await saveJob(store, { ...body, state: 'settling', notBefore: catalog.clock.now() + 2 * TIMEOUT }, revision);
    }
    const asked: string[] = [];
    const records = override(store.records, {
      list: (kind, ...rest) => {
        asked.push(`list ${kind}`);
        return store.records.list(kind, ...rest);
      },
      get: (kind, id) => {
        asked.push(`get ${kind}`);
        return store.records.get(kind, id);
      },
    });
    const done: string[] = [];
    const work = async ({ remains }: Job) => {
      done.push(remains);
      return { processed: 0, finished: true };
    };
    const [runner] = start({ step: work }, 1, catalog.replica({ store: override(store, { records }) }));
    await newJob('first');
    runner?.wake();
    await eventually(async () => expect(done).toEqual(['first']));
    await eventually(async () => expect((await readJob(store, 'cascade:first'))?.state).toBe('done'));
    await eventually(async () => expect(await store.records.list('dueJob', undefined, 1_000)).toHaveLength(300));
    asked.length = 0;
    await newJob('second');
    runner?.wake();
    await eventually(async () => expect(done).toEqual(['first', 'second']));
    expect(asked).not.toContain('list job');
    expect(asked.length).toBeLessThan(30);
    await catalog.clock.advance(2 * TIMEOUT + LOOK_INTERVAL);
    await eventually(async () => expect(done).toHaveLength(302));
  });

  it('find a job that nobody noted as due: an earlier release wrote it', async () => {
    const { store } = catalog.parts;
    await newJob('old');
    for (const { id, revision } of await store.records.list('dueJob', undefined, 10)) {
      await store.records.delete('dueJob', id, revision);
    }
    start({});
    await eventually(async () => expect(await states()).toEqual(['done']));
    await eventually(async () => expect(await store.records.list('dueJob', undefined, 10)).toEqual([]));
  });

  it('carry every job through, and no job twice at once', async () => {
    const JOBS = 30;
    const STEPS = 5;
    const running = new Map<string, number>();
    const steps = new Map<string, number>();
    for (let at = 0; at < JOBS; at++) await newJob(`e${at}`);
    start(
      {
        async step({ id, cursor = '0' }) {
          running.set(id, (running.get(id) ?? 0) + 1);
          expect(running.get(id)).toBe(1);
          for (let turn = Math.random() * 10; turn > 0; turn--) await nextTurn();
          running.set(id, (running.get(id) ?? 0) - 1);
          steps.set(id, (steps.get(id) ?? 0) + 1);
          const next = Number(cursor) + 1;
          return { processed: 1, finished: next === STEPS, cursor: String(next) };
        },
      },
      3,
    );
    await eventually(async () => expect(await states()).toEqual(Array.from({ length: JOBS }, () => 'done')));
    expect([...steps.values()]).toEqual(Array.from({ length: JOBS }, () => STEPS));
  });

  it('leave a job to who holds it, and take it over when the lease has ended', async () => {
    await newJob('e');
    const record = await findOpenJob(catalog.parts.store, 'cascade:e');
    const lease = { holder: 'a runner that is dead', until: catalog.clock.now() + LEASE };
    await saveJob(
      catalog.parts.store,
      { ...(record?.body as Job), state: 'running', cursor: '7', lease },
      record?.revision,
    );
    const cursors: unknown[] = [];
    start({
      async step({ cursor }) {
        cursors.push(cursor);
        return { processed: 1, finished: true };
      },
    });
    await catalog.clock.advance(LEASE - 1);
    expect(cursors).toEqual([]);
    await catalog.clock.advance(1 + LOOK_INTERVAL);
    await eventually(async () => expect(await states()).toEqual(['done']));
    expect(cursors).toEqual(['7']);
  });

  it('let one that lost its job save nothing', async () => {
    await newJob('e');
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let calls = 0;
    const work = {
      async step() {
        calls += 1;
        if (calls === 1) await held;
        return { processed: calls === 1 ? 100 : 1, finished: true };
      },
    };
    const { now, monotonic, after } = new TestClock();
    start(work, 1, catalog.replica({ now, monotonic, after }));
    await eventually(async () => expect(calls).toBe(1));
    // the machine of the first one stands still, and nothing is renewed
    start(work);
    await catalog.clock.advance(LEASE + 1 + LOOK_INTERVAL);
    await eventually(async () => expect(await states()).toEqual(['done']));
    release();
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    expect(await readJob(catalog.parts.store, 'cascade:e')).toMatchObject({ state: 'done', processed: 1 });
  });
});

describe('a runner', () => {
  it('keeps its lease while a step takes long', async () => {
    await newJob('e');
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let calls = 0;
    start(
      {
        async step() {
          calls += 1;
          await held;
          return { processed: 1, finished: true };
        },
      },
      2,
    );
    await eventually(async () => expect(await states()).toEqual(['running']));
    await catalog.clock.advance(5 * LEASE);
    expect(calls).toBe(1);
    release();
    await eventually(async () =>
      expect(await readJob(catalog.parts.store, 'cascade:e')).toMatchObject({ state: 'done', processed: 1 }),
    );
  });

  it('drops what a cancelled job has begun only when its step is over, and lets other jobs go on if it cannot', async () => {
    const order: string[] = [];
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await ensureOnlyJob(
      catalog.parts.store,
      { kind: 'system-update', subject: 'index', remains: 'r' },
      catalog.clock.now(),
    );
    let attempts = 0;
    const [runner] = start({
      async step({ kind }) {
        if (kind === 'cascade') return { processed: 0, finished: true };
        order.push('step begins');
        await held;
        order.push('step ends');
        return { processed: 0, finished: false };
      },
      async abandon() {
        attempts += 1;
        if (attempts === 1) throw new Error('the engine is away');
        order.push('dropped');
      },
    });
    await eventually(async () => expect(order).toEqual(['step begins']));
    await cancelJob(catalog.parts, 'system-update');
    await newJob('other');
    runner?.wake();
    await eventually(async () => expect((await readJob(catalog.parts.store, 'cascade:other'))?.state).toBe('done'));
    expect(order).toEqual(['step begins']);
    release();
    await eventually(async () => {
      runner?.wake();
      expect((await readJob(catalog.parts.store, 'system-update'))?.state).toBe('cancelled');
    });
    expect(order).toEqual(['step begins', 'step ends', 'dropped']);
  });

  it('lets a long job keep no other one waiting', async () => {
    await newJob('long');
    await catalog.clock.advance(1);
    await newJob('short');
    let over = false;
    start({
      async step({ remains }) {
        await nextTurn();
        return { processed: 0, finished: remains !== 'long' || over };
      },
    });
    await eventually(async () => expect((await states()).sort()).toEqual(['done', 'running']));
    over = true;
    await eventually(async () => expect(await states()).toEqual(['done', 'done']));
  });

  it('tries a job again after an error, and keeps what it said until then', async () => {
    await newJob('e');
    let calls = 0;
    start({
      async step() {
        calls += 1;
        if (calls === 1) throw new Error('the store was away');
        return { processed: 0, finished: true };
      },
    });
    await eventually(async () => {
      expect(await readJob(catalog.parts.store, 'cascade:e')).toMatchObject({
        state: 'waiting',
        attempts: 1,
        error: 'the store was away',
      });
    });
    await catalog.clock.advance(RETRY + LOOK_INTERVAL);
    await eventually(async () => expect(await states()).toEqual(['done']));
    expect(await readJob(catalog.parts.store, 'cascade:e')).not.toHaveProperty('error');
  });
});
