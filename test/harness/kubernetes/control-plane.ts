import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPair, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, fetch } from 'undici';
import { noteStart } from '../file-costs.ts';
import { freePorts } from '../free-ports.ts';
import type { Cluster } from './cluster.ts';
import { applyCrds } from './crds.ts';
import { type KubePrograms, kubePrograms, type Program } from './kube-programs.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { endWithRun } from './leftovers.ts';

const LONGEST_START = 120_000;
const ISSUER = 'https://kubernetes.default.svc';

/**
 * A control plane of Kubernetes without nodes: etcd, API server and controller manager, on free ports of the loopback
 * interface, with data in a folder of its own. A pod that is created there stays pending.
 */
export class ControlPlane implements Cluster {
  readonly server: string;
  readonly kubeconfig: string;
  readonly users: Cluster['users'];
  readonly hasControllers: boolean;
  readonly #folder: string;
  readonly #programs: KubePrograms;
  readonly #adminToken = randomUUID();
  readonly #etcdUrl: string;
  readonly #peerUrl: string;
  readonly #children = new Map<keyof KubePrograms, ChildProcess>();

  private constructor(folder: string, programs: KubePrograms, ports: readonly number[]) {
    const [etcd, peer, server] = ports;
    this.#folder = folder;
    this.#programs = programs;
    this.#etcdUrl = `http://127.0.0.1:${etcd}`;
    this.#peerUrl = `http://127.0.0.1:${peer}`;
    this.server = `https://127.0.0.1:${server}`;
    this.kubeconfig = this.#path('kubeconfig');
    this.hasControllers = programs.controllerManager !== undefined;
    this.users = {
      operator: { name: 'operator', token: randomUUID() },
      reader: { name: 'reader', token: randomUUID() },
    };
  }

