import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeeperThan } from '../../model/json-depth.ts';
import { excessOf, measureJson, unusable } from '../../model/json-measure.ts';
import { MAX_ASPECT_DEPTH, MAX_JSON_NAMES, MAX_JSON_VALUES } from '../../model/limits.ts';

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((most: number, inner) => Math.max(most, depthOf(inner)), 0);
}

describe('the measure of a JSON text', () => {
  it('is that of the value that it means', () => {
    const json = fc.jsonValue({ noUnicodeString: false });
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const depth = depthOf(value);
        const { values, depth: measured } = measureJson(JSON.stringify(value, undefined, space));
        expect([values, measured]).toEqual([valuesIn(value), depth]);
        expect([isDeeperThan(value, depth), depth > 0 && isDeeperThan(value, depth - 1)]).toEqual([false, depth > 0]);
      }),
    );
  });

  it('knows halves of surrogate pairs from whole ones', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }), fc.boolean(), (units, isUpper) => {
        const hex = (unit: number) => unit.toString(16).padStart(4, '0');
        const escaped = (unit: number) => `\\u${isUpper ? hex(unit).toUpperCase() : hex(unit)}`;
        const text = `{"a":"${units.map(escaped).join('')}"}`;
        expect(measureJson(text).isBroken).toBe(!(JSON.parse(text) as { a: string }).a.isWellFormed());
      }),
    );
  });

  it('ends where it is too much', () => {
    for (const text of [`[${'0,'.repeat(8_000_000)}0]`, `[${'{},'.repeat(5_000_000)}0]`]) {
      expect(excessOf(measureJson(text))).toMatch(/^more than \d+ values/u);
    }
    expect(unusable(measureJson('['.repeat(8_000_000)))).toMatch(/deeper than 220 levels/u);
    expect(unusable(measureJson('{"a":'.repeat(MAX_ASPECT_DEPTH)))).toBeUndefined();
  });

  it('tells many different names from few that are repeated', () => {
    const named = (count: number, name: (index: number) => string) =>
      `{${Array.from({ length: count }, (_, index) => `${JSON.stringify(name(index))}:{}`).join()}}`;
    expect(excessOf(measureJson(named(MAX_JSON_NAMES * 1.1, (index) => `k${index}`)))).toMatch(/different names/u);
    expect(excessOf(measureJson(named(MAX_JSON_NAMES, (index) => `k${index}`)))).toBeUndefined();
    expect(excessOf(measureJson(named(MAX_JSON_VALUES / 2, (index) => `k${index % 1000}`)))).toBeUndefined();
  });
});
