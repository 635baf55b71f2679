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
    expect(new Set(runs)).toEqual(new Set(files.flatMap((file) => [`${file} embedded`, `${file} servers`])));
    const again = runs.filter((run, index) => runs.indexOf(run) !== index);
    expect(again.filter((run) => !doesMoreInLong(run.split(' ')[0] ?? ''))).toEqual([]);
  });

  it('prove the interface document in the quick one', () => {
    const quick = filesOf('quick', files);
    const proofs = COVERAGE.flatMap(({ rows }) => Object.values(rows)).flatMap((row) =>
      'file' in row ? [row.file] : [],
    );
    expect(proofs.filter((proof) => !quick.includes(join(ROOT, proof)))).toEqual([]);
  });
});
