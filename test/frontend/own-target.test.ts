import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ownTarget } from '../../frontend/own-target.ts';

describe('where a log-in leads', () => {
  it.each([
    ['/', '/'],
    ['/datasets', '/datasets'],
    ['/datasets?query=a%20b&x=//y#z', '/datasets?query=a%20b&x=//y#z'],
    ['/datasets/urn%3Ali%3Adataset%3A(a%2Fb%5Cc,PROD)', '/datasets/urn%3Ali%3Adataset%3A(a%2Fb%5Cc,PROD)'],
    ['/grün', '/gr%C3%BCn'],
  ])('is a path of ours: %j', (given, target) => {
    expect(ownTarget(given)).toBe(target);
  });

  it.each([
    undefined,
    '',
    'datasets',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/%09/evil.example',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/a\r\nSet-Cookie: x=1',
    '/a b',
    '/a\u0000',
    ['/a', '//evil.example'],
  ])('is the start for what is none: %j', (given) => {
    expect(ownTarget(given)).toBe('/');
  });

  it('is ours whatever is given', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%09',
      '\t',
      ' ',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'ü',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const target = ownTarget(`/${parts.join('')}`);
        expect(new URL(target, 'https://ours.example/a/b').origin).toBe('https://ours.example');
        expect(target).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/u);
      }),
    );
  });
});
