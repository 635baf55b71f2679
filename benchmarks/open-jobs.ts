import { pino } from 'pino';
import { ensureJob, openJobs, saveJob } from '../api-server/jobs/job.ts';
import { JobRunner } from '../api-server/jobs/job-runner.ts';
import { SYSTEM_CLOCK } from '../process/clock.ts';
import { TestCatalog } from '../test/harness/catalog.ts';
import type { Figure } from './servers.ts';

const OPEN = 10_000;
const JOBS = 300;

/** What a job costs, from its writing until it settles, while many others wait for their second pass. */
export async function openJobsBenchmark(): Promise<Figure[]> {
  // to warm up
  await msPerJob(0);
  const none = await msPerJob(0);
  const many = await msPerJob(OPEN);
  return [{ name: `a job while ${OPEN} others settle, against none`, value: many, baseline: none, unit: 'ms' }];
}

async function msPerJob(open: number): Promise<number> {
  const catalog = await TestCatalog.open();
  const parts = { ...catalog.parts, after: SYSTEM_CLOCK.after, log: pino({ level: 'warn' }) };
  const { store } = parts;
  const job = (remains: string) => ({ kind: 'cascade' as const, subject: 'urn:li:structuredProperty:p', remains });
  const later = catalog.clock.now() + 1_000_000;
  await Promise.all(Array.from({ length: open }, (_, at) => ensureJob(store, job(`open${at}`), catalog.clock.now())));
  for await (const { body, revision } of openJobs(store)) {
    await saveJob(store, { ...body, state: 'settling', notBefore: later }, revision);
  }
  let left = JOBS;
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const work = {
    settles: true,
    count: async () => 0,
    async step() {
      left -= 1;
      if (left === 0) resolve();
      return { processed: 0, finished: true };
    },
  };
  const works = { cascade: work, collection: work, fields: work, 'system-update': work };
  const runner = new JobRunner(parts, works, true);
  runner.start();
  // the first look finds what was left of making them
  await new Promise((wait) => setTimeout(wait, 5_000));
  const begun = performance.now();
  for (let at = 0; at < JOBS; at += 1) {
    await ensureJob(store, job(`new${at}`), catalog.clock.now());
    runner.wake();
  }
  await finished;
  const ms = (performance.now() - begun) / JOBS;
  await runner.stop();
  await catalog.close();
  return ms;
}
