import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs jest over what the arguments name (everything without any), then names each skipped test, and ends with the
 * line `N passed, N failed, N skipped`.
 */

interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'proplane-test-'));
const results = join(folder, 'results.json');
const jest = join(import.meta.dirname, '../node_modules/jest/bin/jest.js');
const options = ['-c', 'jest.config.json', '--maxWorkers=2', '--json', `--outputFile=${results}`];
// What jest prints with --json on standard output is repeated in the file; people read standard error.
const child = spawn(
  process.execPath,
  ['--experimental-vm-modules', '--no-warnings', jest, ...options, ...process.argv.slice(2)],
  {
    stdio: ['inherit', 'ignore', 'inherit'],
  },
);

child.on('close', (code) => {
  process.exitCode = code ?? 1;
  try {
    const outcome = JSON.parse(readFileSync(results, 'utf8')) as JestResults;
    const tests = outcome.testResults.flatMap(({ assertionResults }) => assertionResults);
    for (const { status, fullName } of tests)
      if (status === 'pending' || status === 'todo') console.log(`skipped: ${fullName}`);
    const failed = outcome.numFailedTests + outcome.numRuntimeErrorTestSuites;
    const skipped = outcome.numPendingTests + outcome.numTodoTests;
    console.log(`${outcome.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
  } catch {
    console.error('the test run ended without results');
    process.exitCode ||= 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
