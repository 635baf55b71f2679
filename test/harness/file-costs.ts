import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one test file took of the machine. */
export interface FileCost {
  /** Absolute path. */
  readonly file: string;
  /** Until its first test, in seconds: its modules are found, transformed and linked. */
  readonly loading: number;
  /** Processor time of the worker and of the processes that it has started and that have ended, in seconds. */
  readonly processor: number;
}

/** A server or a control plane that a test file has started. */
export interface StartCost {
  readonly kind: string;
  /** Until it answered. */
  readonly seconds: number;
}

const COSTS = 'costs.jsonl';
const STARTS = 'starts.jsonl';

/** @param run folder of the run. */
export const noteFile = (cost: FileCost, run = process.env.PROPLANE_TEST_RUN): void => note(run, COSTS, cost);

/** Does what starts something, and notes how long that took. */
export async function noteStart<T>(kind: string, start: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const started = await start();
  note(process.env.PROPLANE_TEST_RUN, STARTS, {
    kind,
    seconds: (performance.now() - begun) / 1000,
  } satisfies StartCost);
  return started;
}

/** @param run folder of a run. */
export const costsOf = (run: string): FileCost[] => noted(run, COSTS);

/** @param run folder of a run. */
export const startsOf = (run: string): StartCost[] => noted(run, STARTS);

/** Of this process and of those of its children that have ended, in seconds; 0 where the machine does not tell. */
export function processorTime(pid: number | 'self' = 'self'): number {
  try {
    // the name of the program, in brackets, can have spaces
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}

/** Of Linux, wherever Node runs. */
const TICKS_A_SECOND = 100;

function note(run: string | undefined, name: string, line: object): void {
  if (run !== undefined) appendFileSync(join(run, name), `${JSON.stringify(line)}\n`);
}

function noted<T>(run: string, name: string): T[] {
  try {
    const lines = readFileSync(join(run, name), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as T);
  } catch {
    return [];
  }
}
