import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasPassed, MOST_APART } from '../../process/clock.ts';

const DAY = 24 * 3600 * 1000;
const now = 1_700_000_000_000;

describe('a stamp that processes share', () => {
  it('is old when its time has passed, and not before, also by a clock that is ahead by as much as clocks may be', () => {
    expect(hasPassed(now - 1_001, 1_000, now)).toBe(true);
    for (const age of [1_000, 1, 0, -1, -MOST_APART]) expect(hasPassed(now - age, 1_000, now)).toBe(false);
  });

  it('never holds anything up for long, whatever the clock said that set it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -DAY, max: DAY }), fc.integer({ min: 1, max: 60_000 }), (jump, duration) => {
        expect(hasPassed(now + jump, duration, now + duration + MOST_APART + 1)).toBe(true);
      }),
    );
  });
});
