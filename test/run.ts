import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './harness/shared-part.ts';
import { COVERAGE } from './interface/coverage.ts';

/**
 * Runs jest over what the arguments name (everything without any), ends the servers that test files have started for
 * all, names each skipped test, and ends with the line `N passed, N failed, N skipped`.
 */

interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly TestResult[];
  }[];
}

interface TestResult {
  readonly status: string;
  readonly title: string;
  readonly fullName: string;
}

const ranEverything = process.argv.length === 2;
const folder = mkdtempSync(join(tmpdir(), 'proplane-test-'));
const results = join(folder, 'results.json');
const jest = join(import.meta.dirname, '../node_modules/jest/bin/jest.js');
// End-to-end tests wait for half of their time; more than a few at once would need much memory.
const workers = Math.min(2 * availableParallelism(), 8);
const options = ['-c', 'jest.config.json', `--maxWorkers=${workers}`, '--json', `--outputFile=${results}`];
// What jest prints with --json on standard output is repeated in the file; people read standard error.
const child = spawn(
  process.execPath,
  ['--experimental-vm-modules', '--no-warnings', jest, ...options, ...process.argv.slice(2)],
  {
    stdio: ['inherit', 'ignore', 'inherit'],
    env: { ...process.env, PROPLANE_TEST_RUN: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  },
);
// Ctrl-C reaches jest too; what it has started is ended when it has closed.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));

child.on('close', async (code) => {
  process.exitCode = code ?? 1;
  await endSharedParts();
  try {
    const outcome = JSON.parse(readFileSync(results, 'utf8')) as JestResults;
    const tests = outcome.testResults.flatMap(({ assertionResults }) => assertionResults);
    for (const { status, fullName } of tests)
      if (status === 'pending' || status === 'todo') console.log(`skipped: ${fullName}`);
    const failed = outcome.numFailedTests + outcome.numRuntimeErrorTestSuites;
    const skipped = outcome.numPendingTests + outcome.numTodoTests;
    const unproved = ranEverything ? unprovedRows(outcome) : [];
    for (const row of unproved) console.log(`not proved: ${row}`);
    if (unproved.length > 0) process.exitCode ||= 1;
    console.log(`${outcome.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
  } catch {
    console.error('the test run ended without results');
    process.exitCode ||= 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Rows of the interface document whose test did not pass, or passed on one pair of backends and failed on another. */
function unprovedRows({ testResults }: JestResults): string[] {
  return COVERAGE.flatMap(({ title, rows }) =>
    Object.entries(rows).flatMap(([row, proof]) => {
      if ('pending' in proof) return [];
      const file = testResults.find(({ name }) => name.endsWith(proof.file));
      const tests = (file?.assertionResults ?? []).filter((test) => test.title === proof.test);
      const isProved =
        tests.some(({ status }) => status === 'passed') && !tests.some(({ status }) => status === 'failed');
      return isProved ? [] : [`${title}: ${row} (${proof.test}, ${proof.file})`];
    }),
  );
}

/** Some servers now and then ignore the first signal. */
async function endSharedParts(): Promise<void> {
  const pids = readdirSync(folder)
    .filter((name) => name.endsWith('.part'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Part)
    .flatMap((part) => ('pid' in part && part.pid !== undefined ? [part.pid] : []));
  for (const pid of pids) signal(pid, 'SIGTERM');
  for (let waited = 0; waited < 50 && pids.some((pid) => signal(pid, 0)); waited++) await sleep(100);
  for (const pid of pids) signal(pid, 'SIGKILL');
}

/** @returns whether the process is there. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
