import { describe, expect, it } from '@jest/globals';
import { readYaml } from '../../model/yaml.ts';

describe('YAML', () => {
  it('has no key __proto__, however it is written', () => {
    for (const text of ['a: 1\n__proto__: {x: 1}', 'a: 1\n"__proto__": 1', 'a: 1\n"\\u005f_proto__": 1']) {
      expect(readYaml(text).mistake).toEqual({ message: 'the key __proto__ is not allowed', line: 2, column: 1 });
    }
    expect(readYaml('a: __proto__').value).toEqual({ a: '__proto__' });
  });

  it('is not nested deeper than an aspect may be, nor in itself', () => {
    for (const text of [`${'['.repeat(201)}${']'.repeat(201)}`, 'a: &a [*a]']) {
      expect(readYaml(text).mistake).toMatchObject({ message: 'it is nested deeper than 200 levels' });
    }
    expect(readYaml(`${'['.repeat(20_000)}${']'.repeat(20_000)}`).mistake).toBeDefined();
    expect(readYaml(`${'['.repeat(200)}${']'.repeat(200)}`).mistake).toBeUndefined();
  });
});
