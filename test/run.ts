import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { runJest } from './harness/jest-run.ts';
import { didFail, type FileOutcome, isMended, seedOf, summaryOf, unprovedRows, wasSkipped } from './outcome.ts';

/**
 * Runs the tests that the arguments name (all without any), names each skipped test, and ends with the line
 * `N passed, N failed, N skipped`. When a few files of a run of everything failed, each is run again alone, with the
 * seed of the random test that failed. What passes then went by the speed of the machine or by chance: it is named
 * before that line, with what it said, and wants to be looked into.
 */

/** More than these are no chance. */
const MOST_AGAIN = 5;
// End-to-end tests wait for half of their time; more than a few at once would need much memory.
const AT_ONCE = `--maxWorkers=${Math.min(2 * availableParallelism(), 8)}`;

process.exitCode = await main(process.argv.slice(2));

async function main(tests: readonly string[]): Promise<number> {
  const isEverything = tests.length === 0;
  const first = await runJest([AT_ONCE, ...tests]);
  if (first === undefined) {
    console.error('the test run ended without results');
    return 1;
  }
  const failed = first.files.filter(didFail);
  const isFew = failed.length > 0 && failed.length <= MOST_AGAIN;
  const mended = isEverything && isFew ? await runAgain(failed) : new Map<FileOutcome, FileOutcome>();
  const files = first.files.map((file) => mended.get(file) ?? file);

  const skipped = files.flatMap(({ assertionResults }) => assertionResults.filter(wasSkipped));
  for (const { fullName } of skipped) console.log(`skipped: ${fullName}`);
  for (const file of mended.keys()) console.log(`failed at first, passed alone: ${describe(file)}`);
  const unproved = isEverything ? unprovedRows(files) : [];
  for (const row of unproved) console.log(`not proved: ${row}`);
  console.log(summaryOf(files));
  const isGreen = first.isGreen || (mended.size > 0 && !files.some(didFail));
  return isGreen && unproved.length === 0 ? 0 : 1;
}

/** @returns the outcomes of the files that passed alone, by those with which they failed. */
async function runAgain(failed: readonly FileOutcome[]): Promise<Map<FileOutcome, FileOutcome>> {
  const mended = new Map<FileOutcome, FileOutcome>();
  for (const file of failed) {
    const seed = seedOf(file);
    console.log(`failed, is run again alone${seed === undefined ? '' : ` with seed ${seed}`}: ${describe(file)}`);
    const environment = seed === undefined ? {} : { PROPLANE_TEST_SEED: seed };
    const run = await runJest(['--runInBand', '--runTestsByPath', file.name], environment);
    const after = run?.files.find(({ name }) => name === file.name);
    if (after !== undefined && isMended(file, after)) mended.set(file, after);
    // Somebody has ended it.
    if (run === undefined) break;
  }
  return mended;
}

/** The path of a file, its failed tests, and the first line of what each said. */
function describe({ name, assertionResults }: FileOutcome): string {
  const tests = assertionResults.filter(didFail);
  const lines = tests.map(({ fullName, failureMessages: [message = ''] }) => `${fullName}: ${message.split('\n', 1)}`);
  return [relative('', name), ...lines].join('\n  ');
}
