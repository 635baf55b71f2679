import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import { Informer } from '../../../operator/kubernetes/informer.ts';
import { LEASES, leaseSpecOf } from '../../../operator/kubernetes/lease.ts';
import { SYSTEM_CLOCK } from '../../../process/clock.ts';
import { eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { kubeClientOf } from '../../harness/kubernetes/kube-client.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { CONFIG_MAPS } from './config-maps.ts';

interface Said {
  readonly did: 'lead' | 'valid' | 'invalid' | 'end' | 'stop';
  readonly transitions?: number;
  readonly aborted?: boolean;
}

await describeWithCluster('an election on a real API server', (cluster) => {
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  let client: KubeClient;
  let candidates: Candidate[];

  class Candidate {
    readonly said: Said[] = [];
    readonly #child: ChildProcess;

    constructor(identity: string) {
      const script = join(import.meta.dirname, 'candidate-process.ts');
      this.#child = spawn(process.execPath, ['--no-warnings', script, namespace.name, 'it', identity], {
        env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      createInterface(this.#child.stdout!).on('line', (line) => this.said.push(JSON.parse(line)));
      candidates.push(this);
    }

    get leads(): boolean {
      return this.said.at(-1)?.did === 'lead';
    }

    did(what: Said['did']): Said | undefined {
      return this.said.find(({ did }) => did === what);
    }

    signal(name: NodeJS.Signals): void {
      this.#child.kill(name);
    }

    async end(name: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
      const ended = once(this.#child, 'exit');
      this.signal('SIGCONT');
      this.signal(name);
      await ended;
    }
  }

  beforeEach(async () => {
    client = kubeClientOf(cluster);
    namespace = await newNamespace(cluster);
    candidates = [];
  });
  afterEach(async () => {
    await Promise.all(candidates.map((candidate) => candidate.end('SIGKILL')));
    await namespace.remove();
  });

  const leaders = () => candidates.filter(({ leads }) => leads);
  const oneLeads = () =>
    eventually(async () => {
      const [leader, ...more] = leaders();
      expect(more).toEqual([]);
      return leader ?? Promise.reject(new Error('nobody leads'));
    });
  const lease = async () => leaseSpecOf(await client.read({ resource: LEASES, namespace: namespace.name, name: 'it' }));

  /** Who wrote in which term, each once, in the order of the writes. */
  async function writers() {
    const order: string[] = [];
    const ending = new AbortController();
    const informer = new Informer({
      client,
      clock: SYSTEM_CLOCK,
      resource: CONFIG_MAPS,
      namespace: namespace.name,
      listener: {
        heard: (event) => {
          for (const { metadata, data } of event.type === 'listed' ? event.objects : [event.object]) {
            if (metadata.name !== 'written') continue;
            const { writer, transitions } = data as Record<string, string>;
            if (order.at(-1) !== `${writer} ${transitions}`) order.push(`${writer} ${transitions}`);
          }
        },
        problem: () => undefined,
        recovered: () => undefined,
      },
    });
    await informer.start(ending.signal);
    return { order, stop: () => informer.stop() };
  }

  it('has one leader of three; a lease that is released is taken at once', async () => {
    const written = await writers();
    for (const name of ['a', 'b', 'c']) new Candidate(name);
    const first = await oneLeads();
    await first.end();
    expect(first.said.map(({ did }) => did)).toEqual(['lead', 'end', 'stop']);
    const second = await oneLeads();
    expect(second.said.at(-1)?.transitions).toBe(1);
    await eventually(async () => expect(written.order).toHaveLength(2));
    await Promise.all(candidates.map((candidate) => candidate.end()));
    expect(await lease()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await written.stop();
  });

  it('gives a leader that is killed up after its lease, and counts on', async () => {
    for (const name of ['a', 'b']) new Candidate(name);
    const first = await oneLeads();
    await first.end('SIGKILL');
    first.said.length = 0;
    const second = await oneLeads();
    expect(second.said.at(-1)?.transitions).toBe(1);
  });

  it('lets a leader that was frozen past its lease write nothing more', async () => {
    const written = await writers();
    for (const name of ['a', 'b', 'c']) new Candidate(name);
    const first = await oneLeads();
    await eventually(async () => expect(written.order).toHaveLength(1));
    first.signal('SIGSTOP');
    await eventually(async () => expect(leaders()).toHaveLength(2));
    await eventually(async () => expect(written.order).toHaveLength(2));
    first.signal('SIGCONT');
    await eventually(async () => expect(first.did('end')).toBeDefined());
    expect(first.did('invalid')).toBeDefined();
    expect(first.did('end')?.aborted).toBe(true);
    const second = await oneLeads();
    expect(second).not.toBe(first);
    expect(written.order).toHaveLength(2);
    await written.stop();
  });

  it('is won by one of two that race for each term', async () => {
    const written = await writers();
    for (let round = 0; round < 3; round++) {
      const both = [new Candidate(`a${round}`), new Candidate(`b${round}`)];
      const leader = await oneLeads();
      expect(leader.said.at(-1)?.transitions).toBe(2 * round);
      await leader.end();
      await eventually(async () => expect(both.every(({ said }) => said.length > 0)).toBe(true));
      await Promise.all(both.map((candidate) => candidate.end()));
    }
    expect(written.order.map((writer) => Number(writer.split(' ')[1]))).toEqual([0, 1, 2, 3, 4, 5]);
    await written.stop();
  });
});
