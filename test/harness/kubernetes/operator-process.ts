import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../api.ts';
import { noteStart } from '../file-costs.ts';
import { programEnvironment } from '../program-environment.ts';
import { endWithRun } from './leftovers.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface OperatorOptions {
  /** Address of the API server. */
  readonly host: string;
  readonly kubeconfig: string;
  /** Of the Lease. */
  readonly namespace: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The operator as `npm run operator` runs it, over the resources of a cluster. */
export class OperatorProcess {
  readonly #child: ChildProcess;
  readonly #output: string[] = [];

  constructor({ host, kubeconfig, namespace, environment }: OperatorOptions) {
    this.#child = spawn(process.execPath, ['operator/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...programEnvironment(),
        KUBECONFIG: kubeconfig,
        PROPLANE_HOST: host,
        OPERATOR_PORT: '0',
        WATCH_NAMESPACES: namespace,
        LEASE_NAMESPACE: namespace,
        // A leader that was killed is replaced soon.
        LEASE_DURATION_S: '3',
        LEASE_RENEW_DEADLINE_S: '2',
        LEASE_RETRY_S: '0.3',
        ...environment,
      },
    });
    endWithRun(this.#child);
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#output.push(String(chunk)));
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#output.push(String(chunk)));
  }

  /** Everything that it has printed. */
  get output(): string {
    return this.#output.join('');
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** How often it has begun to work, since it leads. */
  get terms(): number {
    return this.output.split('Started: ').length - 1;
  }

  /** Waits until it leads, for the `terms`th time, and knows of everything there is. */
  async leads(terms = 1): Promise<this> {
    await noteStart('operator', () =>
      eventually(async () => {
        if (!this.isRunning) throw new Error(`the operator has ended:\n${this.output}`);
        if (this.terms < terms) throw new Error(`the operator does not lead yet:\n${this.output}`);
      }, 60_000),
    );
    return this;
  }

  /** Asks its own HTTP server. */
  async get(path: '/ready' | '/health' | '/metrics'): Promise<{ readonly status: number; readonly text: string }> {
    const url = await eventually(async () => {
      const [, found] = /"url":"(http:[^"]+)"/u.exec(this.output) ?? [];
      if (found === undefined) throw new Error(`the operator does not listen:\n${this.output}`);
      return found;
    });
    const response = await fetch(`${url}${path}`);
    return { status: response.status, text: await response.text() };
  }

  /** The sum of a metric over all its labels. */
  async metric(name: string): Promise<number> {
    const { text } = await this.get('/metrics');
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Nothing of it runs until `thaw`; its connections stay open. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  /** Ends it as Kubernetes does. @returns its exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Ends it as a crash does. */
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
