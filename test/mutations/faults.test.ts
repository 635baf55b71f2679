import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesOf } from '../tiers.ts';
import { planted } from './fault.ts';
import { FAULTS } from './faults.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the faults', () => {
  it('fit into the sources as they are now', () => {
    for (const fault of FAULTS) {
      const source = readFileSync(join(ROOT, fault.file), 'utf8');
      expect(planted(source, fault)).not.toBe(source);
    }
  });

  it('are looked for by test files that are there, and of the tier that is named', () => {
    for (const { tier = 'quick', foundBy } of FAULTS) {
      expect(foundBy).not.toEqual([]);
      expect(foundBy.filter((file) => existsSync(join(ROOT, file)))).toEqual(foundBy);
      expect(filesOf(tier, foundBy)).toEqual(foundBy);
    }
  });

  it('have names of their own', () => {
    const names = FAULTS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
