import cliProgress from 'cli-progress';
import type { ShownJob } from './shown-job.ts';

/** How people see long work: a bar in a terminal, plain lines elsewhere. */
export interface Progress {
  show(job: ShownJob): void;
  /** Nothing goes on for now, and why. */
  wait(reason: string): void;
  end(): void;
}

/** How often a line is written where there is no terminal, in ms. */
const LINE_INTERVAL = 5_000;

/** For whoever reads the outcome only. */
export const noProgress: Progress = { show() {}, wait() {}, end() {} };

export function createProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? barProgress(stream) : lineProgress(stream);
}

function barProgress(stream: NodeJS.WriteStream): Progress {
  const format = '{bar} {percentage}%  {value}/{total} entities  {note}';
  const bar = new cliProgress.SingleBar({ format, stream, hideCursor: true }, cliProgress.Presets.shades_classic);
  let started = false;
  const draw = (total: number, processed: number, note: string) => {
    if (started) bar.setTotal(total);
    else bar.start(total, processed, { note });
    started = true;
    bar.update(processed, { note });
  };
  return {
    show: (job) => draw(Math.max(1, job.total), processedOf(job), noteOf(job)),
    wait: (reason) => draw(1, 0, reason),
    end: () => bar.stop(),
  };
}

function lineProgress(stream: NodeJS.WriteStream): Progress {
  let last = '';
  let next = 0;
  const write = (kind: string, line: string) => {
    if (kind === last && Date.now() < next) return;
    last = kind;
    next = Date.now() + LINE_INTERVAL;
    stream.write(`${line}\n`);
  };
  return {
    show: (job) => write(job.state, `${job.state}: ${job.processed} of ${job.total} entities ${noteOf(job)}`.trimEnd()),
    wait: (reason) => write('away', `waiting: ${reason}`),
    end() {},
  };
}

function processedOf({ state, total, processed }: ShownJob): number {
  return state === 'done' ? Math.max(1, total) : processed;
}

function noteOf({ state, remaining, processed, perSecond, secondsLeft, error }: ShownJob): string {
  if (error !== undefined) return `(${error})`;
  if (state !== 'running') return state === 'done' ? '' : `(${state})`;
  if (remaining === 0 && processed > 0) return '(comparing with the store)';
  return secondsLeft === undefined ? '' : `(${perSecond} a second, ${secondsLeft} s left)`;
}
