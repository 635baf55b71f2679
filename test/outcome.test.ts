import { describe, expect, it } from '@jest/globals';
import { COVERAGE } from './interface/coverage.ts';
import { didFail, type FileOutcome, isMended, seedOf, slowestOf, summaryOf, unprovedRows } from './outcome.ts';

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

  it('names the files that took longest', () => {
    const files = [300, 100, 200].map((ms) => ({ ...fileOf(`/${ms}.test.ts`, []), endTime: 1_000 + ms }));
    expect(slowestOf(files, 2)).toEqual([
      { name: '/300.test.ts', seconds: 0.3 },
      { name: '/200.test.ts', seconds: 0.2 },
    ]);
  });

  it('proves a row of the interface by its test, unless that failed on one pair of backends, or passed on none', () => {
    const proofs = COVERAGE.flatMap(({ rows }) => Object.values(rows)).filter((proof) => 'file' in proof);
    const rowsOf = (some: typeof proofs) => some.map(({ file, test }) => expect.stringContaining(`(${test}, ${file})`));
    const all = (...statuses: string[]) =>
      [...new Set(proofs.map(({ file }) => file))].map((name) => {
        const titles = proofs.filter(({ file }) => file === name).map(({ test }) => test);
        return fileOf(
          `/clone/${name}`,
          titles.flatMap((title) => statuses.map((status): [string, string] => [title, status])),
        );
      });
    expect(unprovedRows(all('passed'), 'quick')).toEqual([]);
    expect(unprovedRows(all('passed', 'pending'), 'quick')).toEqual([]);
    for (const unproved of [[], all('failed'), all('passed', 'failed')])
      expect(unprovedRows(unproved, 'quick')).toEqual(rowsOf(proofs));
    const alwaysPossible = proofs.filter(({ needs }) => needs === undefined);
    expect(unprovedRows(all('pending'), 'quick')).toEqual(rowsOf(alwaysPossible));
  });
});

describe('a file that failed', () => {
  const failed = fileOf('/a.test.ts', [
    ['one', 'passed'],
    ['two', 'failed'],
    ['three', 'pending'],
  ]);

  it.each<[string, boolean, FileOutcome]>([
    [
      'all passes',
      true,
      fileOf('/a.test.ts', [
        ['one', 'passed'],
        ['two', 'passed'],
        ['three', 'pending'],
      ]),
    ],
    ['it fails again', false, failed],
    [
      'another test fails',
      false,
      fileOf('/a.test.ts', [
        ['one', 'failed'],
        ['two', 'passed'],
      ]),
    ],
    [
      'the test that failed is skipped',
      false,
      fileOf('/a.test.ts', [
        ['one', 'passed'],
        ['two', 'pending'],
      ]),
    ],
    ['the test that failed is not there', false, fileOf('/a.test.ts', [['one', 'passed']])],
    [
      'another test is skipped',
      false,
      fileOf('/a.test.ts', [
        ['one', 'pending'],
        ['two', 'passed'],
      ]),
    ],
    ['something beside the tests fails', false, { ...fileOf('/a.test.ts', [['two', 'passed']]), status: 'failed' }],
  ])('when %s: mended is %s', (_, mended, after) => {
    expect(isMended(failed, after)).toBe(mended);
  });

  it('names the seed of its random test', () => {
    const said = (message: string) =>
      seedOf(
        fileOf('/a.test.ts', [
          ['one', 'passed'],
          ['two', 'failed', 'x', message],
        ]),
      );
    expect(said('Error: Property failed after 1 tests\n{ seed: -12345, path: "0:1" }')).toBe('-12345');
    expect(said('Error: PROPLANE_TEST_SEED=678, round 3: late')).toBe('678');
    expect(said('Error: no random test')).toBeUndefined();
  });
});

function fileOf(
  name: string,
  tests: readonly (readonly [title: string, status: string, ...messages: string[]])[],
): FileOutcome {
  const assertionResults = tests.map(([title, status, ...failureMessages]) => {
    return { status, title, fullName: title, failureMessages };
  });
  const status = assertionResults.some(didFail) ? 'failed' : 'passed';
  return { name, status, assertionResults, startTime: 1_000, endTime: 1_000 };
}
