import { describe, expect, it } from '@jest/globals';
import { re2Pattern } from '../../generate/crds/re2.ts';

describe('a pattern for RE2', () => {
  it.each([
    ['^[0-9]{14}$', '^[0-9]{14}$'],
    ['a(?:b|c)\\/\\.', 'a(?:b|c)\\/\\.'],
    ['[\\s\\S]*', '(?s:.)*'],
    ['[.(?]', '[.(?]'],
  ])('of %s is %s', (pattern, expected) => {
    expect(re2Pattern(pattern)).toBe(expected);
  });

  it('knows all blanks of JavaScript', () => {
    const blanks = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) =>
      /\s/.test(String.fromCharCode(code)),
    );
    const inAscii = blanks.filter((code) => code < 0x80).length;
    const ranges = /\\v(.*)\]/u.exec(re2Pattern('\\s'))?.[1] ?? '';
    const beyond = [...ranges.matchAll(/\\x\{(\w+)\}(?:-\\x\{(\w+)\})?/gu)].flatMap(([, from = '', to = from]) =>
      Array.from(
        { length: Number.parseInt(to, 16) - Number.parseInt(from, 16) + 1 },
        (_, at) => at + Number.parseInt(from, 16),
      ),
    );
    expect(inAscii).toBe('\t\n\f\r \v'.length);
    expect(beyond).toEqual(blanks.slice(inAscii));
    expect(re2Pattern('\\S[\\sx]')).toBe(`[^\\s\\v${ranges}][\\s\\v${ranges}x]`);
  });

  it.each(['a(?=b)', '(?<name>a)', '(a)\\1', 'a.b', '\\u00e9', '\\b'])('is refused for %s', (pattern) => {
    expect(() => re2Pattern(pattern)).toThrow('RE2');
  });
});
