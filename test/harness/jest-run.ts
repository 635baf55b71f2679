import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileOutcome } from '../outcome.ts';
import { costsOf, type FileCost, noteFile, processorTime, type StartCost, startsOf } from './file-costs.ts';
import type { Part } from './shared-part.ts';

const JEST = join(import.meta.dirname, '../../node_modules/jest/bin/jest.js');

export interface JestRun {
  readonly files: readonly FileOutcome[];
  /** False also when there was nothing to run. */
  readonly isGreen: boolean;
  readonly costs: readonly FileCost[];
  readonly starts: readonly StartCost[];
}

/**
 * One run of jest with a folder of its own, and servers of its own that its test files share, which are ended after it.
 * @param options as jest's command line has them: which files, how many at once.
 * @param environment for the tests, beside that of this process.
 * @param where the tree whose tests are run, this one when absent, and whether nobody reads what they print.
 * @returns undefined when jest was ended before it could say what came of the files.
 */
export async function runJest(
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { folder: cwd, isQuiet = false }: { readonly folder?: string; readonly isQuiet?: boolean } = {},
): Promise<JestRun | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'proplane-test-'));
  const results = join(folder, 'results.json');
  const child = spawn(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--no-warnings', JEST, ...options],
      ...['-c', 'jest.config.json', '--json', `--outputFile=${results}`],
    ],
    {
      // What jest prints with --json on standard output is repeated in the file; people read standard error.
      stdio: ['inherit', 'ignore', isQuiet ? 'ignore' : 'inherit'],
      cwd,
      env: {
        ...process.env,
        ...environment,
        PROPLANE_TEST_RUN: folder,
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      },
    },
  );
  // Ctrl-C reaches jest too; what it has started is ended when it has closed.
  const wait = () => {};
  const end = () => child.kill('SIGTERM');
  process.on('SIGINT', wait).on('SIGTERM', end);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    await endSharedParts(folder);
    const files = readResults(results);
    return files && { files, isGreen: code === 0, costs: costsOf(folder), starts: startsOf(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    process.off('SIGINT', wait).off('SIGTERM', end);
  }
}

function readResults(path: string): readonly FileOutcome[] | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { testResults: FileOutcome[] }).testResults;
  } catch {
    return undefined;
  }
}

/** Some servers now and then ignore the first signal. */
async function endSharedParts(folder: string): Promise<void> {
  const pids = readdirSync(folder)
    .filter((name) => name.endsWith('.part'))
    .flatMap((name) => {
      const part = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Part;
      if (!('pid' in part) || part.pid === undefined) return [];
      noteFile({ file: `shared: ${name}`, loading: 0, processor: processorTime(part.pid) }, folder);
      return [part.pid];
    });
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
