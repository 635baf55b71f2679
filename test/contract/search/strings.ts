import { describe, expect, it } from '@jest/globals';
import { foldCase } from '../../../api-server/search/fold.ts';
import type { SearchCondition } from '../../../api-server/search/port.ts';
import { equal, find, like, type OpenIndex, put, range, sharedIndex } from './fixture.ts';

/** Strings that search engines like to confuse, or to read as something else. */
const STRINGS = [
  ...['', ' ', '  ', 'a', 'A', 'á', 'a\u0301', 'ä', 'Ä', ' a', 'a ', 'a b', 'a  b', 'a-b', 'a,b', 'a:b', 'ab', 'aB'],
  ...[
    "'",
    "it's",
    '"q"',
    '`tick`',
    '\\',
    '\\\\',
    '%',
    'a%',
    '_',
    'a_',
    '*',
    'a*',
    '?',
    '[a]',
    '[^a]',
    '{a}',
    '(a)',
    '||',
  ],
  ...[
    '-',
    '--',
    '---',
    '/*',
    ';',
    "'; DROP TABLE x; --",
    '$a',
    '#',
    'C',
    'C++',
    'c#',
    'NULL',
    'true',
    '..',
    ':=',
    '<a>',
  ],
  ...[
    '0',
    '00',
    '1',
    '1.0',
    '9',
    '10',
    '1e3',
    'NaN',
    '\0',
    'a\0',
    'a\0b',
    'a\0c',
    '\n',
    'a\nb',
    'a\tb',
    '\u00a0',
    '\u200b',
  ],
  ...['ß', 'ss', 'SS', 'ΟΔΟΣ', 'οδος', 'οδοσ', 'İ', 'i', 'ı', 'I', '日本', '日本語', '😀', '😀😀', 'a😀', '👩‍👩‍👧'],
  ...['\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}', '\u{10ffff}a'],
  ...['x'.repeat(300), 'x'.repeat(5_000), `${'x'.repeat(4_999)}y`, 'é'.repeat(5_000), `${'x'.repeat(300)} y`],
];
const nameOf = (value: string) => `s${STRINGS.indexOf(value)}`;
const field = 'p:string';

export function stringContract(open: OpenIndex): void {
  describe('compares strings by nothing but their code points:', () => {
    const index = sharedIndex(
      open,
      STRINGS.map((value) => put(nameOf(value), [{ field, type: 'string', values: [value] }])),
    );

    async function expectValues(condition: SearchCondition, isIn: (value: string) => boolean) {
      const names = STRINGS.filter(isIn).map(nameOf);
      expect((await find(index(), condition)).toSorted()).toEqual(names.toSorted());
    }

    it('equality finds each string alone', async () => {
      for (const value of STRINGS) await expectValues(equal(field, value), (other) => other === value);
    });

    it('folded equality finds what differs by case alone', async () => {
      await expectValues(equal(field, 'AB', true), (other) => other === 'ab' || other === 'aB');
      await expectValues(equal(field, 'Οδος', true), (other) => ['ΟΔΟΣ', 'οδος', 'οδοσ'].includes(other));
      for (const value of STRINGS)
        await expectValues(equal(field, value, true), (o) => foldCase(o) === foldCase(value));
    });

    it('a pattern without wildcards is equality', async () => {
      for (const value of STRINGS) await expectValues(like(field, [{ literal: value }]), (other) => other === value);
    });

    it('a prefix, a part and an end are found as they are', async () => {
      for (const value of STRINGS) {
        await expectValues(like(field, [{ literal: value }, '*']), (other) => other.startsWith(value));
        await expectValues(like(field, ['*', { literal: value }, '*']), (other) => other.includes(value));
        await expectValues(like(field, ['*', { literal: value }]), (other) => other.endsWith(value));
      }
    });

    it('a folded prefix is found in any case', async () => {
      await expectValues(like(field, [{ literal: 'ΟΔΟΣ' }, '*'], true), (o) => ['ΟΔΟΣ', 'οδος', 'οδοσ'].includes(o));
      for (const value of STRINGS) {
        const folded = foldCase(value);
        await expectValues(like(field, [{ literal: value }, '*'], true), (other) => foldCase(other).startsWith(folded));
      }
    });

    it('? stands for one code point, whatever its size', async () => {
      await expectValues(like(field, ['?']), (other) => [...other].length === 1);
      await expectValues(like(field, ['?', '?']), (other) => [...other].length === 2);
      await expectValues(like(field, [{ literal: 'a' }, '?']), (other) => other[0] === 'a' && [...other].length === 2);
      await expectValues(like(field, ['?', { literal: '😀' }]), (other) => other === 'a😀' || other === '😀😀');
    });

    it('ranges follow the order of code points', async () => {
      const bytes = (value: string) => Buffer.from(value);
      for (const value of STRINGS) {
        await expectValues(range(field, '>=', value), (other) => Buffer.compare(bytes(other), bytes(value)) >= 0);
        await expectValues(range(field, '<', value), (other) => Buffer.compare(bytes(other), bytes(value)) < 0);
      }
    });
  });

  describe('keeps apart fields and names', () => {
    const index = sharedIndex(
      open,
      STRINGS.filter((value) => value !== '').map((value) =>
        put(nameOf(value), [{ field: `e:f${STRINGS.indexOf(value)}`, type: 'string', values: ['v', value] }]),
      ),
    );

    it('a field is found under its own name alone', async () => {
      for (const value of STRINGS.slice(1, 30)) {
        expect(await find(index(), equal(`e:f${STRINGS.indexOf(value)}`, value))).toEqual([nameOf(value)]);
      }
    });
  });
}
