import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Part, sharedPart } from '../shared-part.ts';
import { adoptCluster } from './adopted-cluster.ts';
import { kubePrograms } from './kube-programs.ts';

const LONGEST_START = 180_000;

/** A Kubernetes API server for tests, and who may call it. */
export interface Cluster {
  readonly server: string;
  /** PEM of the authority of the server's certificate; undefined when it is one that everybody knows. */
  readonly ca?: string | undefined;
  /** Path of a file with which one may do everything. */
  readonly kubeconfig: string;
  /** Users without any rights: a test grants what it needs to `kind: User` with that name. */
  readonly users: Readonly<Record<'operator' | 'reader', User>>;
  /** Whether namespaces end, and what belongs to a deleted owner is collected. */
  readonly hasControllers: boolean;
}

export interface User {
  readonly name: string;
  readonly token: string;
}

/** The address of the cluster that the environment names. */
export function namedCluster(): string | undefined {
  return process.env.KUBECONFIG || undefined;
}

/**
 * The cluster that all test files of a run share: that of KUBECONFIG, or a control plane of this machine's own. Each file
 * works in namespaces of its own.
 * @throws Error when there could be one, but it does not start.
 */
export async function sharedCluster(): Promise<Cluster | { readonly missing: string }> {
  // outside of the shared part, because a build may take longer than the start of a part
  if (namedCluster() === undefined) {
    const programs = await kubePrograms();
    if ('missing' in programs) return programs;
  }
  const part = await sharedPart('kubernetes', start);
  if ('missing' in part) throw new Error(part.missing);
  return JSON.parse(readFileSync(part.address, 'utf8')) as Cluster;
}

async function start(): Promise<Part> {
  const run = process.env.PROPLANE_TEST_RUN ?? '';
  const address = join(run, 'cluster.json');
  if (namedCluster() !== undefined) {
    await adoptCluster(address);
    return { address };
  }
  const output = join(run, 'control-plane.output');
  const file = openSync(output, 'a');
  // It outlives the process of the test file that starts it.
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'shared-control-plane.ts'), address], {
    detached: true,
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  child.unref();
  const until = Date.now() + LONGEST_START;
  while (!existsSync(address)) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > until)
      return { missing: `the control plane does not start:\n${readFileSync(output, 'utf8')}` };
    await sleep(50);
  }
  return { address, ...(child.pid === undefined ? {} : { pid: child.pid }) };
}
