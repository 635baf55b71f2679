import { COVERAGE } from './interface/coverage.ts';
import { type Tier, tierOf } from './tiers.ts';

/** What came of a test file, as jest's `--json` tells it. */
export interface FileOutcome {
  /** Absolute path. */
  readonly name: string;
  /** `failed` also when the file could not be run, or something beside its tests failed. */
  readonly status: string;
  readonly assertionResults: readonly TestOutcome[];
  /** Milliseconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
}

export interface TestOutcome {
  readonly status: string;
  readonly title: string;
  readonly fullName: string;
  /** What its errors say, with stacks. */
  readonly failureMessages: readonly string[];
}

export const didFail = ({ status }: { readonly status: string }): boolean => status === 'failed';

export const didPass = ({ status }: { readonly status: string }): boolean => status === 'passed';

export const wasSkipped = ({ status }: { readonly status: string }): boolean =>
  status === 'pending' || status === 'todo';

/** The files that took longest, with their times in seconds, slowest first. */
export function slowestOf(files: readonly FileOutcome[], most: number): { name: string; seconds: number }[] {
  const timed = files.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
  return timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, most);
}

/** The line that ends a run. A file that failed without a failed test counts as one. */
export function summaryOf(files: readonly FileOutcome[]): string {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const broken = files.filter((file) => didFail(file) && !file.assertionResults.some(didFail));
  const failed = tests.filter(didFail).length + broken.length;
  return `${tests.filter(didPass).length} passed, ${failed} failed, ${tests.filter(wasSkipped).length} skipped`;
}

/** The seed of a random test that failed, as fast-check and the tests of faults name it. */
export function seedOf({ assertionResults }: FileOutcome): string | undefined {
  const messages = assertionResults.flatMap(({ failureMessages }) => failureMessages);
  return messages.map((message) => /seed(?:: |=)(-?\d+)/iu.exec(message)?.[1]).find((seed) => seed !== undefined);
}

/** Whether a file that failed passed when it was run again: each test that failed was seen to pass, none was left out. */
export function isMended(before: FileOutcome, after: FileOutcome): boolean {
  if (didFail(after)) return false;
  const passed = new Set(after.assertionResults.filter(didPass).map(({ fullName }) => fullName));
  const skippedBefore = new Set(before.assertionResults.filter(wasSkipped).map(({ fullName }) => fullName));
  const isLeftOut = (test: TestOutcome) => wasSkipped(test) && !skippedBefore.has(test.fullName);
  if (after.assertionResults.some(isLeftOut)) return false;
  return before.assertionResults.filter(didFail).every(({ fullName }) => passed.has(fullName));
}

/**
 * Rows of the interface document whose test is of the tier and did not pass, or passed on one pair of backends and failed on
 * another. One that the machine cannot run is named among those that were skipped.
 */
export function unprovedRows(files: readonly FileOutcome[], tier: Tier): string[] {
  return COVERAGE.flatMap(({ title, rows }) =>
    Object.entries(rows).flatMap(([row, proof]) => {
      if ('pending' in proof || tierOf(proof.file) !== tier) return [];
      const file = files.find(({ name }) => name.endsWith(proof.file));
      const tests = (file?.assertionResults ?? []).filter((test) => test.title === proof.test);
      const isProved = tests.some(didPass) && !tests.some(didFail);
      const isSkipped = proof.needs !== undefined && tests.length > 0 && tests.every(wasSkipped);
      return isProved || isSkipped ? [] : [`${title}: ${row} (${proof.test}, ${proof.file})`];
    }),
  );
}
