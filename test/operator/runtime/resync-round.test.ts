import { beforeEach, describe, expect, it } from '@jest/globals';
import { ResyncRound } from '../../../operator/runtime/resync-round.ts';
import { TestClock } from '../../harness/test-clock.ts';

describe('a round of resyncs', () => {
  let clock: TestClock;
  beforeEach(() => {
    clock = new TestClock();
  });

  const keysOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);

  it('looks at each key once in a period', async () => {
    const looked: string[] = [];
    const round = new ResyncRound(60, () => keysOf(1000), clock);
    round.start((keys) => looked.push(...keys) > 0);
    await clock.advance(60_000);
    round.stop();
    expect(new Set(looked).size).toBeGreaterThanOrEqual(999);
    expect(looked.length).toBeLessThanOrEqual(1001);
  });

  it.each([
    [10_000, 10, 1000],
    [2200, 5, 500],
    [73, 1, 73],
  ])('spreads %i keys evenly over it, in %i portions', async (count, portions, most) => {
    const sizes: number[] = [];
    const round = new ResyncRound(60, () => keysOf(count), clock);
    round.start((keys) => sizes.push(keys.length) > 0);
    for (let second = 1; second < 60; second += 1) {
      await clock.advance(1000);
      // Never more than what is due by now.
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual((count * second) / 60 + 1);
    }
    await clock.advance(1000);
    round.stop();
    expect([sizes.length, Math.max(...sizes)]).toEqual([portions, most]);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
  });

  it('takes in what comes and goes with the next round, and looks at nothing once it is stopped', async () => {
    let keys = ['a'];
    const looked: string[] = [];
    const round = new ResyncRound(1, () => keys, clock);
    round.start((keys) => looked.push(...keys) > 0);
    await clock.advance(1000);
    keys = ['b'];
    await clock.advance(2000);
    expect(looked[0]).toBe('a');
    expect(looked.at(-1)).toBe('b');
    const { length } = looked;
    round.stop();
    await clock.advance(5000);
    expect(looked).toHaveLength(length);
  });

  it('comes back to what is not taken, and skips nothing', async () => {
    const looked: string[] = [];
    let takes = false;
    const round = new ResyncRound(60, () => keysOf(2000), clock);
    round.start((keys) => takes && looked.push(...keys) > 0);
    await clock.advance(50_000);
    expect(looked).toEqual([]);
    takes = true;
    await clock.advance(60_000);
    round.stop();
    expect(new Set(looked).size).toBe(2000);
  });

  it('has nothing to do without keys', async () => {
    const looked: string[] = [];
    const round = new ResyncRound(1, () => [], clock);
    round.start((keys) => looked.push(...keys) > 0);
    await clock.advance(3000);
    round.stop();
    expect(looked).toEqual([]);
  });
});
