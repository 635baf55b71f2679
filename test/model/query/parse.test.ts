import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../../../model/query/parse.ts';
import { type BareNode, withoutSpans } from '../../harness/query-nodes.ts';

const term = (field: string | undefined, text: string, quoted = false): BareNode => ({
  kind: 'term',
  ...(field !== undefined && { field }),
  text,
  quoted,
});
const and = (...operands: BareNode[]): BareNode => ({ kind: 'and', operands });
const or = (...operands: BareNode[]): BareNode => ({ kind: 'or', operands });
const not = (operand: BareNode): BareNode => ({ kind: 'not', operand });
const exists = (field: string): BareNode => ({ kind: 'exists', field });
const above = (field: string, value: string, inclusive = false): BareNode => ({
  kind: 'range',
  field,
  lower: { value, inclusive },
});
const below = (field: string, value: string, inclusive = false): BareNode => ({
  kind: 'range',
  field,
  upper: { value, inclusive },
});
const range = (field: string, lower: [string, boolean], upper: [string, boolean]): BareNode => ({
  kind: 'range',
  field,
  lower: { value: lower[0], inclusive: lower[1] },
  upper: { value: upper[0], inclusive: upper[1] },
});
const everything: BareNode = { kind: 'everything' };
const [a, b, c, d] = [term(undefined, 'a'), term(undefined, 'b'), term(undefined, 'c'), term(undefined, 'd')];

const versioned = 'structuredProperties._versioned.a_b.20240614080000.string';

