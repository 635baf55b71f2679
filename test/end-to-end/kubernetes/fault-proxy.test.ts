import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CoreV1Api, Watch } from '@kubernetes/client-node';
import { eventually } from '../../harness/api.ts';
import { FaultProxy } from '../../harness/fault-proxy.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { kubeConfigOf } from '../../harness/kubernetes/kube-client.ts';
import { writeKubeconfig } from '../../harness/kubernetes/kubeconfig.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

await describeWithCluster('a cluster behind the fault proxy', (cluster) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  let proxy: FaultProxy;
  let kubeconfig: string;
  let direct: Kubectl;

  beforeAll(async () => {
    folder = await temporaryFolder();
    namespace = await newNamespace(cluster);
    direct = new Kubectl(cluster.kubeconfig, namespace.name);
    const { name, token } = cluster.users.reader;
    await direct.run('create', 'role', 'reader', '--verb=get,list,watch', '--resource=configmaps');
    await direct.run('create', 'rolebinding', 'reader', '--role=reader', `--user=${name}`);
    proxy = await FaultProxy.start({ upstream: cluster.server, ca: cluster.ca, authorization: `Bearer ${token}` });
    kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), { server: proxy.url });
  });

  afterAll(async () => {
    await proxy?.stop();
    await namespace?.remove();
    await folder?.remove();
  });

  const create = (name: string) => direct.run('create', 'configmap', name);

  it('answers kubectl as the user that the proxy is given', async () => {
    await create('seen');
    const kubectl = new Kubectl(kubeconfig, namespace.name);
    await eventually(async () => expect(await kubectl.run('get', 'configmap', 'seen', '-o', 'name')).toContain('seen'));
    await expect(kubectl.run('create', 'configmap', 'refused')).rejects.toThrow('forbidden');
    expect(proxy.requests.at(-1)).toMatchObject({ method: 'POST', status: 403 });
  });

  it('answers the client library, and so does the proxy itself', async () => {
    const config = kubeConfigOf({ kubeconfig });
    const core = config.makeApiClient(CoreV1Api);
    const list = () => core.listNamespacedConfigMap({ namespace: namespace.name });
    await eventually(list);
    proxy.before = () => ({ status: 429, headers: { 'retry-after': '1' }, body: { kind: 'Status', code: 429 } });
    await expect(list()).rejects.toMatchObject({ code: 429 });
    proxy.before = () => undefined;
  });

  it('tells watches of the client library, until they are cut', async () => {
    const config = kubeConfigOf({ kubeconfig });
    const heard: string[] = [];
    const ended = Promise.withResolvers<unknown>();
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    await new Watch(config).watch(path, {}, (_, object) => heard.push(object.metadata.name), ended.resolve);
    await create('told');
    await eventually(async () => expect(heard).toContain('told'));
    proxy.cutWatches();
    expect(await ended.promise).toMatchObject({ message: 'terminated' });
  });
});
