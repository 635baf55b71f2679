import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ResyncRound } from '../../../operator/runtime/resync-round.ts';

describe('a round of resyncs', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const keysOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);

  it('looks at each key once in a period', () => {
    const looked: string[] = [];
    const round = new ResyncRound(60, () => keysOf(1000));
    round.start((key) => looked.push(key));
    jest.advanceTimersByTime(60_000);
    round.stop();
    expect(new Set(looked).size).toBeGreaterThanOrEqual(999);
    expect(looked.length).toBeLessThanOrEqual(1001);
  });

  it('spreads them evenly: there is no burst', () => {
    let most = 0;
    let now = 0;
    const round = new ResyncRound(60, () => keysOf(6000));
    round.start(() => {
      now += 1;
    });
    for (let tick = 0; tick < 600; tick += 1) {
      now = 0;
      jest.advanceTimersByTime(100);
      most = Math.max(most, now);
    }
    round.stop();
    expect(most).toBeLessThanOrEqual(11);
  });

  it('takes in what comes and goes with the next round, and looks at nothing once it is stopped', () => {
    let keys = ['a'];
    const looked: string[] = [];
    const round = new ResyncRound(1, () => keys);
    round.start((key) => looked.push(key));
    jest.advanceTimersByTime(1000);
    keys = ['b'];
    jest.advanceTimersByTime(2000);
    expect(looked[0]).toBe('a');
    expect(looked.at(-1)).toBe('b');
    const { length } = looked;
    round.stop();
    jest.advanceTimersByTime(5000);
    expect(looked).toHaveLength(length);
  });

  it('has nothing to do without keys', () => {
    const looked: string[] = [];
    const round = new ResyncRound(1, () => []);
    round.start((key) => looked.push(key));
    jest.advanceTimersByTime(3000);
    round.stop();
    expect(looked).toEqual([]);
  });
});
