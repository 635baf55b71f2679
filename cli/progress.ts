import cliProgress from 'cli-progress';
import type { Clock } from '../process/clock.ts';
import { plain } from '../process/text.ts';

/** How far long work is. */
export interface Shown {
  /** A word such as `running`; `done` at the end. */
  readonly state: string;
  readonly total: number;
  readonly processed: number;
  readonly note: string;
}

/** How people see long work: a bar in a terminal, plain lines elsewhere. */
export interface Progress {
  show(shown: Shown): void;
  /** Nothing goes on for now, and why. */
  wait(reason: string): void;
  end(): void;
}

/** How often a line is written where there is no terminal, in ms; about a server that is away ever less often. */
const LINE_INTERVAL = 5_000;
const LONGEST_INTERVAL = 120_000;

/** For whoever reads the outcome only. */
export const noProgress: Progress = { show() {}, wait() {}, end() {} };

/** @param unit what is counted, such as `entities`. */
export function createProgress(stream: NodeJS.WriteStream, unit: string, clock: Clock): Progress {
  return stream.isTTY ? barProgress(stream, unit) : lineProgress(stream, unit, clock);
}

function barProgress(stream: NodeJS.WriteStream, unit: string): Progress {
  const format = `{bar} {percentage}%  {value}/{total} ${unit}  {note}`;
  const bar = new cliProgress.SingleBar({ format, stream, hideCursor: true }, cliProgress.Presets.shades_classic);
  let started = false;
  let last = { total: 1, processed: 0 };
  const draw = (total: number, processed: number, note: string) => {
    const shown = { note: plain(note) };
    if (started) bar.setTotal(total);
    else bar.start(total, processed, shown);
    started = true;
    bar.update(processed, shown);
    last = { total, processed };
  };
  return {
    show: (shown) => draw(Math.max(1, shown.total), processedOf(shown), shown.note),
    wait: (reason) => draw(last.total, last.processed, reason),
    end: () => bar.stop(),
  };
}

function lineProgress(stream: NodeJS.WriteStream, unit: string, { monotonic }: Clock): Progress {
  let last = '';
  let next = 0;
  let interval = LINE_INTERVAL;
  const write = (kind: string, line: string, growth: number) => {
    if (kind === last && monotonic() < next) return;
    interval = kind === last ? Math.min(LONGEST_INTERVAL, interval * growth) : LINE_INTERVAL;
    last = kind;
    next = monotonic() + interval;
    stream.write(`${plain(line)}\n`);
  };
  return {
    show: ({ state, processed, total, note }) =>
      write(state, `${state}: ${processed} of ${total} ${unit} ${note === `(${state})` ? '' : note}`.trimEnd(), 1),
    wait: (reason) => write('away', `waiting: ${reason}`, 2),
    end() {},
  };
}

function processedOf({ state, total, processed }: Shown): number {
  return state === 'done' ? Math.max(1, total) : processed;
}
