import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
import { structuredPropertiesSchema } from '../../model/assignment.ts';
import { MAX_VIOLATIONS } from '../../model/limits.ts';
import { sentList } from '../../model/sent-list.ts';
import { checkShape } from '../../model/shape.ts';
import { toldViolations } from '../../model/violation.ts';

const item = z.strictObject({ name: z.string(), parts: sentList(z.number()) });
const plainItem = z.strictObject({ name: z.string(), parts: z.array(z.number()) });

/** How many violations are told, and how many more there are. */
function counted(schema: z.ZodType, input: unknown): [number, number] {
  const checked = checkShape(schema, input);
  if (checked.ok) return [0, 0];
  const { told, more } = toldViolations(checked.violations);
  return [told.length, more];
}

describe('a list that is sent', () => {
  it('is checked as any list as long as little is wrong', () => {
    const parts = fc.array(fc.oneof(fc.integer(), fc.constantFrom('x', null)), { maxLength: 4 });
    const items = fc.array(fc.oneof(fc.record({ name: fc.string(), parts }), fc.constantFrom(1, null, [], 'x', {})));
    fc.assert(
      fc.property(fc.oneof(items, fc.constantFrom('x', null, {})), (input) => {
        expect(sentList(item).safeParse(input)).toEqual(z.array(plainItem).safeParse(input));
      }),
    );
  });

  it('is read without loss, however long', () => {
    const numbers = Array.from({ length: 300_000 }, (_, index) => index);
    expect(sentList(z.number()).parse(numbers)).toEqual(numbers);
  });

  it('of nothing but the wrong kind is told to the hundredth, and counted', () => {
    expect(counted(structuredPropertiesSchema, { properties: Array(500_000).fill(0) })).toEqual([100, 499_900]);
    const values = Array(500_000).fill({ text: 'x' });
    expect(counted(structuredPropertiesSchema, { properties: [{ propertyUrn: 'x', values }] })).toEqual([100, 499_900]);
  });

  it('inside others does not make more of them than one would', () => {
    const parts = Array(1000).fill('x');
    const input = Array(500).fill({ name: 'x', parts });
    const { issues } = sentList(item).safeParse(input).error!;
    expect(issues.length).toBeLessThanOrEqual(MAX_VIOLATIONS + 2);
    expect(counted(sentList(item), input)[0]).toBe(MAX_VIOLATIONS);
  });

  it('keeps its shape in a document', () => {
    expect(z.toJSONSchema(sentList(item).min(1))).toEqual(z.toJSONSchema(z.array(plainItem).min(1)));
    expect(checkShape(sentList(z.string()).min(1), []).ok).toBe(false);
  });
});
