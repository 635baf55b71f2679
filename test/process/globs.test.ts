import { describe, expect, it } from '@jest/globals';
import { compileGlobs, splitGlobs } from '../../process/globs.ts';

describe('a list of globs', () => {
  it('is split at commas, but not inside braces', () => {
    expect(splitGlobs(' a/*.{yaml,yml} , !b/**,, c.yaml')).toEqual(['a/*.{yaml,yml}', '!b/**', 'c.yaml']);
    expect(splitGlobs('')).toEqual([]);
  });

  it.each([
    ['resources/**/*.yaml', '/somewhere/resources'],
    ['/abs/x.yaml', '/abs'],
    ['../other/*.yaml', '/other'],
    ['resources', '/somewhere/resources'],
    ['/a/{b,c}/*.yaml', '/a'],
  ])('%s starts from %s', (glob, root) => {
    expect(compileGlobs([glob], '/somewhere').roots).toEqual([root]);
  });

  it('means what a pattern matches and none excludes', () => {
    const globs = compileGlobs(['resources/**/*.yaml', '!resources/drafts/**', '!**/*.off.yaml'], '/somewhere');
    expect(globs.includes('/somewhere/resources/a/b.yaml')).toBe(true);
    expect(globs.includes('/somewhere/resources/b.yml')).toBe(false);
    expect(globs.includes('/somewhere/resources/drafts/b.yaml')).toBe(false);
    expect(globs.includes('/somewhere/resources/b.off.yaml')).toBe(false);
    expect(globs.prunes('/somewhere/resources/drafts')).toBe(true);
    expect(globs.prunes('/somewhere/resources/.git')).toBe(true);
    expect(globs.prunes('/somewhere/resources/a')).toBe(false);
  });

  it('takes a plain folder for all manifests below it', () => {
    const globs = compileGlobs(['resources/'], '/somewhere');
    expect(globs.includes('/somewhere/resources/a/b.yml')).toBe(true);
    expect(globs.includes('/somewhere/resources/b.json')).toBe(true);
    expect(globs.includes('/somewhere/resources/b.md')).toBe(false);
  });
});