  /**
   * For one test file alone, which may do to it what it likes. The controllers may still be starting.
   * @param crds whether it has our kinds from the beginning: the garbage collector looks for new ones twice a minute.
   * @throws Error when this machine cannot have one, or it does not start.
   */
  static start({ crds = false } = {}): Promise<ControlPlane> {
    return noteStart('control plane', () => ControlPlane.#begin(crds));
  }

  static async #begin(crds: boolean): Promise<ControlPlane> {
    const programs = await kubePrograms();
    if ('missing' in programs) throw new Error(programs.missing);
    // what a test leaves behind when it is broken off goes with the folder of the run
    const folder = await mkdtemp(join(process.env.PROPLANE_TEST_RUN ?? tmpdir(), 'control-plane-'));
    const plane = new ControlPlane(folder, programs, await freePorts(3));
    try {
      await plane.#writeKeys();
      await plane.#start('etcd', plane.#etcdArguments());
      await plane.startApiServer();
      await writeKubeconfig(plane.kubeconfig, { server: plane.server, ca: plane.ca, token: plane.#adminToken });
      if (crds) await applyCrds(plane);
      if (plane.hasControllers) await plane.#start('controllerManager', plane.#controllerArguments());
    } catch (error) {
      await plane.stop();
      throw error;
    }
    return plane;
  }

  get ca(): string {
    return readFileSync(this.#path('certs/apiserver.crt'), 'utf8');
  }

  /** Starts it, also again after `stopApiServer`, on the same address and data; waits until it is ready. */
  async startApiServer(): Promise<void> {
    const child = await this.#start('apiServer', this.#apiServerArguments());
    const until = Date.now() + LONGEST_START;
    while (!(await this.#isReady())) {
      if (hasEnded(child) || Date.now() > until) throw new Error(`the API server does not start:\n${this.#said()}`);
      await sleep(50);
    }
  }

  /** Ends it as a crash does. Its data stay; clients find nobody on its address. */
  stopApiServer(): Promise<void> {
    return this.#end('apiServer');
  }

  /**
   * Restarts the API server without the history up to now: every resource version and every page before it is answered
   * 410. The restart is needed, because an API server that runs remembers what etcd has forgotten.
   */
  async forgetHistory(): Promise<void> {
    await this.stopApiServer();
    await this.compact();
    await this.startApiServer();
  }

  /** Forgets the history in etcd. */
  async compact(): Promise<void> {
    const key = Buffer.from('/').toString('base64');
    const { header } = (await this.#askEtcd('range', { key })) as { header: { revision: string } };
    await this.#askEtcd('compaction', { revision: header.revision, physical: true });
  }

  /**
   * Deletes an object at once, whatever finalizers it has, as kube-apiserver does with one that gets its finalizer between
   * the look at the finalizers and the deletion.
   * @param key as in `/registry/GROUP/PLURAL/NAMESPACE/NAME`, without the first part.
   */
  async drop(key: string): Promise<void> {
    const { deleted } = (await this.#askEtcd('deleterange', {
      key: Buffer.from(`/registry/${key}`).toString('base64'),
    })) as { deleted?: string };
    if (deleted !== '1') throw new Error(`etcd has no ${key}`);
  }

  /** Ends it for good and removes its data. */
  async stop(): Promise<void> {
    // in this order none waits for another
    for (const part of ['controllerManager', 'apiServer', 'etcd'] as const) await this.#end(part);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #writeKeys(): Promise<void> {
    const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    await mkdir(this.#path('certs'));
    await writeFile(this.#path('account.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
    await writeFile(this.#path('account.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    const users = Object.values(this.users).map(({ name, token }) => `${token},${name},${name}`);
    const lines = [`${this.#adminToken},admin,admin,system:masters`, ...users];
    await writeFile(this.#path('tokens.csv'), lines.join('\n'), { mode: 0o600 });
  }

  #etcdArguments(): string[] {
    return [
      `--data-dir=${this.#path('data')}`,
      `--listen-client-urls=${this.#etcdUrl}`,
      `--advertise-client-urls=${this.#etcdUrl}`,
      `--listen-peer-urls=${this.#peerUrl}`,
      `--initial-advertise-peer-urls=${this.#peerUrl}`,
      `--initial-cluster=default=${this.#peerUrl}`,
      // data outlive a killed process, not a power failure
      '--unsafe-no-fsync',
      '--log-level=warn',
    ];
  }

  #apiServerArguments(): string[] {
    return [
      `--etcd-servers=${this.#etcdUrl}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${new URL(this.server).port}`,
      // where it makes a certificate of its own, and finds it again
      `--cert-dir=${this.#path('certs')}`,
      '--endpoint-reconciler-type=none',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--authorization-mode=RBAC',
      `--token-auth-file=${this.#path('tokens.csv')}`,
      '--allow-privileged',
      `--service-account-issuer=${ISSUER}`,
      `--service-account-key-file=${this.#path('account.pub')}`,
      `--service-account-signing-key-file=${this.#path('account.key')}`,
      // with it a pod has to wait for the default account of its namespace
      '--disable-admission-plugins=ServiceAccount',
    ];
  }

  #controllerArguments(): string[] {
    return [
      `--kubeconfig=${this.kubeconfig}`,
      '--leader-elect=false',
      '--secure-port=0',
      `--cert-dir=${this.#path('certs')}`,
      `--service-account-private-key-file=${this.#path('account.key')}`,
      `--root-ca-file=${this.#path('certs/apiserver.crt')}`,
    ];
  }

  async #start(part: keyof KubePrograms, options: readonly string[]): Promise<ChildProcess> {
    const [path, ...first] = this.#programs[part] as Program;
    const output = openSync(this.#path('output'), 'a');
    const child = spawn(path, [...first, ...options], { cwd: this.#folder, stdio: ['ignore', output, output] });
    closeSync(output);
    await once(child, 'spawn');
    endWithRun(child);
    this.#children.set(part, child);
    return child;
  }

  async #end(part: keyof KubePrograms): Promise<void> {
    const child = this.#children.get(part);
    if (child === undefined || hasEnded(child)) return;
    const ended = once(child, 'exit');
    // the others are missed for minutes by a part that ends in order
    child.kill('SIGKILL');
    await ended;
  }

  async #isReady(): Promise<boolean> {
    if (!existsSync(this.#path('certs/apiserver.crt'))) return false;
    const dispatcher = new Agent({ connect: { ca: this.ca } });
    try {
      const headers = { authorization: `Bearer ${this.#adminToken}` };
      const response = await fetch(`${this.server}/readyz`, {
        dispatcher,
        headers,
        signal: AbortSignal.timeout(5_000),
      });
      return response.ok;
    } catch {
      return false;
    } finally {
      await dispatcher.destroy();
    }
  }

  async #askEtcd(what: string, body: object): Promise<unknown> {
    const request = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) };
    const response = await fetch(`${this.#etcdUrl}/v3/kv/${what}`, request);
    if (!response.ok) throw new Error(`etcd answers ${response.status}: ${await response.text()}`);
    return response.json();
  }

  #said(): string {
    return readFileSync(this.#path('output'), 'utf8').split('\n').slice(-30).join('\n');
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
