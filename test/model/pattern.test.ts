import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldCase } from '../../api-server/search/fold.ts';
import { endOfPrefix } from '../../api-server/search/prefix-range.ts';
import { patternMatcher } from '../../model/pattern.ts';
import type { PatternPart } from '../../model/query/ast.ts';
import { compareText } from '../harness/memory-search-index.ts';

const texts = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '\0', '.', 'Σ') });
const characters = fc.string({ unit: 'binary', maxLength: 4 });

describe('patternMatcher', () => {
  it('finds a text by its own pieces, any run and any character replaced by wildcards', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, fc.constantFrom('as is', '*', '?'))), (pieces) => {
        const pattern = pieces.flatMap(([text, how]): PatternPart[] => {
          if (how === 'as is') return [{ literal: text }];
          return how === '*' ? ['*'] : [...text].map(() => '?');
        });
        expect(patternMatcher(pattern)(pieces.map(([text]) => text).join(''))).toBe(true);
      }),
    );
  });

  it('agrees with a regular expression', () => {
    const part = fc.oneof(
      fc.constantFrom('*' as const, '?' as const),
      fc.constantFrom('a', 'b', 'ab').map((literal) => ({ literal })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.string({ unit: fc.constantFrom('a', 'b') }), (pattern, text) => {
        const source = pattern.map((one) => (one === '*' ? '.*' : one === '?' ? '.' : one.literal)).join('');
        expect(patternMatcher(pattern)(text)).toBe(new RegExp(`^${source}$`).test(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('answers a pattern on which a backtracking search would not come to an end', () => {
    const pattern = Array.from({ length: 60 }, () => ['*' as const, { literal: 'x' }]).flat();
    expect(patternMatcher([...pattern, { literal: 'y' }])('x'.repeat(5_000))).toBe(false);
    expect(patternMatcher([...pattern, { literal: 'y' }])(`${'x'.repeat(5_000)}y`)).toBe(true);
  });
});

describe('endOfPrefix', () => {
  it('is behind all that starts with the prefix, and before or at all else that is behind it', () => {
    fc.assert(
      fc.property(characters, characters, (prefix, text) => {
        const end = endOfPrefix(prefix);
        const isBehind = (other: string) => end !== undefined && compareText(other, end) >= 0;
        expect(isBehind(prefix + text)).toBe(false);
        if (compareText(text, prefix) > 0) expect(isBehind(text)).toBe(!text.startsWith(prefix));
      }),
    );
  });

  it.each([
    ['', undefined],
    ['a', 'b'],
    ['a\ud7ff', 'a\ue000'],
    ['a\uffff', 'a\u{10000}'],
    ['a\u{10ffff}\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
  ])('%j ends at %j', (prefix, end) => {
    expect(endOfPrefix(prefix)).toBe(end);
  });
});

describe('foldCase', () => {
  it('folds a text piece by piece as it folds the whole, and once is enough', () => {
    fc.assert(
      fc.property(characters, texts, characters, (one, two, three) => {
        const folded = foldCase(one + two + three);
        expect(foldCase(one) + foldCase(two) + foldCase(three)).toBe(folded);
        expect(foldCase(folded)).toBe(folded);
      }),
    );
  });

  it('knows no other letters than those in lower case', () => {
    expect(foldCase('ÄSS ΟΔΟΣ')).toBe('äss οδοσ');
    expect(foldCase('ß é')).toBe('ß é');
  });
});
