import cliProgress from 'cli-progress';

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

/** How often a line is written where there is no terminal, in ms. */
const LINE_INTERVAL = 5_000;

/** For whoever reads the outcome only. */
export const noProgress: Progress = { show() {}, wait() {}, end() {} };

/** @param unit what is counted, such as `entities`. */
export function createProgress(stream: NodeJS.WriteStream, unit: string): Progress {
  return stream.isTTY ? barProgress(stream, unit) : lineProgress(stream, unit);
}

function barProgress(stream: NodeJS.WriteStream, unit: string): Progress {
  const format = `{bar} {percentage}%  {value}/{total} ${unit}  {note}`;
  const bar = new cliProgress.SingleBar({ format, stream, hideCursor: true }, cliProgress.Presets.shades_classic);
  let started = false;
  const draw = (total: number, processed: number, note: string) => {
    if (started) bar.setTotal(total);
    else bar.start(total, processed, { note });
    started = true;
    bar.update(processed, { note });
  };
  return {
    show: (shown) => draw(Math.max(1, shown.total), processedOf(shown), shown.note),
    wait: (reason) => draw(1, 0, reason),
    end: () => bar.stop(),
  };
}

function lineProgress(stream: NodeJS.WriteStream, unit: string): Progress {
  let last = '';
  let next = 0;
  const write = (kind: string, line: string) => {
    if (kind === last && Date.now() < next) return;
    last = kind;
    next = Date.now() + LINE_INTERVAL;
    stream.write(`${line}\n`);
  };
  return {
    show: ({ state, processed, total, note }) =>
      write(state, `${state}: ${processed} of ${total} ${unit} ${note}`.trimEnd()),
    wait: (reason) => write('away', `waiting: ${reason}`),
    end() {},
  };
}

function processedOf({ state, total, processed }: Shown): number {
  return state === 'done' ? Math.max(1, total) : processed;
}
