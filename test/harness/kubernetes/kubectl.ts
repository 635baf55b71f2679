import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { kubectlProgram } from './kube-programs.ts';

const LONGEST_CALL = 120_000;

/** kubectl before one cluster, with a home of its own: nothing of the user is read or written. */
export class Kubectl {
  readonly #options: readonly string[];

  /** @param namespace of all calls that do not name one. */
  constructor(kubeconfig: string, namespace?: string) {
    this.#options = [`--kubeconfig=${kubeconfig}`, ...(namespace === undefined ? [] : [`--namespace=${namespace}`])];
  }

  /**
   * @returns what it prints on standard output.
   * @throws Error with what it prints on standard error, when it fails or takes longer than two minutes.
   */
  run(...options: readonly string[]): Promise<string> {
    return call([...this.#options, ...options]);
  }

  /** The same as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: objects of many shapes
  async json(...options: readonly string[]): Promise<any> {
    return JSON.parse(await this.run(...options, '--output=json'));
  }

  /** Applies objects as `kubectl apply -f` does. */
  apply(...objects: readonly object[]): Promise<string> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects };
    return call([...this.#options, 'apply', '--filename=-'], JSON.stringify(list));
  }
}

async function call(options: readonly string[], input = ''): Promise<string> {
  const [path, ...first] = await kubectlProgram();
  const home = join(process.env.PROPLANE_TEST_RUN ?? tmpdir(), 'kubectl');
  mkdirSync(home, { recursive: true });
  const child = spawn(path, [...first, ...options], {
    env: { PATH: process.env.PATH ?? '', HOME: home, KUBECACHEDIR: join(home, 'cache') },
    timeout: LONGEST_CALL,
    killSignal: 'SIGKILL',
  });
  // one that ends without reading its input says why on standard error
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const [output, errors, { code, signal }] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return output;
  throw new Error(`kubectl ${options.slice(1).join(' ')}: ${errors.trim()}${signal === null ? '' : ` (${signal})`}`);
}