const forms: Record<string, [query: string, node: BareNode][]> = {
  'everything, asked for by a star or by nothing': [
    ['*', everything],
    ['**', everything],
    ['*:*', everything],
    [' * : * ', everything],
    ['', everything],
    [' \t\r\n\u3000', everything],
    ['(*)', everything],
  ],
  'a field and its value': [
    ['name:value', term('name', 'value')],
    ['name: value', term('name', 'value')],
    ['name :value', term('name', 'value')],
    [`${versioned}:x`, term(versioned, 'x')],
    ['a-b.c_d:x', term('a-b.c_d', 'x')],
    ['a\\:b\\ c:x', term('a:b c', 'x')],
    ['x:a/b', term('x', 'a/b')],
    ['x:a-b+c!d&&e||f=<>', term('x', 'a-b+c!d&&e||f=<>')],
    ['x:\u00a0', term('x', '\u00a0')],
    ['x:🦊', term('x', '🦊')],
    ['x:and', term('x', 'and')],
    ['x:ANDROID', term('x', 'ANDROID')],
    ['value', term(undefined, 'value')],
    ['urn\\:li\\:dataset\\:x', term(undefined, 'urn:li:dataset:x')],
  ],
  'escaped characters as text': [
    ['x:\\*', term('x', '*')],
    ['x:a\\?b', term('x', 'a?b')],
    ['x:\\>5', term('x', '>5')],
    ['x:\\"a\\"', term('x', '"a"')],
    ['x:\\\\', term('x', '\\')],
    ['x:\\a\\🦊', term('x', 'a🦊')],
    ['x:\\AND', term('x', 'AND')],
    ['\\NOT', term(undefined, 'NOT')],
    ['x:\\(a\\)\\ \\[b\\]', term('x', '(a) [b]')],
    ['x:\\/a/', term('x', '/a/')],
    ['x:a\\~', term('x', 'a~')],
  ],
  'quoted text': [
    ['x:"a b"', term('x', 'a b', true)],
    ['x:"quoted \\"text\\""', term('x', 'quoted "text"', true)],
    ['x:"a\\\\b"', term('x', 'a\\b', true)],
    ['x:""', term('x', '', true)],
    ['x:"urn:li:corpuser:jo"', term('x', 'urn:li:corpuser:jo', true)],
    ['x:"*?~^/:()[]AND"', term('x', '*?~^/:()[]AND', true)],
    ['"a b"', term(undefined, 'a b', true)],
  ],
  wildcards: [
    ['x:a*', { kind: 'wildcard', field: 'x', pattern: [{ literal: 'a' }, '*'] }],
    ['x:*a?b*', { kind: 'wildcard', field: 'x', pattern: ['*', { literal: 'a' }, '?', { literal: 'b' }, '*'] }],
    ['x:a**b', { kind: 'wildcard', field: 'x', pattern: [{ literal: 'a' }, '*', { literal: 'b' }] }],
    ['x:?', { kind: 'wildcard', field: 'x', pattern: ['?'] }],
    ['x:??', { kind: 'wildcard', field: 'x', pattern: ['?', '?'] }],
    ['x:a\\*b*', { kind: 'wildcard', field: 'x', pattern: [{ literal: 'a*b' }, '*'] }],
    ['entities\\.d*', { kind: 'wildcard', pattern: [{ literal: 'entities.d' }, '*'] }],
  ],
  existence: [
    ['_exists_:x', exists('x')],
    [`_exists_:${versioned}`, exists(versioned)],
    ['_exists_: "a:b"', exists('a:b')],
    ['_exists_:a\\:b', exists('a:b')],
    ['_exists_:(a OR b)', or(exists('a'), exists('b'))],
    ['x:*', exists('x')],
    ['x:**', exists('x')],
    ['x:(*)', exists('x')],
    ['NOT _exists_:x', not(exists('x'))],
  ],
  comparisons: [
    ['x:>5', above('x', '5')],
    ['x:>=5', above('x', '5', true)],
    ['x:<5', below('x', '5')],
    ['x:<=5', below('x', '5', true)],
    ['x:> 5', above('x', '5')],
    ['x:>-5', above('x', '-5')],
    ['x:<=-1e-3', below('x', '-1e-3', true)],
    ['x:>"a b"', above('x', 'a b')],
    ['x:>\\=5', above('x', '=5')],
    ['>5', { kind: 'range', lower: { value: '5', inclusive: false } }],
    ['x:-5', term('x', '-5')],
    ['x:+5', term('x', '+5')],
  ],
  ranges: [
    ['x:[a TO b]', range('x', ['a', true], ['b', true])],
    ['x:{a TO b}', range('x', ['a', false], ['b', false])],
    ['x:[a TO b}', range('x', ['a', true], ['b', false])],
    ['x:{a TO b]', range('x', ['a', false], ['b', true])],
    ['x:[ -5 TO 5 ]', range('x', ['-5', true], ['5', true])],
    ['x:[5 TO *]', above('x', '5', true)],
    ['x:{5 TO *}', above('x', '5')],
    ['x:[* TO 5}', below('x', '5')],
    ['x:[* TO *]', { kind: 'range', field: 'x' }],
    ['x:["a b" TO "*"]', range('x', ['a b', true], ['*', true])],
    ['x:["" TO \\*]', range('x', ['', true], ['*', true])],
    ['x:["TO" TO TOO]', range('x', ['TO', true], ['TOO', true])],
    ['x:[urn:li:a TO a(b)~^"/]', range('x', ['urn:li:a', true], ['a(b)~^"/', true])],
    ['x:[a\\ b\\] TO c]', range('x', ['a b]', true], ['c', true])],
    ['[a TO b]', { kind: 'range', lower: { value: 'a', inclusive: true }, upper: { value: 'b', inclusive: true } }],
  ],
  'AND, OR and NOT, in words and signs': [
    ['a AND b', and(a, b)],
    ['a && b', and(a, b)],
    ['a OR b', or(a, b)],
    ['a || b', or(a, b)],
    ['(a)||(b)', or(a, b)],
    ['(a)&&(b)', and(a, b)],
    ['NOT a', not(a)],
    ['!a', not(a)],
    ['-a', not(a)],
    ['- a', not(a)],
    ['NOT(a)', not(a)],
    ['NOT NOT a', not(not(a))],
    ['-"a"', not(term(undefined, 'a', true))],
    ['-x:a', not(term('x', 'a'))],
    ['NOT *', not(everything)],
    ['a AND b AND c', and(a, b, c)],
    ['a OR b OR c', or(a, b, c)],
  ],
  'NOT over AND over OR': [
    ['a OR b AND c', or(a, and(b, c))],
    ['a AND b OR c', or(and(a, b), c)],
    ['a AND b OR c AND d', or(and(a, b), and(c, d))],
    ['NOT a AND b', and(not(a), b)],
    ['a AND NOT b', and(a, not(b))],
    ['a OR NOT b', or(a, not(b))],
    ['-a OR b', or(not(a), b)],
    ['NOT (a OR b)', not(or(a, b))],
    ['(a OR b) AND c', and(or(a, b), c)],
    ['a AND(b OR c)', and(a, or(b, c))],
    ['((a))', a],
    ['a OR (b OR c)', or(a, or(b, c))],
  ],
  'clauses side by side': [
    ['a b', or(a, b)],
    ['a b c', or(a, b, c)],
    ['a -b', and(a, not(b))],
    ['a NOT b', and(a, not(b))],
    ['a !b', and(a, not(b))],
    ['-a b', and(b, not(a))],
    ['a b -c', and(or(a, b), not(c))],
    ['a -b c -d', and(or(a, c), not(b), not(d))],
    ['-a -b', and(not(a), not(b))],
    ['+a', a],
    ['+a b', a],
    ['a +b c', b],
    ['+a +b c', and(a, b)],
    ['+a -b c', and(a, not(b))],
    ['+a +(b c)', and(a, or(b, c))],
    ['+-a b', not(a)],
    ['a b AND c', or(a, and(b, c))],
    ['a b OR c', or(or(a, b), c)],
    ['+a b OR c', or(a, c)],
    ['+a AND b c', and(a, b)],
    ['a AND -b c', or(and(a, not(b)), c)],
  ],
  'a group under a field': [
    ['x:(a OR b)', or(term('x', 'a'), term('x', 'b'))],
    ['x:(a b)', or(term('x', 'a'), term('x', 'b'))],
    ['x:(>=1 AND <5)', and(above('x', '1', true), below('x', '5'))],
    ['x:(+>=10 +<20)', and(above('x', '10', true), below('x', '20'))],
    [
      'x:("a b" AND (c OR NOT d*))',
      and(
        term('x', 'a b', true),
        or(term('x', 'c'), not({ kind: 'wildcard', field: 'x', pattern: [{ literal: 'd' }, '*'] })),
      ),
    ],
    ['x:([1 TO 2] y:b)', or(range('x', ['1', true], ['2', true]), term('y', 'b'))],
    ['x:(a) b', or(term('x', 'a'), b)],
    ['x:(-5)', not(term('x', '5'))],
    ['x:("-5")', term('x', '-5', true)],
  ],
  'boosts, dropped': [
    ['a^2', a],
    ['a^2.5 b^.5', or(a, b)],
    ['x:"a"^3', term('x', 'a', true)],
    ['x:(a OR b)^2 AND c', and(or(term('x', 'a'), term('x', 'b')), c)],
    ['x:[1 TO 2]^2', range('x', ['1', true], ['2', true])],
    ['x:>5^2', above('x', '5')],
    ['*:*^2', everything],
  ],
};

