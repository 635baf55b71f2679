import { COVERAGE } from './interface/coverage.ts';

/** What came of a test file, as jest's `--json` tells it. */
export interface FileOutcome {
  /** Absolute path. */
  readonly name: string;
  /** `failed` also when the file could not be run, or something beside its tests failed. */
  readonly status: string;
  readonly assertionResults: readonly TestOutcome[];
}

export interface TestOutcome {
  readonly status: string;
  readonly title: string;
  readonly fullName: string;
}

export const didFail = ({ status }: { readonly status: string }): boolean => status === 'failed';

export const wasSkipped = ({ status }: { readonly status: string }): boolean =>
  status === 'pending' || status === 'todo';

/** The line that ends a run. A file that failed without a failed test counts as one. */
export function summaryOf(files: readonly FileOutcome[]): string {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const broken = files.filter((file) => didFail(file) && !file.assertionResults.some(didFail));
  return `${passed} passed, ${tests.filter(didFail).length + broken.length} failed, ${tests.filter(wasSkipped).length} skipped`;
}

/** Rows of the interface document whose test did not pass, or passed on one pair of backends and failed on another. */
export function unprovedRows(files: readonly FileOutcome[]): string[] {
  return COVERAGE.flatMap(({ title, rows }) =>
    Object.entries(rows).flatMap(([row, proof]) => {
      if ('pending' in proof) return [];
      const file = files.find(({ name }) => name.endsWith(proof.file));
      const tests = (file?.assertionResults ?? []).filter((test) => test.title === proof.test);
      const isProved = tests.some(({ status }) => status === 'passed') && !tests.some(didFail);
      return isProved ? [] : [`${title}: ${row} (${proof.test}, ${proof.file})`];
    }),
  );
}
