import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from './api.ts';
import { programEnvironment } from './program-environment.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Why this machine cannot play a terminal; `undefined` when it can. */
export function terminalMissing(): string | undefined {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return stdout?.includes('util-linux') ? undefined : 'there is no script(1) of util-linux';
}

/** The command line in a terminal, before which somebody sits. */
export class Terminal {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #shown = '';

  /** @param environment `REDIRECTION` in it is one of the shell, such as `2>/dev/null`. */
  constructor(environment: Readonly<Record<string, string>>, ...options: readonly string[]) {
    const words = [process.execPath, 'cli/main.ts', ...options].map((word) => `'${word}'`);
    const { REDIRECTION = '', ...rest } = environment;
    this.#child = spawn('script', ['-qec', `${words.join(' ')} ${REDIRECTION}`, '/dev/null'], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...programEnvironment(), TERM: 'xterm', SHELL: '/bin/sh', ...rest },
    });
    this.#ended = once(this.#child, 'close');
    this.#child.stdout?.on('data', (part: Buffer) => (this.#shown += String(part)));
  }

  /** Everything that the terminal has shown, with what moves its cursor and colours. */
  get shown(): string {
    return this.#shown;
  }

  /** Waits until a text is there, then types. */
  async answer(question: string, typed: string): Promise<void> {
    await eventually(async () => {
      if (!this.#shown.includes(question)) throw new Error(`"${question}" is not shown:\n${this.#shown}`);
    }, 20_000);
    this.#child.stdin?.write(typed);
  }

  /** @returns the exit code. */
  async end(): Promise<number> {
    const [code] = await this.#ended;
    return code as number;
  }
}
