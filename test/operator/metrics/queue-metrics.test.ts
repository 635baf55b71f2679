import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resourceKey } from '../../../model/resource/identity.ts';
import { OperatorMetrics } from '../../../operator/metrics/operator-metrics.ts';
import { DedupeQueue, type Priority } from '../../../operator/runtime/dedupe-queue.ts';
import { type Next, Queue } from '../../../operator/runtime/queue.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { seriesOf } from './series.ts';

let now: number;
let metrics: OperatorMetrics;
beforeEach(() => {
  now = 1_700_000_000_000;
  metrics = new OperatorMetrics({ concurrency: 4, rows: () => [], now: () => now });
});

const series = (text: string) => seriesOf(metrics.registry, text);

describe('the queue', () => {
  const depth = (priority: string, name = 'structuredproperty') =>
    series(`workqueue_depth{name="${name}",controller="${name}",priority="${priority}"}`);
  const of = (name: string, controller = 'structuredproperty') =>
    series(`workqueue_${name}{name="${controller}",controller="${controller}"}`);
  const key = (name: string) => resourceKey({ kind: 'StructuredProperty', namespace: 'a', name });

  it('is as deep as it is, by kind and priority, whatever happens', async () => {
    const keys = ['StructuredProperty/a/x', 'StructuredProperty/a/y', 'DatasetProperties/a/x'];
    const adds = fc.tuple(fc.constantFrom(...keys), fc.constantFrom<Priority>('change', 'resync'));
    const step = fc.oneof(
      { weight: 4, arbitrary: adds },
      { weight: 2, arbitrary: fc.constantFrom('take', 'finish') },
      fc.constant('clear'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        metrics = new OperatorMetrics({ concurrency: 1, rows: () => [] });
        const queue = new DedupeQueue(metrics.queue);
        const working: string[] = [];
        for (const one of steps) {
          if (Array.isArray(one)) queue.add(one[0], one[1]);
          else if (one === 'clear') queue.clear();
          else if (one === 'take') working.push(...[queue.take()].flatMap((taken) => taken?.key ?? []));
          else queue.finish(working.shift() ?? '');
        }
        const depths = [];
        for (const name of ['structuredproperty', 'datasetproperties'])
          for (const priority of ['0', '-100']) depths.push((await depth(priority, name)) ?? Number.NaN);
        expect(Math.min(...depths)).toBeGreaterThanOrEqual(0);
        expect(depths.reduce((sum, each) => sum + each, 0)).toBe(queue.size);
        const waiting: number[] = [0, 0, 0, 0];
        for (let taken = queue.take(); taken !== undefined; taken = queue.take())
          waiting[(taken.key.startsWith('S') ? 0 : 2) + (taken.priority === 'change' ? 0 : 1)]! += 1;
        expect(depths).toEqual(waiting);
      }),
      { numRuns: 60 },
    );
  });

  it('counts a key once for each time that it waits, and how long', async () => {
    const queue = new DedupeQueue(metrics.queue);
    queue.add(key('a'), 'resync');
    now += 1000;
    queue.add(key('a'), 'change');
    queue.add(key('a'), 'resync');
    now += 1000;
    expect([await depth('0'), await depth('-100')]).toEqual([1, 0]);
    queue.take();
    queue.add(key('a'), 'resync');
    expect(await of('adds_total')).toBe(1);
    expect([await of('queue_duration_seconds_count'), await of('queue_duration_seconds_sum')]).toEqual([1, 2]);
    queue.finish(key('a'));
    expect([await of('adds_total'), await depth('0'), await depth('-100')]).toEqual([2, 0, 1]);
  });

  it('tells how long is being worked, while it lasts and afterwards', async () => {
    const queue = new DedupeQueue(metrics.queue);
    for (const name of ['a', 'b']) {
      queue.add(key(name), 'change');
      queue.take();
      now += 1000;
    }
    expect([await of('unfinished_work_seconds'), await of('longest_running_processor_seconds')]).toEqual([3, 2]);
    expect(await of('unfinished_work_seconds', 'datasetproperties')).toBe(0);
    for (const name of ['a', 'b']) queue.finish(key(name));
    expect([await of('unfinished_work_seconds'), await of('longest_running_processor_seconds')]).toEqual([0, 0]);
    expect([await of('work_duration_seconds_count'), await of('work_duration_seconds_sum')]).toEqual([2, 3]);
  });

  it('counts repetitions, and what a stop leaves waits no more', async () => {
    const nexts: Next[] = [{ kind: 'backoff' }, { kind: 'after', ms: 1 }, { kind: 'settled' }];
    const ends: (() => void)[] = [];
    const clock = new TestClock();
    const queue = new Queue({
      concurrency: 1,
      clock,
      backoff: { firstMs: 1, greatestMs: 1 },
      observer: metrics.queue,
      onError: () => undefined,
      async work(worked) {
        if (worked !== key('a')) await new Promise<void>((resolve) => ends.push(resolve));
        return nexts.shift() ?? { kind: 'settled' };
      },
    });
    queue.add(key('a'));
    await clock.advance(10);
    expect(nexts).toHaveLength(0);
    expect(queue.idle).toBe(true);
    expect([await of('retries_total'), await of('adds_total')]).toEqual([2, 3]);
    queue.add(key('b'));
    queue.add(key('c'));
    queue.add(key('b'));
    const stopped = queue.stop();
    for (const end of ends) end();
    await stopped;
    expect([await depth('0'), await of('unfinished_work_seconds')]).toEqual([0, 0]);
  });
});
