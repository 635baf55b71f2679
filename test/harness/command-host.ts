import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CommandWanted } from './command-host-process.ts';
import type { CommandRun } from './command-line.ts';
import { noteStart } from './file-costs.ts';
import { programEnvironment } from './program-environment.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(import.meta.dirname, 'command-host-process.ts');

/**
 * A process that runs commands one after the other, for tests of what they do: it has loaded the command line once. Its
 * streams are pipes, as those of `CommandLine`, which is for what only a process of its own can show.
 */
export class CommandHost {
  readonly #child: ChildProcess;
  readonly #waiting: PromiseWithResolvers<CommandRun>[] = [];
  #said = '';

  constructor() {
    this.#child = fork(PROGRAM, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: programEnvironment(), execArgv: [] });
    this.#child.on('message', (run: CommandRun) => this.#waiting.shift()?.resolve(run));
    this.#child.stderr?.on('data', (part: Buffer) => (this.#said += String(part)));
    this.#child.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`the commands have ended: ${this.#said}`));
    });
  }

  /** @param environment beside the path. @param folder in which the command runs. @param input its standard input. */
  run(
    environment: Readonly<Record<string, string>>,
    words: readonly string[],
    folder: string = ROOT,
    input = '',
  ): Promise<CommandRun> {
    const run = Promise.withResolvers<CommandRun>();
    this.#waiting.push(run);
    const wanted = { words, folder, input, environment: { ...programEnvironment(), HOME: '', ...environment } };
    this.#child.send(wanted satisfies CommandWanted);
    return noteStart('command in a warm process', () => run.promise);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }
}
