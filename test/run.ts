import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { type JestRun, runJest } from './harness/jest-run.ts';
import { didFail, type FileOutcome, summaryOf, unprovedRows, wasSkipped } from './outcome.ts';

/**
 * Runs the tests that the arguments name (all without any), names each skipped test, and ends with the line
 * `N passed, N failed, N skipped`. When a few files of a run of everything failed, each is run again alone, and what
 * passes then is named before that line: it goes by chance or by the speed of the machine, and wants to be looked into.
 */

/** More than these are not chance. */
const MOST_AGAIN = 5;
// End-to-end tests wait for half of their time; more than a few at once would need much memory.
const AT_ONCE = `--maxWorkers=${Math.min(2 * availableParallelism(), 8)}`;

process.exitCode = await main(process.argv.slice(2));

async function main(tests: readonly string[]): Promise<number> {
  const isEverything = tests.length === 0;
  const first = await runJest([AT_ONCE, ...tests]);
  const last = isEverything && first !== undefined ? await again(first) : first;
  if (first === undefined || last === undefined) {
    console.error('the test run ended without results');
    return 1;
  }
  const files = first.files.map((file) => last.files.find(({ name }) => name === file.name) ?? file);
  const all = files.flatMap(({ assertionResults }) => assertionResults);
  for (const { fullName } of all.filter(wasSkipped)) console.log(`skipped: ${fullName}`);
  for (const [index, file] of files.entries()) {
    const before = first.files[index];
    if (before !== undefined && didFail(before) && !didFail(file))
      console.log(`failed at first, passed alone: ${describe(before)}`);
  }
  const unproved = isEverything ? unprovedRows(files) : [];
  for (const row of unproved) console.log(`not proved: ${row}`);
  console.log(summaryOf(files));
  return last.isGreen && unproved.length === 0 ? 0 : 1;
}

/** @returns the run of what failed, one file after the other; the first run when too much failed, or nothing. */
async function again(first: JestRun): Promise<JestRun | undefined> {
  const failed = first.files.filter(didFail);
  if (failed.length === 0 || failed.length > MOST_AGAIN) return first;
  for (const file of failed) console.log(`failed, is run again alone: ${describe(file)}`);
  return runJest(['--runInBand', '--runTestsByPath', ...failed.map(({ name }) => name)]);
}

function describe({ name, assertionResults }: FileOutcome): string {
  const titles = assertionResults.filter(didFail).map(({ fullName }) => fullName);
  return [relative('', name), ...titles].join('\n  ');
}
