import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A real server for tests: where it answers, or why this machine cannot have it. */
export type Part =
  | { readonly address: string; readonly frontend?: string; readonly pid?: number }
  | { readonly missing: string };

/** Installing a server may take its time, in ms. */
const LONGEST_START = 1_200_000;

/**
 * A server that all test files of a run share. The first that asks starts it, as a process that outlives the test file;
 * test/run.ts ends it by its pid.
 */
export async function sharedPart(name: string, start: () => Promise<Part>): Promise<Part> {
  const run = process.env.PROPLANE_TEST_RUN;
  if (run === undefined) return { missing: 'tests that share a server are run by test/run.ts' };
  const file = join(run, `${name}.part`);
  if (isFirst(join(run, `${name}.starting`))) {
    const part = await start().catch((error: unknown): Part => ({ missing: String(error) }));
    writeFileSync(`${file}.new`, JSON.stringify(part));
    renameSync(`${file}.new`, file);
  }
  const until = Date.now() + LONGEST_START;
  while (!existsSync(file)) {
    if (Date.now() > until) return { missing: `${name} did not start in time` };
    await sleep(100);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Part;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
