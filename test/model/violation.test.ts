import { describe, expect, it } from '@jest/globals';
import { MAX_VIOLATIONS } from '../../model/limits.ts';
import {
  addViolation,
  addViolations,
  describeViolations,
  toldViolations,
  type Violation,
  violation,
} from '../../model/violation.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => violation('duplicate', `[${index}]`, 'twice'));

describe('violations', () => {
  it('are kept to the hundredth, and counted', () => {
    const found: Violation[] = [];
    for (const each of many(MAX_VIOLATIONS + 7)) addViolation(found, each);
    expect(found).toHaveLength(MAX_VIOLATIONS);
    expect(toldViolations(found).more).toBe(7);
    expect(describeViolations(found)).toMatch(/; and 7 more$/u);
  });

  it('lose none of what was counted when they are put together, and when fewer are told', () => {
    const together: Violation[] = [];
    for (const count of [30, 1000, 5, 400]) {
      const some: Violation[] = [];
      addViolations(some, many(count));
      addViolations(together, some);
    }
    expect(toldViolations(together).more).toBe(1435 - MAX_VIOLATIONS);
    expect(toldViolations(together, 3)).toMatchObject({ told: many(3), more: 1432 });
  });
});
