import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countedText, parseCounted } from '../../../../api-server/search/typesense/counted-value.ts';
import { COUNTED, columnOf, fieldOf } from '../../../../api-server/search/typesense/field-columns.ts';
import { hexOf, numberOf, orderOf } from '../../../../api-server/search/typesense/number-order.ts';
import { valueTerm } from '../../../../api-server/search/typesense/terms.ts';
import {
  compareTexts,
  type Range,
  rangesFrom,
  rangesOfPrefix,
  rangesTo,
  textPath,
} from '../../../../api-server/search/typesense/text-order.ts';

const texts = fc.oneof(
  { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
  // much in common, and zeros, which the end of a text is padded with
  { arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é', '\u{10ffff}'), maxLength: 14 }), weight: 4 },
);
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const levels = fc.integer({ min: 1, max: 6 });
const isWithin = (path: readonly bigint[], ranges: readonly Range[]) =>
  path.some((one) => ranges.some(([from, to]) => from <= one && one <= to));

describe('the path of a text', () => {
  it('is found by every range that the text is in', () => {
    fc.assert(
      fc.property(texts, texts, levels, (text, bound, depth) => {
        const path = textPath(text, depth);
        if (compareTexts(text, bound) >= 0) expect(isWithin(path, rangesFrom(bound, depth))).toBe(true);
        if (compareTexts(text, bound) <= 0) expect(isWithin(path, rangesTo(bound, depth))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is found by every prefix of the text, and by no other that differs within the levels', () => {
    fc.assert(
      fc.property(texts, texts, texts, levels, (start, end, other, depth) => {
        const path = textPath(start + end, depth);
        expect(isWithin(path, rangesOfPrefix(start, depth))).toBe(true);
        const seen = Buffer.from(other).subarray(0, 4 * depth);
        const differs = !Buffer.from(start + end)
          .subarray(0, seen.length)
          .equals(seen);
        if (differs) expect(isWithin(path, rangesOfPrefix(other, depth))).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is not found by a range of texts behind it, when they differ within the levels', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [first, second] = compareTexts(one, other) < 0 ? [one, other] : [other, one];
        fc.pre(first !== second);
        if (Buffer.byteLength(second) <= 60) {
          expect(isWithin(textPath(first, 16), rangesFrom(second, 16))).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('holds integers of 63 bits', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const one of textPath(text, 16)) expect(one >= 0n && one < 2n ** 63n).toBe(true);
      }),
    );
  });
});

describe('the order of a number', () => {
  it('is that of the numbers, in 64 bits, and gives them back', () => {
    fc.assert(
      fc.property(doubles, doubles, (one, other) => {
        expect(orderOf(one) < orderOf(other)).toBe(one < other);
        expect(hexOf(one) < hexOf(other)).toBe(one < other);
        expect(BigInt.asIntN(64, orderOf(one))).toBe(orderOf(one));
        expect(numberOf(orderOf(one))).toBe(one === 0 ? 0 : one);
      }),
      { numRuns: 5_000 },
    );
  });

  it('knows one zero', () => {
    expect(orderOf(-0)).toBe(orderOf(0));
  });
});

describe('the column of a field', () => {
  it('has harmless characters only, and gives the field back', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: fc.constantFrom('_', '%', '2', 'F', ':', '*', '.') })), (field) => {
        const column = columnOf(COUNTED, field);
        expect(column).toMatch(/^h_[A-Za-z0-9_-]*$/u);
        expect(fieldOf(column)).toBe(field);
      }),
    );
  });
});

describe('a counted value', () => {
  it('is short, and gives back what it can: the value, or its place and its term', () => {
    fc.assert(
      fc.property(fc.oneof(texts, doubles, fc.string({ unit: 'binary', minLength: 20, maxLength: 90 })), (value) => {
        const text = countedText('p:a', value);
        expect(text.length).toBeLessThanOrEqual(100);
        const counted = parseCounted(text);
        if (counted.value !== undefined) expect(counted.value).toBe(value === 0 ? 0 : value);
        else expect(counted.term).toBe(valueTerm('p:a', value));
      }),
    );
  });

  it('is in the order of the texts as far as it can tell', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [first, second] = [one, other].map((text) => parseCounted(countedText('p:a', text)).order);
        if (compareTexts(one, other) <= 0) expect(String(first) <= String(second)).toBe(true);
      }),
    );
  });
});
