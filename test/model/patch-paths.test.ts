import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assignmentTokens, escapeToken, pointerTokens } from '../../model/patch.ts';
import { plainName } from '../harness/urn-arbitraries.ts';

const URN = 'urn:li:structuredProperty:';

describe('pointerTokens', () => {
  it('reads back what escapeToken wrote', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '/', '~', '0', '1', 'é') }), { minLength: 1 }),
        (tokens) => {
          expect(pointerTokens(`/${tokens.map(escapeToken).join('/')}`)).toEqual(tokens);
        },
      ),
    );
  });

  it('lets a tilde that starts no escape stand for itself, and decodes once', () => {
    expect(pointerTokens('/a~b/~2/~')).toEqual(['a~b', '~2', '~']);
    expect(pointerTokens('/~01')).toEqual(['~1']);
    expect(pointerTokens('')).toEqual([]);
    expect(pointerTokens('/')).toEqual(['']);
  });
});

describe('a path to an assignment', () => {
  it.each([
    ['a.b', 'a.b'],
    ['a/b', 'a/b'],
    ['a~1b', 'a/b'],
    ['a~0b', 'a~b'],
    ['a~01b', 'a~1b'],
    ['a~b', 'a~b'],
    ['a.b/', 'a.b'],
    ['a/b/', 'a/b'],
    ['a~1', 'a/'],
    ['a~1/', 'a/'],
    ['a//b', 'a//b'],
    ['values', 'values'],
    ['values/x', 'values/x'],
    ['a b,c(d)', 'a b,c(d)'],
    ['%2F', '%2F'],
  ])('with the name %s means the property %s', (written, name) => {
    expect(assignmentTokens(`/properties/${URN}${written}`)).toEqual(['properties', URN + name]);
    expect(assignmentTokens(`properties/${URN}${written}`)).toEqual(['properties', URN + name]);
  });

  it.each([
    ['/values', ['values']],
    ['/values/-', ['values', '-']],
    ['/values/0', ['values', '0']],
    ['/values/12/string', ['values', '12', 'string']],
    ['/values/0/double', ['values', '0', 'double']],
  ])('that ends in %s goes into the values', (end, tokens) => {
    for (const name of ['a.b', 'a/b', 'a~1b']) {
      const expected = ['properties', URN + name.replace('~1', '/'), ...tokens];
      expect(assignmentTokens(`/properties/${URN}${name}${end}`)).toEqual(expected);
      expect(assignmentTokens(`/properties/${URN}${name}/${end}`)).toEqual(expected);
    }
  });

  it('takes an escaped end for a part of the name', () => {
    expect(assignmentTokens(`/properties/${URN}a~1values`)).toEqual(['properties', `${URN}a/values`]);
    expect(assignmentTokens(`/properties/${URN}a~1values/-`)).toEqual(['properties', `${URN}a/values/-`]);
    expect(assignmentTokens(`/properties/${URN}a~1values/values`)).toEqual(['properties', `${URN}a/values`, 'values']);
  });

  it.each([
    ['', []],
    ['/properties', ['properties']],
    ['/properties/', ['properties', '']],
    ['/other/x', ['other', 'x']],
    ['/propertiesX/x', ['propertiesX', 'x']],
  ])('that is %j is a plain pointer', (path, tokens) => {
    expect(assignmentTokens(path)).toEqual(tokens);
  });

  it('reads any escaped name back, with the trailing slash of an empty source or without', () => {
    fc.assert(
      fc.property(
        plainName,
        fc.constantFrom('', '/'),
        fc.constantFrom('', '/values', '/values/-'),
        (name, source, end) => {
          const tokens = assignmentTokens(`/properties/${escapeToken(URN + name)}${source}${end}`);
          expect(tokens).toEqual(['properties', URN + name, ...pointerTokens(end)]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads an unencoded name that holds slashes', () => {
    const names = plainName.filter((name) => !/[~\t\n]|\/$|\/values/u.test(name));
    fc.assert(
      fc.property(names, (name) => {
        expect(assignmentTokens(`/properties/${URN}${name}`)).toEqual(['properties', URN + name]);
      }),
    );
  });
});