describe('parseQuery reads', () => {
  for (const [what, examples] of Object.entries(forms)) {
    it.each(examples)(`${what}: %j`, (query, node) => {
      expect(withoutSpans(parseQuery(query))).toEqual(node);
    });
  }
});

describe('parseQuery tells where things stand', () => {
  it('gives spans of fields, values and bounds in code units', () => {
    expect(parseQuery('🦊 AND ab:[1 TO "x"]')).toMatchObject({
      span: { start: 0, end: 20 },
      operands: [
        { span: { start: 0, end: 2 } },
        {
          span: { start: 7, end: 20 },
          field: { span: { start: 7, end: 9 } },
          lower: { span: { start: 11, end: 12 } },
          upper: { span: { start: 16, end: 19 } },
        },
      ],
    });
  });

  it('gives a member of a field group its own span and the span of the field', () => {
    expect(parseQuery('x:(a OR NOT b)')).toMatchObject({
      span: { start: 3, end: 13 },
      operands: [
        { span: { start: 3, end: 4 }, field: { span: { start: 0, end: 1 } } },
        { span: { start: 8, end: 13 }, operand: { field: { span: { start: 0, end: 1 } } } },
      ],
    });
  });

  it('points existence at the name behind _exists_', () => {
    expect(parseQuery('_exists_:ab')).toMatchObject({
      span: { start: 0, end: 11 },
      field: { span: { start: 9, end: 11 } },
    });
  });
});
