import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COVERAGE, type Proof } from '../test/interface/coverage.ts';
import { tierOf } from '../test/tiers.ts';
import { GENERATED, table } from './table.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * Which test proves each row of the interface document.
 * @throws Error naming the tests that are not in their files.
 */
export function interfaceCoveragePage(): string {
  const absent = COVERAGE.flatMap(({ rows }) => Object.values(rows)).flatMap((proof) =>
    'test' in proof && !isThere(proof) ? [`${proof.file} has no test '${proof.test}'`] : [],
  );
  if (absent.length > 0) throw new Error(absent.join('\n'));
  const sections = COVERAGE.map(({ title, rows }) => {
    const lines = Object.entries(rows).map(([row, proof]) => [row, describe(proof), tierOfProof(proof)]);
    return `## ${title}\n\n${table(['row', 'proved by', 'tier'], lines)}\n`;
  });
  return `${GENERATED}
# Coverage of the interface

Each row of each table of the interface document, and each point of its lists, with the test that proves it, on SQLite and
on MongoDB with Typesense, and the tier of that test: \`make test\` runs the quick one, \`make test-all\` the long one. They fail
when one of these tests did not pass.

${sections.join('\n')}`;
}

function isThere({ file, test }: { readonly file: string; readonly test: string }): boolean {
  return readFileSync(join(ROOT, file), 'utf8').includes(`it('${test}'`);
}

function describe(proof: Proof): string {
  if ('pending' in proof) return `not yet: ${proof.pending}`;
  return `[${proof.test}](../../${proof.file})`;
}

function tierOfProof(proof: Proof): string {
  return 'pending' in proof ? '' : tierOf(proof.file);
}
