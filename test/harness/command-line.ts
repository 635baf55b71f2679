import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { noteStart } from './file-costs.ts';
import { programEnvironment } from './program-environment.ts';

const ROOT = join(import.meta.dirname, '../..');

/** How a command ended, and what it printed. */
export interface CommandRun {
  /** `null` when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as a process of its own: for exit codes, signals, pipes, and what else `CommandHost` cannot show. */
export class CommandLine {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];

  /** @param where address of the server, or the whole environment beside the path. */
  constructor(where: string | Readonly<Record<string, string>>, ...options: readonly string[]) {
    const environment =
      typeof where === 'string' ? { HOME: process.env.HOME ?? '', PROPLANE_HOST: where } : { HOME: '', ...where };
    this.#child = spawn(process.execPath, ['cli/main.ts', ...options], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...programEnvironment(), ...environment },
    });
    this.#ended = noteStart('command', () => once(this.#child, 'close'));
    this.#child.stdout?.on('data', (part: Buffer) => this.#stdout.push(part));
    this.#child.stderr?.on('data', (part: Buffer) => this.#stderr.push(part));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Waits for its end. */
  async end(): Promise<CommandRun> {
    await this.#ended;
    const [stdout, stderr] = [this.#stdout, this.#stderr].map((parts) => Buffer.concat(parts).toString());
    return { code: this.#child.exitCode, stdout: stdout ?? '', stderr: stderr ?? '' };
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
