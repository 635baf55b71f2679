import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { COVERAGE } from './interface/coverage.ts';
import { doesMoreInLong, filesOf, pairsOf, unknownEntries } from './tiers.ts';

const ROOT = join(import.meta.dirname, '..');
const files = globSync('test/**/*.test.ts', { cwd: ROOT }).map((file) => join(ROOT, file));

describe('the two tiers', () => {
  it('have every test file, on both pairs of backends, and name none that is not there', () => {
    expect(unknownEntries(files)).toEqual([]);
    const runs = (['quick', 'long'] as const).flatMap((tier) =>
      filesOf(tier, files).flatMap((file) => pairsOf(tier, file).map((pair) => `${file} ${pair}`)),
    );
    const expected = files.flatMap((file) => {
      const once = [`${file} embedded`, `${file} servers`];
      return doesMoreInLong(file) ? [...once, ...once] : once;
    });
    expect(runs.toSorted()).toEqual(expected.toSorted());
  });

  it('prove the interface document in the quick one', () => {
    const quick = filesOf('quick', files);
    const proofs = COVERAGE.flatMap(({ rows }) => Object.values(rows)).flatMap((row) =>
      'file' in row ? [row.file] : [],
    );
    expect(proofs.filter((proof) => !quick.includes(join(ROOT, proof)))).toEqual([]);
  });
});
