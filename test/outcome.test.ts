import { describe, expect, it } from '@jest/globals';
import { COVERAGE } from './interface/coverage.ts';
import { didFail, type FileOutcome, summaryOf, unprovedRows } from './outcome.ts';

describe('the outcome of a run', () => {
  it('counts tests, and a file that could not be run as one that failed', () => {
    const files = [
      fileOf('/a.test.ts', [
        ['one', 'passed'],
        ['two', 'failed'],
        ['three', 'pending'],
        ['four', 'todo'],
      ]),
      fileOf('/b.test.ts', [['one', 'passed']]),
      { ...fileOf('/c.test.ts', []), status: 'failed' },
    ];
    expect(summaryOf(files)).toBe('2 passed, 2 failed, 2 skipped');
  });

  it('proves a row of the interface by its test, unless that failed on one pair of backends, or passed on none', () => {
    const proofs = COVERAGE.flatMap(({ rows }) => Object.values(rows)).filter((proof) => 'file' in proof);
    const rows = proofs.map(({ file, test }) => expect.stringContaining(`(${test}, ${file})`));
    const all = (...statuses: string[]) =>
      [...new Set(proofs.map(({ file }) => file))].map((name) => {
        const titles = proofs.filter(({ file }) => file === name).map(({ test }) => test);
        return fileOf(
          `/clone/${name}`,
          titles.flatMap((title) => statuses.map((status): [string, string] => [title, status])),
        );
      });
    expect(unprovedRows(all('passed'))).toEqual([]);
    expect(unprovedRows(all('passed', 'pending'))).toEqual([]);
    for (const unproved of [[], all('pending'), all('failed'), all('passed', 'failed')])
      expect(unprovedRows(unproved)).toEqual(rows);
  });
});

function fileOf(name: string, tests: readonly (readonly [title: string, status: string])[]): FileOutcome {
  const assertionResults = tests.map(([title, status]) => ({ status, title, fullName: title }));
  return { name, status: assertionResults.some(didFail) ? 'failed' : 'passed', assertionResults };
}
