import { Readable } from 'node:stream';
import { reportError } from '../../cli/errors.ts';
import { createProgram } from '../../cli/program.ts';
import type { CommandRun } from './command-line.ts';

/** What `command-host.ts` sends. */
export interface CommandWanted {
  readonly words: readonly string[];
  readonly folder: string;
  /** What standard input has. */
  readonly input: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Takes the place of the end of the process, so that nothing is done after it. */
class Ended extends Error {}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (wanted: CommandWanted) => {
  last = last.then(async () => process.send?.(await run(wanted)));
});

/** As `cli/main.ts` does, but the process stays. */
async function run({ words, folder, input, environment }: CommandWanted): Promise<CommandRun> {
  process.chdir(folder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', { value: Readable.from(input === '' ? [] : [input]), configurable: true });
  process.exit = (code) => {
    if (code !== undefined) process.exitCode = code;
    throw new Ended();
  };
  const [stdout, stderr] = [process.stdout, process.stderr].map(captured) as [() => string, () => string];
  try {
    await createProgram().parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof Ended)) reportError(error);
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Keeps what is written to a stream from now on. @returns how to get it. */
function captured(stream: NodeJS.WriteStream): () => string {
  const parts: Buffer[] = [];
  stream.write = (part: string | Uint8Array, ...rest: unknown[]) => {
    parts.push(Buffer.from(part as string));
    const done = rest.find((each) => typeof each === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  return () => Buffer.concat(parts).toString();
}
