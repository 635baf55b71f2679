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

  it('agrees with a walk through pattern and text by code points', () => {
    const unit = fc.constantFrom('a', 'b', '😀', '𝒳');
    const part = fc.oneof(
      fc.constantFrom('*' as const, '?' as const),
      fc.string({ unit, maxLength: 4 }).map((literal) => ({ literal })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.string({ unit, maxLength: 12 }), (pattern, text) => {
        expect(patternMatcher(pattern)(text)).toBe(walk(pattern, text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('finds a long literal wherever it stands, however much it has in common with itself', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), maxLength: 200 });
    const literal = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), minLength: 33, maxLength: 60 });
    fc.assert(
      fc.property(text, literal, fc.boolean(), text, (before, sought, isThere, after) => {
        const whole = before + (isThere ? sought : '') + after;
        expect(patternMatcher(['*', { literal: sought }, '*'])(whole)).toBe(whole.includes(sought));
      }),
    );
  });

  it('answers a pattern on which a backtracking search would not come to an end', () => {
    const pattern = Array.from({ length: 60 }, () => ['*' as const, { literal: 'x' }]).flat();
    expect(patternMatcher([...pattern, { literal: 'y' }])('x'.repeat(5_000))).toBe(false);
    expect(patternMatcher([...pattern, { literal: 'y' }])(`${'x'.repeat(5_000)}y`)).toBe(true);
  });

  it('tells of about one step a character, however long the literals are', () => {
    const text = 'a'.repeat(3_000_000);
    const needle = { literal: `${'a'.repeat(1_000_000)}b` };
    let steps = 0;
    const matches = patternMatcher(['*', needle, '*', needle, '*'], (more) => {
      steps += more;
    });
    expect(matches(text)).toBe(false);
    expect(matches(`${text}b${text}b`)).toBe(true);
    expect(steps).toBeLessThan(10_000_000);
  });

  it('tells of every step of what it has to try at each place, and ends when it is told to', () => {
    const pattern = ['*' as const, ...Array.from({ length: 1_000 }, () => ['?' as const, { literal: 'a' }]).flat()];
    let steps = 0;
    const matches = patternMatcher([...pattern, { literal: 'b' }, '*'], (more) => {
      steps += more;
      if (steps > 1_000_000) throw new Error('enough');
    });
    expect(() => matches('a'.repeat(30_000))).toThrow('enough');
    expect(steps).toBeLessThan(1_100_000);
  });
});

/** What matches, in the plainest way: by code points, `*` taking one character more whenever the rest does not fit. */
function walk(pattern: readonly PatternPart[], text: string): boolean {
  const tokens: (string | { any: '*' | '?' })[] = pattern.flatMap((part): (string | { any: '*' | '?' })[] =>
    typeof part === 'string' ? [{ any: part }] : [...part.literal],
  );
  const characters = [...text];
  let [token, character, retryToken, retryCharacter] = [0, 0, -1, -1];
  while (character < characters.length) {
    const wanted = tokens[token];
    if (typeof wanted === 'object' && wanted.any === '*') {
      retryToken = ++token;
      retryCharacter = character;
    } else if (wanted !== undefined && (typeof wanted === 'object' || wanted === characters[character])) {
      token++;
      character++;
    } else if (retryToken !== -1) {
      token = retryToken;
      character = ++retryCharacter;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => typeof rest === 'object' && rest.any === '*');
}

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
