import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelJob } from '../../../api-server/jobs/cancel-job.ts';
import { type Job, listJobs, readJob } from '../../../api-server/jobs/job.ts';
import { JobRunner } from '../../../api-server/jobs/job-runner.ts';
import type { JobWorks } from '../../../api-server/jobs/job-work.ts';
import { jobWorks } from '../../../api-server/jobs/job-works.ts';
import { ensureSystemUpdate } from '../../../api-server/jobs/system-update.ts';
import { eventually } from '../../harness/api.ts';
import { add, dataset, override, property, refusal, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';

let catalog: TestCatalog;
let runner: JobRunner | undefined;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(async () => {
  await runner?.stop();
  runner = undefined;
  await catalog.close();
});

function run(parts = catalog.parts, change: (works: JobWorks) => JobWorks = (works) => works): JobRunner {
  runner = new JobRunner(parts, change(jobWorks(parts)), true);
  runner.start();
  return runner;
}

const job = async () => (await readJob(catalog.parts.store, 'system-update')) as Job;
const ended = () =>
  eventually(async () => {
    expect((await job()).state).toBe('done');
    return job();
  });

async function updated(): Promise<Job> {
  await ensureSystemUpdate(catalog.parts);
  run();
  return ended();
}

/** Lets the second pass of the jobs that collect come. */
async function collected(): Promise<void> {
  const jobs = run();
  await eventually(async () => {
    await catalog.clock.advance(3 * TIMEOUT);
    for (const { state } of await listJobs(catalog.parts.store)) expect(state).toBe('done');
  });
  await jobs.stop();
  await catalog.index();
}

describe('a system update', () => {
  it('keeps the fields of what is live or soft deleted, and says why', async () => {
    for (const name of ['a.live', 'b.soft', 'c.unused']) await catalog.define(name);
    for (const name of ['x', 'y']) await catalog.dataset(name);
    await catalog.assign(dataset('x'), { 'a.live': ['v'], 'b.soft': ['v'] });
    await catalog.assign(dataset('y'), { 'a.live': ['w'] });
    await catalog.index();
    await catalog.softDelete('b.soft');
    await catalog.index();
    const { result } = await updated();
    expect(result).toEqual({
      entities: 5,
      kept: expect.arrayContaining([
        { propertyUrn: property('a.live'), field: 'structuredProperties.a_live', entities: 2, why: 'live' },
        { propertyUrn: property('b.soft'), field: 'structuredProperties.b_soft', entities: 1, why: 'soft deleted' },
      ]),
      removed: [],
    });
    expect(await catalog.find('structuredProperties.a_live:v')).toEqual([dataset('x')]);
    await catalog.restore('b.soft');
    expect(await catalog.find('_exists_:structuredProperties.b_soft')).toEqual([dataset('x')]);
  });

  it('keeps the field of a hard-deleted property until its values are collected, then removes it', async () => {
    await catalog.define('gone');
    await catalog.dataset('x');
    await catalog.assign(dataset('x'), { gone: ['v'] });
    await catalog.index();
    await catalog.delete(property('gone'));
    await catalog.index();
    // Nobody has collected anything yet.
    await ensureSystemUpdate(catalog.parts);
    const idle = { hasHappened: async () => false, count: async () => 0, settles: true };
    run(catalog.parts, (works) => ({ ...works, cascade: { ...works.cascade, ...idle } }));
    expect((await ended()).result).toEqual({
      entities: 1,
      kept: [{ propertyUrn: property('gone'), entities: 1, why: 'not collected yet' }],
      removed: [],
    });
    await runner?.stop();
    await collected();
    const { result } = await updated();
    expect(result).toEqual({
      entities: 1,
      kept: [],
      removed: [{ field: expect.stringMatching(/^p:/u), propertyUrn: property('gone') }],
    });
  });

  it('is one at a time: who asks meanwhile joins it, who asks later begins another', async () => {
    const first = await ensureSystemUpdate(catalog.parts);
    expect(await ensureSystemUpdate(catalog.parts)).toEqual(first);
    run();
    await ended();
    await catalog.clock.advance(1);
    const second = await ensureSystemUpdate(catalog.parts);
    expect(second.remains).not.toBe(first.remains);
    expect(second.state).toBe('waiting');
  });

  it('catches up what is written, created and deleted while it fills, also when the indexer is late', async () => {
    await catalog.define('p');
    for (const name of ['a', 'b', 'c']) await catalog.dataset(name);
    await catalog.index();
    await ensureSystemUpdate(catalog.parts);
    const { search } = catalog.parts;
    let steps = 0;
    const parts = {
      ...catalog.parts,
      search: override(search, {
        async rebuild(id) {
          steps += 1;
          const rebuild = await search.rebuild(id);
          if (steps !== 2) return rebuild;
          // Between the filling and the comparing.
          await catalog.patch(dataset('a'), [add('p', 'late')]);
          await catalog.delete(dataset('b'));
          await catalog.dataset('d');
          return rebuild;
        },
      }),
    };
    run(parts);
    await ended();
    expect(steps).toBeGreaterThan(2);
    expect((await search.scan(undefined, 10)).map(({ urn }) => urn)).toEqual([
      dataset('a'),
      dataset('c'),
      dataset('d'),
      property('p'),
    ]);
    expect(await catalog.find('structuredProperties.p:late')).toEqual([dataset('a')]);
  });

  it.each([1, 2, 3, 4, 5])('goes on where it was when its runner dies after step %d', async (last) => {
    await catalog.define('p');
    for (const name of ['a', 'b']) await catalog.dataset(name);
    await catalog.assign(dataset('a'), { p: ['v'] });
    await catalog.index();
    await ensureSystemUpdate(catalog.parts);
    const dying = dyingAfter(last);
    run(dying.parts, dying.works);
    await dying.dead;
    await runner?.stop();
    run();
    const { result, created } = await ended();
    expect(result).toMatchObject({ entities: 3, removed: [] });
    expect(created).toBe(catalog.clock.now());
    expect(await catalog.find('structuredProperties.p:v')).toEqual([dataset('a')]);
  });

  it('begins anew, from the first entity, when what it had filled is gone, also when the first step after that fails', async () => {
    for (const name of ['a', 'b']) await catalog.dataset(name);
    await catalog.index();
    await ensureSystemUpdate(catalog.parts);
    const dying = dyingAfter(2);
    run(dying.parts, dying.works);
    await dying.dead;
    await runner?.stop();
    const { search } = catalog.parts;
    await search.abandonRebuild((await job()).remains);
    let calls = 0;
    run(catalog.parts, (works) => ({
      ...works,
      'system-update': {
        ...works['system-update'],
        async step(each) {
          calls += 1;
          if (calls === 2) throw new Error('once');
          return works['system-update'].step(each);
        },
      },
    }));
    await eventually(async () => {
      await catalog.clock.advance(5_000);
      expect((await job()).state).toBe('done');
    });
    expect((await search.scan(undefined, 10)).map(({ urn }) => urn)).toEqual([dataset('a'), dataset('b')]);
  });

  it('fails after five attempts without progress, keeps the index as it was, and drops what it had begun', async () => {
    await catalog.dataset('a');
    await catalog.index();
    await ensureSystemUpdate(catalog.parts);
    const failing = async () => {
      throw new Error('the engine is full');
    };
    run(catalog.parts, (works) => ({
      ...works,
      'system-update': { ...works['system-update'], step: failing },
    }));
    await eventually(async () => {
      await catalog.clock.advance(10_000);
      expect(await job()).toMatchObject({ state: 'failed', attempts: 5, error: 'the engine is full' });
    });
    expect((await catalog.parts.search.rebuild((await job()).remains)).state).toBe('begun');
    expect(await catalog.find('*')).toEqual([dataset('a')]);
  });

  it('can be cancelled, and drops what it had begun', async () => {
    await catalog.dataset('a');
    await catalog.index();
    const { remains } = await ensureSystemUpdate(catalog.parts);
    await catalog.parts.search.rebuild(remains);
    expect((await cancelJob(catalog.parts, 'system-update')).state).toBe('cancelling');
    run();
    await eventually(async () => expect((await job()).state).toBe('cancelled'));
    expect((await catalog.parts.search.rebuild(remains)).state).toBe('begun');
    expect(await catalog.find('*')).toEqual([dataset('a')]);
    expect(await refusal(cancelJob(catalog.parts, 'system-update'))).toContain('it has ended (cancelled)');
  });
});

describe('cancelling', () => {
  it('is refused for what removes deleted things, and for what is not there', async () => {
    await catalog.define('p');
    await catalog.delete(property('p'));
    const [cascade] = await listJobs(catalog.parts.store);
    expect(cascade?.kind).toBe('cascade');
    expect(await refusal(cancelJob(catalog.parts, cascade?.id ?? ''))).toContain('has been deleted already');
    expect(await refusal(cancelJob(catalog.parts, 'nothing'))).toMatch(/^missing: There is no job nothing/u);
  });
});

/** Parts whose runner never comes back from saving the outcome of a step. */
function dyingAfter(last: number): {
  parts: typeof catalog.parts;
  works: (works: JobWorks) => JobWorks;
  dead: Promise<void>;
} {
  let die: () => void = () => {};
  const dead = new Promise<void>((resolve) => {
    die = resolve;
  });
  let steps = 0;
  const { store } = catalog.parts;
  const records = override(store.records, {
    async put(kind, id, body, expected) {
      if (steps < last) return store.records.put(kind, id, body, expected);
      die();
      throw new Error('this process is dead');
    },
  });
  return {
    parts: { ...catalog.parts, store: override(store, { records }) },
    works: (works) => ({
      ...works,
      'system-update': {
        ...works['system-update'],
        async step(each) {
          const outcome = await works['system-update'].step(each);
          steps += 1;
          return outcome;
        },
      },
    }),
    dead,
  };
}
