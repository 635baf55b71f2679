import { describe, expect, it } from '@jest/globals';
import { every, pause, SYSTEM_CLOCK } from '../../process/clock.ts';
import { eventually } from '../harness/api.ts';
import { TestClock } from '../harness/test-clock.ts';

describe('a pause', () => {
  it('ends when its time has passed', async () => {
    const clock = new TestClock();
    let isOver = false;
    void pause(clock, 1000).then(() => {
      isOver = true;
    });
    await clock.advance(999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(isOver).toBe(true);
  });

  it('ends at its signal, and leaves nothing behind', async () => {
    const clock = new TestClock();
    const ending = new AbortController();
    const over = pause(clock, 1000, ending.signal);
    expect(clock.waiting).toBe(1);
    ending.abort();
    await over;
    expect(clock.waiting).toBe(0);
    await pause(clock, 1000, ending.signal);
    expect(clock.waiting).toBe(0);
  });

  it('ends by the clock of the machine', async () => {
    await pause(SYSTEM_CLOCK, 1);
    await pause(SYSTEM_CLOCK, 3_600_000, AbortSignal.timeout(1));
  });
});

describe('what is done every so often', () => {
  it('is done again and again until it is called off', async () => {
    const clock = new TestClock();
    const times: number[] = [];
    const callOff = every(clock, 100, () => times.push(clock.monotonic()));
    await clock.advance(350);
    expect(times).toEqual([100, 200, 300]);
    callOff();
    await clock.advance(1000);
    expect(times).toHaveLength(3);
  });

  it('can call itself off', async () => {
    const clock = new TestClock();
    let times = 0;
    const callOff = every(clock, 100, () => {
      times += 1;
      callOff();
    });
    await clock.advance(1000);
    expect(times).toBe(1);
    expect(clock.waiting).toBe(0);
  });
});

describe('a clock of tests', () => {
  it('calls back in the order of time, those of one moment in the order in which they were set', async () => {
    const clock = new TestClock();
    const told: string[] = [];
    clock.after(20, () => told.push('b'));
    clock.after(10, () => {
      told.push('a');
      clock.after(10, () => told.push('d'));
    });
    clock.after(20, () => told.push('c'));
    await clock.advance(20);
    expect(told).toEqual(['a', 'b', 'c', 'd']);
    expect(clock.monotonic()).toBe(20);
  });

  it('goes faster than the real one where it has a speed', async () => {
    const clock = new TestClock(10_000);
    let isOver = false;
    void pause(clock, 60_000).then(() => {
      isOver = true;
    });
    await eventually(async () => expect(isOver).toBe(true));
    clock.stop();
  });

  it('calls nobody back after it was stopped', async () => {
    const clock = new TestClock();
    clock.after(10, () => {
      throw new Error('the dead do not rise');
    });
    clock.stop();
    clock.after(10, () => {
      throw new Error('nor do they begin anything');
    });
    await clock.advance(1000);
  });
});
