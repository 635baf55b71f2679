import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { runJest } from '../harness/jest-run.ts';
import { didFail, type FileOutcome } from '../outcome.ts';
import { filesOf, type Tier } from '../tiers.ts';
import { type Fault, planted } from './fault.ts';
import { FAULTS } from './faults.ts';

/**
 * Plants the faults of the table one by one in a copy of the working tree, which itself is never changed, and runs the
 * test files that are expected to find each: tests that let a fault pass prove less than they say. A fault is found when
 * a test fails that passes without it; a file that cannot be run finds nothing. Arguments name faults, all of them when
 * there are none; with `--whole` each is looked for by all files of its tier.
 */

const ROOT = join(import.meta.dirname, '../..');
/** Of one test, unless it says more itself: with a fault, one may wait for what never comes. */
const LONGEST_MS = 60_000;
const UNTIL_FAILURE = ['--bail', '--testEnvironment=./test/mutations/until-failure-environment.ts'];
const NOT_COPIED: ReadonlySet<string> = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage']);

/** The test that has found a fault, and its file; `undefined`: none has. */
type Finding = { readonly test: string; readonly file: string } | undefined;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { whole: { type: 'boolean' } }, allowPositionals: true });
  const unknown = positionals.filter((name) => !FAULTS.some((fault) => fault.name === name));
  if (unknown.length > 0) return refuse(`no such fault: ${unknown.join(', ')}`);
  const faults = positionals.length === 0 ? FAULTS : FAULTS.filter(({ name }) => positionals.includes(name));
  const copy = mkdtempSync(join(tmpdir(), 'proplane-mutations-'));
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(ROOT, path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const filesFor = (fault: Fault) => (values.whole ? filesOfTier(fault.tier) : fault.foundBy);
    for (const [tier, some] of Map.groupBy(faults, (fault) => fault.tier ?? 'quick')) {
      const files = [...new Set(some.flatMap(filesFor))];
      console.log(`no fault, ${files.length} files of the ${tier} tier, which have to pass`);
      const failed = (await run(copy, tier, files))?.filter(didFail);
      if (failed === undefined) return refuse('ended');
      if (failed.length > 0) return refuse(`fails without a fault: ${failed.map(({ name }) => name).join(', ')}`);
    }
    const findings = new Map<Fault, Finding>();
    for (const fault of faults) {
      const begin = performance.now();
      const outcomes = await withFault(copy, fault, () =>
        run(copy, fault.tier ?? 'quick', filesFor(fault), ...UNTIL_FAILURE),
      );
      if (outcomes === undefined) return refuse('ended');
      const finding = findingIn(outcomes, copy);
      findings.set(fault, finding);
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      console.log(`${finding === undefined ? 'NOT FOUND' : 'found'}  ${fault.name}  ${seconds} s  ${shown(finding)}`);
    }
    return report(findings);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Without the test of the table, which sees that a text of it is not there any more. */
function filesOfTier(tier: Tier = 'quick'): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) => !file.startsWith('test/mutations/'));
  return filesOf(tier, files);
}

/** @returns `undefined` when somebody has ended it. */
async function run(
  copy: string,
  tier: Tier,
  files: readonly string[],
  ...options: readonly string[]
): Promise<readonly FileOutcome[] | undefined> {
  const tests = await runJest(
    [...options, `--testTimeout=${LONGEST_MS}`, '--runTestsByPath', ...files],
    { PROPLANE_TEST_TIER: tier },
    { folder: copy, isQuiet: true },
  );
  return tests?.files;
}

async function withFault<T>(copy: string, fault: Fault, work: () => Promise<T>): Promise<T> {
  const path = join(copy, fault.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, planted(source, fault));
  try {
    return await work();
  } finally {
    writeFileSync(path, source);
  }
}

function findingIn(outcomes: readonly FileOutcome[], copy: string): Finding {
  const failed = outcomes.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(didFail).map(({ fullName }) => ({ test: fullName, file: relative(copy, name) })),
  );
  return failed[0];
}

function shown(finding: Finding): string {
  return finding === undefined ? '' : `${finding.test} (${finding.file})`;
}

function report(findings: ReadonlyMap<Fault, Finding>): number {
  const rows = [...findings].map(([{ name, what, tier = 'quick' }, finding]) =>
    [name, what, tier, finding === undefined ? '**NOT FOUND**' : shown(finding)].join(' | '),
  );
  const missed = [...findings.values()].filter((finding) => finding === undefined).length;
  for (const row of ['fault | what | tier | found by', '---|---|---|---', ...rows]) console.log(`| ${row} |`);
  console.log(`${findings.size - missed} found, ${missed} not found`);
  return missed === 0 ? 0 : 1;
}

function refuse(message: string): number {
  console.error(message);
  return 1;
}
