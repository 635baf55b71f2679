import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from './deployments.ts';
import { noteStart } from './file-costs.ts';
import { programEnvironment } from './program-environment.ts';

const ROOT = join(import.meta.dirname, '../..');
const START_TIMEOUT = 60_000;

export interface ProplaneOptions {
  /** Where the catalogue is. */
  readonly deployment: Deployment;
  /** Globs of the directory source; none when absent. */
  readonly manifests?: string;
  readonly catalogue?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The API server alone, as one of several replicas. */
  readonly role?: 'api-server';
}

/** The all-in-one process, as `npm start` runs it, or the API server alone, on free ports. */
export class ProplaneProcess {
  readonly url: string;
  readonly frontendUrl: string;
  readonly #child: ChildProcess;
  readonly #output: string[];

  private constructor(child: ChildProcess, output: string[], url: string, frontendUrl: string) {
    this.#child = child;
    this.#output = output;
    this.url = url;
    this.frontendUrl = frontendUrl;
  }

  /** Starts it and waits until it prints where it answers. */
  static start(options: ProplaneOptions): Promise<ProplaneProcess> {
    return noteStart('Proplane', () => ProplaneProcess.#start(options));
  }

  static async #start(options: ProplaneOptions): Promise<ProplaneProcess> {
    const output: string[] = [];
    const child = spawn(process.execPath, [options.role === undefined ? 'start/main.ts' : 'api-server/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...programEnvironment(),
        HOME: process.env.HOME ?? '',
        API_PORT: '0',
        FRONTEND_PORT: '0',
        ...options.deployment.environment,
        MANIFESTS: options.manifests ?? '',
        CATALOGUE: options.catalogue ?? '',
        ...options.environment,
      },
    });
    child.stdout?.on('data', (chunk: Buffer) => output.push(String(chunk)));
    child.stderr?.on('data', (chunk: Buffer) => output.push(String(chunk)));
    const until = Date.now() + START_TIMEOUT;
    while (Date.now() < until && child.exitCode === null) {
      const text = output.join('');
      const url = /API server +(http:\S+)|"url":"(http:[^"]+)"/u.exec(text)?.slice(1).join('');
      const frontendUrl = options.role === undefined ? /Frontend +(http:\S+)/u.exec(text)?.[1] : '';
      if (url !== undefined && frontendUrl !== undefined) return new ProplaneProcess(child, output, url, frontendUrl);
      await sleep(20);
    }
    child.kill('SIGKILL');
    throw new Error(`Proplane did not start:\n${output.join('')}`);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Everything that it has printed. */
  get output(): string {
    return this.#output.join('');
  }

  /** Ends it as Ctrl-C does. @returns its exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGINT');
  }

  /** Ends it as a crash does: nothing of it runs any more. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    await closed;
    return this.#child.exitCode;
  }
}
