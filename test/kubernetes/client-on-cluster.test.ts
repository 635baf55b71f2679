import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createKubeClient } from '../../kubernetes/create-kube-client.ts';
import type { KubeClient } from '../../kubernetes/kube-client.ts';
import { EventRecorder } from '../../operator/kubernetes/event-recorder.ts';
import { SYSTEM_CLOCK } from '../../process/clock.ts';
import { eventually } from '../harness/api.ts';
import { describeWithCluster } from '../harness/kubernetes/describe-cluster.ts';
import { kubeClientOf, kubeConfigOf } from '../harness/kubernetes/kube-client.ts';
import { Kubectl } from '../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../harness/kubernetes/namespaces.ts';
import { CONFIG_MAPS, clientAs, configMap, configMapRef } from '../operator/kubernetes/config-maps.ts';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces' };

await describeWithCluster('the client on a real API server', (cluster) => {
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  let other: Awaited<ReturnType<typeof newNamespace>>;
  let client: KubeClient;
  const ref = (name: string) => configMapRef(name, namespace.name);
  const create = (name: string, data = {}) => client.create(CONFIG_MAPS, configMap(name, data), namespace.name);

  beforeAll(async () => {
    client = kubeClientOf(cluster);
    namespace = await newNamespace(cluster);
    other = await newNamespace(cluster);
  });
  afterAll(() => Promise.all([namespace.remove(), other.remove()]));

  it('reads what belongs to no namespace', async () => {
    const { metadata } = await client.read({ resource: NAMESPACES, name: 'kube-system' });
    expect(metadata).toMatchObject({ name: 'kube-system', uid: expect.stringMatching(/^[0-9a-f-]{36}$/u) });
  });

  it('creates, replaces and patches under conditions', async () => {
    const first = await create('a', { n: '1' });
    await expect(create('a')).rejects.toMatchObject({ code: 'conflict', status: 409 });
    const second = await client.replace(ref('a'), { ...first, data: { n: '2' } });
    await expect(client.replace(ref('a'), { ...first, data: { n: '3' } })).rejects.toMatchObject({ code: 'conflict' });
    const test = (value: string) => ({ op: 'test', path: '/data/n', value }) as const;
    const change = { op: 'replace', path: '/data/n', value: '4' } as const;
    await expect(client.patch(ref('a'), [test('9'), change])).rejects.toMatchObject({ code: 'invalid' });
    expect(await client.patch(ref('a'), [test('2'), change])).toMatchObject({ data: { n: '4' } });
    const version = { op: 'test', path: '/metadata/resourceVersion', value: second.metadata.resourceVersion } as const;
    await expect(client.patch(ref('a'), [version, change])).rejects.toMatchObject({ code: 'invalid' });
    await expect(client.read(ref('none'))).rejects.toMatchObject({ code: 'missing' });
    await expect(create('Not A Name')).rejects.toMatchObject({ code: 'invalid', status: 422 });
  });

  it('lists in pages', async () => {
    for (const name of ['p1', 'p2', 'p3']) await create(name);
    const query = { namespace: namespace.name, limit: 2 };
    const names: string[] = [];
    let page = await client.list(CONFIG_MAPS, query);
    for (;;) {
      expect(page.items.length).toBeLessThanOrEqual(2);
      names.push(...page.items.map(({ metadata }) => metadata.name));
      if (page.continue === undefined) break;
      page = await client.list(CONFIG_MAPS, { ...query, continue: page.continue });
    }
    expect(names).toEqual(expect.arrayContaining(['p1', 'p2', 'p3']));
  });

  it('tells an unknown token, a missing right and a missing kind apart', async () => {
    await expect(clientAs('nonsense', cluster).read(ref('a'))).rejects.toMatchObject({ code: 'unauthorized' });
    const powerless = clientAs(cluster.users.reader.token, cluster);
    await expect(powerless.read(ref('a'))).rejects.toMatchObject({ code: 'forbidden' });
    const unknown = { group: 'no.such.example', version: 'v1', plural: 'things' };
    await expect(client.list(unknown, {})).rejects.toMatchObject({ code: 'missing' });
  });

  it('does not trust a certificate that it cannot check', async () => {
    const { ca: _, ...unknown } = cluster;
    const kubeConfig = kubeConfigOf(cluster);
    kubeConfig.clusters = kubeConfig.clusters.map(({ caData: _, ...rest }) => ({ ...rest, server: unknown.server }));
    const distrustful = createKubeClient({ kubeConfig, userAgent: 'proplane-test', clock: SYSTEM_CLOCK });
    await expect(distrustful.read(ref('a'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('watches from a version, and is brought bookmarks', async () => {
    const { resourceVersion } = await client.list(CONFIG_MAPS, { namespace: namespace.name });
    await create('w');
    const events: string[] = [];
    let changes = 0;
    // The server sends one two seconds before it ends the watch, if anything of the kind has changed since it began.
    const opened = () => {
      changes += 1;
      void client.create(CONFIG_MAPS, configMap(`other-${changes}`, {}), other.name);
    };
    const query = { resourceVersion, timeoutSeconds: 4, idleMs: 60_000, opened };
    for (let time = 0; time < 10 && events.at(-1) !== 'BOOKMARK'; time++)
      for await (const { type, object } of client.watch(
        CONFIG_MAPS,
        namespace.name,
        query,
        new AbortController().signal,
      ))
        events.push(type === 'BOOKMARK' ? type : `${type} ${object.metadata.name}`);
    expect(events[0]).toBe('ADDED w');
    expect(events.at(-1)).toBe('BOOKMARK');
  });

  it('records events that kubectl describe shows, with their count', async () => {
    const { metadata } = await create('eventful');
    const regarding = { apiVersion: 'v1', kind: 'ConfigMap', namespace: namespace.name, name: metadata.name };
    const recorder = new EventRecorder({
      client,
      reportingController: 'catalog.proplane.dev/operator',
      reportingInstance: 'operator-0',
      clock: SYSTEM_CLOCK,
    });
    const event = {
      regarding: { ...regarding, uid: metadata.uid },
      type: 'Warning',
      reason: 'TypeChanged',
      action: 'Define',
      note: 'Größe: the type may not change',
    } as const;
    for (let n = 0; n < 3; n++) recorder.record(event);
    recorder.record({ ...event, type: 'Normal', reason: 'Defined', note: 'x'.repeat(2000) });
    await recorder.stop();
    // A ConfigMap is described without its events; `kubectl events` is what describe calls.
    const kubectl = new Kubectl(cluster.kubeconfig, namespace.name);
    await eventually(async () => {
      const shown = await kubectl.run('events', '--for=configmap/eventful');
      expect(shown).toMatch(
        /\(x3 over .*\) +Warning +TypeChanged +ConfigMap\/eventful +Größe: the type may not change/u,
      );
      expect(shown).toMatch(/Normal +Defined +ConfigMap\/eventful +x{1021}…/u);
    });
    const described = await kubectl.run('describe', 'configmap', 'eventful');
    expect(described).toMatch(/Warning +TypeChanged .*Größe/u);
  });
});
