import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { busyLoops } from './harness/busy-loops.ts';
import { type JestRun, runJest } from './harness/jest-run.ts';
import {
  didFail,
  type FileOutcome,
  isMended,
  seedOf,
  slowestOf,
  summaryOf,
  unprovedRows,
  wasSkipped,
} from './outcome.ts';
import type { Tier } from './tiers.ts';

/**
 * Runs the tests that the arguments name, on everything; without arguments those of the quick tier, with `--long` those
 * of the long one. Names the slowest files of a tier and each skipped test, and ends with the line
 * `N passed, N failed, N skipped`.
 *
 * When a few files of a tier failed, each is run again alone, with the seed of the random test that failed. What passes
 * then is flaky: it goes by chance, or by the speed of the machine. It is run once more beside load, which often shows
 * the failure again, and is named with what it said and counted in a line before the last. The long tier, which is there
 * to find races, is red for it.
 */

/** More than these are no chance. */
const MOST_AGAIN = 5;
const SLOWEST = 10;
const FILTER = join(import.meta.dirname, 'harness/tier-filter.ts');
// Some wait for half of their time; more at once share caches and memory, and all take longer (measured).
const AT_ONCE = `--maxWorkers=${Math.min(Math.ceil(1.5 * availableParallelism()), 8)}`;

process.exitCode = await main(process.argv.slice(2));

async function main(given: readonly string[]): Promise<number> {
  const tier: Tier | undefined = given.length === 0 ? 'quick' : given[0] === '--long' ? 'long' : undefined;
  if (tier !== undefined) buildControlPlane();
  const first = await runJest(
    [AT_ONCE, ...(tier === undefined ? given : [`--filter=${FILTER}`])],
    tier === undefined ? {} : { PROPLANE_TEST_TIER: tier },
  );
  if (first === undefined) {
    console.error('the test run ended without results');
    return 1;
  }
  const failed = first.files.filter(didFail);
  const isFew = failed.length > 0 && failed.length <= MOST_AGAIN;
  const mended = tier !== undefined && isFew ? await runAgain(failed, tier) : new Map<FileOutcome, FileOutcome>();
  const files = first.files.map((file) => mended.get(file) ?? file);

  const skipped = files.flatMap(({ assertionResults }) => assertionResults.filter(wasSkipped));
  for (const { fullName } of skipped) console.log(`skipped: ${fullName}`);
  for (const file of mended.keys()) console.log(`flaky, failed at first, passed alone: ${describe(file)}`);
  const unproved = tier === undefined ? [] : unprovedRows(files, tier);
  for (const row of unproved) console.log(`not proved: ${row}`);
  if (tier !== undefined) {
    console.log(`the ${SLOWEST} slowest files`);
    const processor = new Map(first.costs.map((cost) => [cost.file, cost.processor]));
    for (const { name, seconds } of slowestOf(first.files, SLOWEST))
      console.log(`${shown(seconds)} ${shown(processor.get(name) ?? 0)} of processor  ${relative('', name)}`);
    for (const line of costLines(first)) console.log(line);
    writeFigures(first);
    console.log(`${mended.size} flaky`);
  }
  console.log(summaryOf(files));
  const isGreen = first.isGreen || (mended.size > 0 && !files.some(didFail) && tier === 'quick');
  return isGreen && unproved.length === 0 ? 0 : 1;
}

/** Begins to, on a machine that has none yet: the tests on a cluster, which come last there, will have waited less for it. */
function buildControlPlane(): void {
  const script = join(import.meta.dirname, 'harness/kubernetes/build-kube.ts');
  spawn(process.execPath, ['--no-warnings', script], { stdio: ['ignore', 'ignore', 'inherit'] }).unref();
}

/** In seconds. */
function shown(seconds: number): string {
  return `${seconds.toFixed(1).padStart(7)} s`;
}

/** What the whole run took, and what of it was not the tests' own work. */
function costLines({ costs, starts }: JestRun): string[] {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const kinds = Map.groupBy(starts, ({ kind }) => kind);
  return [
    `${shown(sum(costs.map(({ processor }) => processor)))} of processor in all`,
    `${shown(sum(costs.map(({ loading }) => loading)))} until the first test of a file: modules found, transformed, linked`,
    ...[...kinds].map(
      ([kind, of]) => `${shown(sum(of.map(({ seconds }) => seconds)))} in ${of.length} starts: ${kind}`,
    ),
  ];
}

/** Writes what each file took to the file that `PROPLANE_TEST_FIGURES` names, as lines of JSON. */
function writeFigures({ files, costs, starts }: JestRun): void {
  const { PROPLANE_TEST_FIGURES: figures } = process.env;
  if (figures === undefined) return;
  const seconds = new Map(slowestOf(files, files.length).map(({ name, seconds }) => [name, seconds]));
  const lines = [...costs.map((cost) => ({ ...cost, seconds: seconds.get(cost.file) ?? 0 })), ...starts];
  appendFileSync(figures, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** @returns the outcomes of the files that passed alone, by those with which they failed. */
async function runAgain(failed: readonly FileOutcome[], tier: Tier): Promise<Map<FileOutcome, FileOutcome>> {
  const mended = new Map<FileOutcome, FileOutcome>();
  for (const file of failed) {
    const seed = seedOf(file);
    console.log(`failed, is run again alone${seed === undefined ? '' : ` with seed ${seed}`}: ${describe(file)}`);
    const alone = await runOne(file, tier);
    // Somebody has ended it.
    if (alone === undefined) break;
    if (!isMended(file, alone)) continue;
    mended.set(file, alone);
    const end = busyLoops(2 * availableParallelism());
    const besideLoad = await runOne(file, tier).finally(end);
    if (besideLoad !== undefined) console.log(`beside load: ${didFail(besideLoad) ? describe(besideLoad) : 'passed'}`);
  }
  return mended;
}

/** Runs a file once more, with the seed with which it failed. */
async function runOne(file: FileOutcome, tier: Tier): Promise<FileOutcome | undefined> {
  const seed = seedOf(file);
  const environment = { PROPLANE_TEST_TIER: tier, ...(seed === undefined ? {} : { PROPLANE_TEST_SEED: seed }) };
  const run = await runJest(['--runInBand', '--runTestsByPath', file.name], environment);
  return run?.files.find(({ name }) => name === file.name);
}

/** The path of a file, its failed tests, and the first line of what each said. */
function describe({ name, assertionResults }: FileOutcome): string {
  const tests = assertionResults.filter(didFail);
  const lines = tests.map(({ fullName, failureMessages: [message = ''] }) => `${fullName}: ${message.split('\n', 1)}`);
  return [relative('', name), ...lines].join('\n  ');
}
