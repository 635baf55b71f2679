import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import { eventually } from '../../harness/api.ts';
import { FaultProxy } from '../../harness/fault-proxy.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { kubeClientOf, kubeConfigOf } from '../../harness/kubernetes/kube-client.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { status } from '../../kubernetes/fake-kube-api.ts';
import { CONFIG_MAPS, clientAs, configMap, configMapRef } from './config-maps.ts';
import { FollowedObjects, valuesOf } from './followed-objects.ts';

const MANY = 1001;
const IDLE_MS = 90_000;

await describeWithCluster('an informer on a real API server', (cluster) => {
  let proxy: FaultProxy;
  let client: KubeClient;
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  /** Goes on by itself, too. */
  let clock: TestClock;
  let followed: FollowedObjects;

  beforeAll(async () => {
    client = kubeClientOf(cluster);
    const authorization = `Bearer ${kubeConfigOf(cluster).getCurrentUser()?.token}`;
    proxy = await FaultProxy.start({ upstream: cluster.server, ca: cluster.ca, authorization });
  });
  afterAll(() => proxy?.stop());
  beforeEach(async () => {
    clock = new TestClock(1);
    namespace = await newNamespace(cluster);
    followed = follow();
  });
  afterEach(async () => {
    proxy.before = () => undefined;
    proxy.unsilenceWatches();
    await followed.informer.stop();
    await namespace.remove();
    expect(followed.wrong).toEqual([]);
  });

  const follow = (watchSeconds = 290, by = clientAs('by the proxy', { server: proxy.url }, { clock })) =>
    new FollowedObjects({
      client: by,
      resource: CONFIG_MAPS,
      namespace: namespace.name,
      times: { watchSeconds, firstDelayMs: 50, greatestDelayMs: 1000, idleMs: IDLE_MS },
      clock,
    });
  const kubectl = () => new Kubectl(cluster.kubeconfig, namespace.name);
  const set = (name: string, value: string) =>
    kubectl().apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
  const remove = (name: string) => kubectl().run('delete', 'configmap', name, '--wait=true');
  const problems = () => followed.told.filter((line) => line.startsWith('!'));

  /** What is heard amounts to what the API server has. */
  const follows = () =>
    eventually(async () => {
      const { items } = await client.list(CONFIG_MAPS, { namespace: namespace.name });
      expect(followed.view).toEqual(valuesOf(items));
    });

  it('sees more than two pages of objects, and their changes', async () => {
    const names = Array.from({ length: MANY }, (_, n) => `n${n}`);
    const remaining = [...names];
    const work = async () => {
      for (let name = remaining.pop(); name !== undefined; name = remaining.pop())
        await client.create(CONFIG_MAPS, configMap(name, { value: '1' }), namespace.name);
    };
    await Promise.all(Array.from({ length: 8 }, work));
    await followed.start();
    expect(followed.objects.size).toBeGreaterThanOrEqual(MANY);
    followed.told.length = 0;
    followed.own(
      await client.patch(configMapRef('n0', namespace.name), [{ op: 'replace', path: '/data/value', value: 'own' }]),
    );
    await set('n1', '2');
    await remove('n2');
    await eventually(async () => expect(followed.told).toEqual(expect.arrayContaining(['~n1', '-n2'])));
    expect(followed.objects.get(`${namespace.name}/n0`)).toMatchObject({ data: { value: 'own' } });
  });

  it('follows watch after watch without a new list', async () => {
    followed = follow(1);
    await followed.start();
    await eventually(async () => expect(followed.informer.counters.watches).toBeGreaterThan(3));
    await set('a', '1');
    await eventually(async () => expect(followed.told).toContain('+a'));
    expect(followed.informer.counters.lists).toBe(1);
    expect(problems()).toEqual([]);
  });

  it('misses nothing, whatever the network does', async () => {
    await followed.start();
    let isSilent = false;
    const faults: Record<string, () => Promise<void> | void> = {
      cut: () => proxy.cutWatches(),
      truncate: () => proxy.truncateWatches(),
      silence: () => {
        isSilent = !isSilent;
        if (isSilent) proxy.silenceWatches();
        else proxy.unsilenceWatches();
      },
      idle: () => clock.advance(IDLE_MS),
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
        const { failures } = followed.informer.counters;
        await proxy.down();
        await eventually(async () => expect(followed.informer.counters.failures).toBeGreaterThan(failures));
        await proxy.up();
      },
    };
    const random = fc.sample(fc.constantFrom(...Object.keys(faults)), 12);
    let value = 0;
    for (const name of random) {
      await faults[name]?.();
      for (const object of ['a', 'b', 'c']) {
        value += 1;
        const ref = configMapRef(object, namespace.name);
        const change = { op: 'replace', path: '/data/value', value: String(value) } as const;
        await client
          .patch(ref, [change])
          .catch(() => client.create(CONFIG_MAPS, configMap(object, { value: '0' }), namespace.name));
      }
      if (value % 2 === 0) await remove('b');
    }
    // A watch that is silent by now is given up.
    await clock.advance(IDLE_MS);
    proxy.unsilenceWatches();
    await follows();
    expect(followed.informer.counters.failures).toBeGreaterThan(0);
  });

  it('tells what is not granted, and goes on when it is', async () => {
    const { token, name } = cluster.users.operator;
    followed = follow(290, clientAs(token, cluster, { clock }));
    await set('a', '1');
    const started = followed.start();
    const where = `Cannot list configmaps in namespace ${namespace.name}`;
    await eventually(async () => expect(followed.told[0]).toMatch(`!${where}`));
    expect(followed.told[0]).toMatch(
      /forbidden: User ".*" cannot list .*; grant the verbs get, list and watch on it$/u,
    );
    await kubectl().run('create', 'role', 'reader', '--verb=get,list,watch', '--resource=configmaps');
    await kubectl().run('create', 'rolebinding', 'reader', '--role=reader', `--user=${name}`);
    await started;
    await eventually(async () => expect(followed.told).toContain('ok'));
    expect(followed.told).toContain('+a');
    expect(problems()).toHaveLength(1);
  });
});
