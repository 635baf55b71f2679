import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Informer, type InformerTimes } from '../../../operator/kubernetes/informer.ts';
import type { KubeClient } from '../../../operator/kubernetes/kube-client.ts';
import type { KubeObject } from '../../../operator/kubernetes/kube-object.ts';
import { effectsOf, type ObjectEvent, objectKey } from '../../../operator/kubernetes/object-events.ts';
import { eventually } from '../../harness/api.ts';
import { FaultProxy } from '../../harness/fault-proxy.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { kubeClientOf, kubeConfigOf } from '../../harness/kubernetes/kube-client.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { CONFIG_MAPS, clientAs, configMap, configMapRef } from './config-maps.ts';
import { status } from './fake-kube-api.ts';

const MANY = 1100;

await describeWithControlPlane('an informer on a real API server', () => {
  let plane: ControlPlane;
  let proxy: FaultProxy;
  let client: KubeClient;
  let namespace: string;
  let told: string[];
  let objects: Map<string, KubeObject>;
  let informer: Informer;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    client = kubeClientOf(plane);
    const authorization = `Bearer ${kubeConfigOf(plane).getCurrentUser()?.token}`;
    proxy = await FaultProxy.start({ upstream: plane.server, ca: plane.ca, authorization });
  });
  afterAll(async () => {
    await proxy?.stop();
    await plane?.stop();
  });
  beforeEach(async () => {
    namespace = (await newNamespace(plane)).name;
    follow({});
  });

  function apply(event: ObjectEvent): void {
    for (const { object, now } of effectsOf(event, objects)) {
      const key = objectKey(object.metadata);
      told.push(`${now === 'there' ? (objects.has(key) ? '~' : '+') : '-'}${object.metadata.name}`);
      if (now === 'there') objects.set(key, object);
      else objects.delete(key);
    }
  }

  function follow(times: Partial<InformerTimes>): void {
    told = [];
    objects = new Map();
    informer = new Informer({
      client: clientAs('by the proxy', { server: proxy.url }),
      resource: CONFIG_MAPS,
      namespace,
      times: { firstDelayMs: 50, greatestDelayMs: 1000, idleMs: 3000, ...times },
      listener: {
        heard: apply,
        problem: (message) => told.push(`!${message}`),
        recovered: () => told.push('ok'),
      },
    });
  }

  afterEach(async () => {
    proxy.before = () => undefined;
    proxy.unsilenceWatches();
    await informer.stop();
  });

  const start = () => informer.start(new AbortController().signal);
  const kubectl = () => new Kubectl(plane.kubeconfig, namespace);
  const set = (name: string, value: string) =>
    kubectl().apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
  const remove = (name: string) => kubectl().run('delete', 'configmap', name, '--wait=true');
  const valuesOf = (objects: Iterable<KubeObject>) =>
    Object.fromEntries(
      Array.from(objects, ({ metadata, data }) => [`${metadata.name} ${metadata.uid}`, data] as const),
    );

  /** What is heard amounts to what the API server has. */
  async function follows(): Promise<void> {
    await eventually(async () => {
      const { items } = await client.list(CONFIG_MAPS, { namespace });
      expect(valuesOf(objects.values())).toEqual(valuesOf(items));
    });
  }

  it('sees more than two pages of objects, and their changes', async () => {
    const names = Array.from({ length: MANY }, (_, n) => `n${n}`);
    const remaining = [...names];
    const work = async () => {
      for (let name = remaining.pop(); name !== undefined; name = remaining.pop())
        await client.create(CONFIG_MAPS, configMap(name, { value: '1' }), namespace);
    };
    await Promise.all(Array.from({ length: 8 }, work));
    await start();
    expect(objects.size).toBeGreaterThanOrEqual(MANY);
    told.length = 0;
    const written = await client.patch(configMapRef('n0', namespace), [
      { op: 'replace', path: '/data/value', value: 'own' },
    ]);
    apply({ type: 'written', object: written });
    await set('n1', '2');
    await remove('n2');
    await eventually(async () => expect(told).toEqual(expect.arrayContaining(['~n1', '-n2'])));
    expect(objects.get(`${namespace}/n0`)).toMatchObject({ data: { value: 'own' } });
  });

  it('follows watch after watch without a new list', async () => {
    follow({ watchSeconds: 2, idleMs: 30_000 });
    await start();
    await eventually(async () => expect(informer.counters.watches).toBeGreaterThan(3));
    await set('a', '1');
    await eventually(async () => expect(told).toContain('+a'));
    expect(informer.counters.lists).toBe(1);
    expect(told.filter((line) => line.startsWith('!'))).toEqual([]);
  });

  it('finds what happened while the API server was away, also when it has forgotten the history', async () => {
    for (const name of ['same', 'changed', 'gone', 'anew']) await set(name, '1');
    await start();
    await follows();
    await plane.stopApiServer();
    await eventually(async () => expect(told.some((line) => line.startsWith('!Cannot'))).toBe(true));
    await plane.startApiServer();
    await set('changed', '2');
    await eventually(async () => expect(told).toContain('ok'));
    await follows();

    proxy.before = ({ path }) => (path.endsWith('/configmaps') ? 'drop' : undefined);
    proxy.cutWatches();
    await set('changed', '3');
    for (const name of ['gone', 'anew']) await remove(name);
    await set('anew', '2');
    await plane.forgetHistory();
    told.length = 0;
    proxy.before = () => undefined;
    await follows();
    const changes = told.filter((line) => /^[-+~]/u.test(line)).toSorted();
    expect(changes).toEqual(['+anew', '-anew', '-gone', '~changed']);
  });

  it('misses nothing, whatever the network does', async () => {
    await start();
    let unsilence: NodeJS.Timeout | undefined;
    const faults: Record<string, () => Promise<void> | void> = {
      cut: () => proxy.cutWatches(),
      truncate: () => proxy.truncateWatches(),
      silence: () => {
        proxy.silenceWatches();
        unsilence = setTimeout(() => proxy.unsilenceWatches(), 4000);
      },
      busy: () => {
        let times = 2;
        proxy.before = ({ path }) => {
          if (!path.endsWith('/configmaps') || times-- <= 0) return undefined;
          return { status: 429, headers: { 'retry-after': '1' }, body: status(429, 'TooManyRequests', 'busy') };
        };
      },
      broken: () => {
        let times = 3;
        proxy.before = ({ path }) =>
          path.endsWith('/configmaps') && times-- > 0 ? { status: 500, body: 'out of order' } : undefined;
      },
      expired: () => {
        let times = 1;
        proxy.before = ({ query }) =>
          query.has('watch') && times-- > 0 ? { status: 410, body: status(410, 'Expired', 'too old') } : undefined;
        proxy.cutWatches();
      },
      away: async () => {
        await proxy.down();
        await sleep(300);
        await proxy.up();
      },
    };
    const random = fc.sample(fc.constantFrom(...Object.keys(faults)), 12);
    let value = 0;
    for (const name of random) {
      await faults[name]?.();
      for (const object of ['a', 'b', 'c']) {
        value += 1;
        const ref = configMapRef(object, namespace);
        const change = { op: 'replace', path: '/data/value', value: String(value) } as const;
        await client
          .patch(ref, [change])
          .catch(() => client.create(CONFIG_MAPS, configMap(object, { value: '0' }), namespace));
      }
      if (value % 2 === 0) await remove('b');
    }
    clearTimeout(unsilence);
    proxy.unsilenceWatches();
    await follows();
    expect(informer.counters.failures).toBeGreaterThan(0);
  });

  it('tells what is not granted, and goes on when it is', async () => {
    const { token, name } = plane.users.operator;
    informer = new Informer({
      client: clientAs(token, plane),
      resource: CONFIG_MAPS,
      namespace,
      times: { firstDelayMs: 50, greatestDelayMs: 200 },
      listener: {
        heard: apply,
        problem: (message) => told.push(`!${message}`),
        recovered: () => told.push('ok'),
      },
    });
    await set('a', '1');
    const started = start();
    const where = `Cannot list configmaps in namespace ${namespace}`;
    await eventually(async () => expect(told[0]).toMatch(`!${where}`));
    expect(told[0]).toMatch(/forbidden: User "operator" cannot list .*; grant the verbs get, list and watch on it$/u);
    await kubectl().run('create', 'role', 'reader', '--verb=get,list,watch', '--resource=configmaps');
    await kubectl().run('create', 'rolebinding', 'reader', '--role=reader', `--user=${name}`);
    await started;
    await eventually(async () => expect(told).toContain('ok'));
    expect(told).toContain('+a');
    expect(told.filter((line) => line.startsWith('!'))).toHaveLength(1);
  });
});
