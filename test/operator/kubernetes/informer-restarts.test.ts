import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SYSTEM_CLOCK } from '../../../process/clock.ts';
import { eventually } from '../../harness/api.ts';
import { FaultProxy } from '../../harness/fault-proxy.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { kubeClientOf, kubeConfigOf } from '../../harness/kubernetes/kube-client.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { CONFIG_MAPS, clientAs } from './config-maps.ts';
import { FollowedObjects, valuesOf } from './followed-objects.ts';

await describeWithControlPlane('an informer on an API server that is restarted', () => {
  let plane: ControlPlane;
  let proxy: FaultProxy;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    const authorization = `Bearer ${kubeConfigOf(plane).getCurrentUser()?.token}`;
    proxy = await FaultProxy.start({ upstream: plane.server, ca: plane.ca, authorization });
  });
  afterAll(async () => {
    await proxy?.stop();
    await plane?.stop();
  });

  it('finds what happened while it was away, also when it has forgotten the history', async () => {
    const client = kubeClientOf(plane);
    const namespace = await newNamespace(plane);
    const kubectl = new Kubectl(plane.kubeconfig, namespace.name);
    const set = (name: string, value: string) =>
      kubectl.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
    const remove = (name: string) => kubectl.run('delete', 'configmap', name, '--wait=true');
    const followed = new FollowedObjects({
      client: clientAs('by the proxy', { server: proxy.url }),
      resource: CONFIG_MAPS,
      namespace: namespace.name,
      times: { firstDelayMs: 50, greatestDelayMs: 1000 },
      clock: SYSTEM_CLOCK,
    });
    const { told, wrong, informer } = followed;
    const follows = () =>
      eventually(async () => {
        const { items } = await client.list(CONFIG_MAPS, { namespace: namespace.name });
        expect(followed.view).toEqual(valuesOf(items));
      });
    for (const name of ['same', 'changed', 'gone', 'anew']) await set(name, '1');
    await followed.start();
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
    expect(wrong).toEqual([]);
    await informer.stop();
  }, 120_000);
});
