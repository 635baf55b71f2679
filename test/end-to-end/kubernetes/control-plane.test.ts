import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CoreV1Api } from '@kubernetes/client-node';
import { eventually } from '../../harness/api.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { applyCrds } from '../../harness/kubernetes/crds.ts';
import { describeWithCluster, describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { kubeConfigOf } from '../../harness/kubernetes/kube-client.ts';
import { writeKubeconfig } from '../../harness/kubernetes/kubeconfig.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

/** What the other tests on Kubernetes take for granted of the control plane that they run on. */

const configMap = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

await describeWithCluster(
  'the cluster of the tests',
  (cluster) => {
    let namespace: Awaited<ReturnType<typeof newNamespace>>;
    let kubectl: Kubectl;

    beforeAll(async () => {
      namespace = await newNamespace(cluster);
      kubectl = new Kubectl(cluster.kubeconfig, namespace.name);
    });

    afterAll(() => namespace?.remove());

    it('says its version', async () => {
      const { serverVersion } = await kubectl.json('version');
      expect(serverVersion.gitVersion).toMatch(/^v1\.\d+\.\d+/u);
      expect(Number.parseInt(serverVersion.minor, 10)).toBeGreaterThanOrEqual(30);
    });

    it('is trusted by the client library', async () => {
      const config = kubeConfigOf(cluster);
      const { metadata } = await config.makeApiClient(CoreV1Api).readNamespace({ name: namespace.name });
      expect(metadata?.name).toBe(namespace.name);
    });

    it('gives a namespace its default account', () =>
      eventually(() => kubectl.run('get', 'serviceaccount', 'default')));

    it('ends a deleted namespace and what is in it', async () => {
      const { name } = await newNamespace(cluster);
      const inside = new Kubectl(cluster.kubeconfig, name);
      await inside.apply(configMap('inside'));
      await inside.run('delete', 'namespace', name, '--timeout=100s');
      await expect(inside.run('get', 'configmap', 'inside')).rejects.toThrow('not found');
    });

    it('deletes an owner in the foreground after all that belongs to it', async () => {
      await kubectl.apply(configMap('owner'));
      const { uid } = (await kubectl.json('get', 'configmap', 'owner')).metadata;
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true };
      const owned = { ownerReferences: [reference], finalizers: ['example.com/held'] };
      await kubectl.apply(configMap('owned', owned));
      await kubectl.run('delete', 'configmap', 'owner', '--cascade=foreground', '--wait=false');
      await eventually(async () => {
        const { metadata } = await kubectl.json('get', 'configmap', 'owned');
        expect(metadata.deletionTimestamp).toBeDefined();
      });
      const { metadata } = await kubectl.json('get', 'configmap', 'owner');
      expect(metadata.finalizers).toEqual(['foregroundDeletion']);
      await kubectl.run('patch', 'configmap', 'owned', '--type=merge', '--patch={"metadata":{"finalizers":null}}');
      await kubectl.run('wait', '--for=delete', 'configmap/owner', '--timeout=100s');
    });

    it('lets a user do what was granted and nothing else', async () => {
      const { path, remove } = await temporaryFolder();
      const { name, token } = cluster.users.operator;
      const access = { server: cluster.server, ca: cluster.ca, token };
      const user = new Kubectl(await writeKubeconfig(`${path}/kubeconfig`, access), namespace.name);
      await expect(user.run('get', 'configmaps')).rejects.toThrow('Forbidden');
      await kubectl.run('create', 'role', 'looks', '--verb=get,list', '--resource=configmaps');
      await kubectl.run('create', 'rolebinding', 'looks', '--role=looks', `--user=${name}`);
      await eventually(() => user.run('get', 'configmaps'));
      await expect(user.run('get', 'secrets')).rejects.toThrow('Forbidden');
      await remove();
    });

    it('takes the resource definitions from several test files at once', () =>
      Promise.all([applyCrds(cluster), applyCrds(cluster)]));
  },
  { controllers: true },
);

await describeWithControlPlane('a control plane of one test file', () => {
  let plane: ControlPlane;
  let kubectl: Kubectl;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    kubectl = new Kubectl(plane.kubeconfig, 'default');
  }, 180_000);

  afterAll(() => plane?.stop());

  async function resourceVersion(name: string): Promise<string> {
    return (await kubectl.json('get', 'configmap', name)).metadata.resourceVersion;
  }

  it('answers nobody while its API server is away, and keeps its data and its address', async () => {
    await kubectl.apply(configMap('kept'));
    const version = await resourceVersion('kept');
    await plane.stopApiServer();
    await expect(kubectl.run('get', 'configmap', 'kept')).rejects.toThrow('refused');
    await plane.startApiServer();
    expect(await resourceVersion('kept')).toBe(version);
  });

  it('answers 410 to watches and to pages from before its history was forgotten', async () => {
    await kubectl.apply(configMap('first'), configMap('second'));
    const path = '/api/v1/namespaces/default/configmaps';
    const { metadata } = JSON.parse(await kubectl.run('get', '--raw', `${path}?limit=1`));
    await kubectl.run('annotate', 'configmap', 'first', 'changed=yes');
    await plane.forgetHistory();
    const watch = `${path}?watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=1`;
    const events = await kubectl.run('get', '--raw', watch);
    expect(JSON.parse(events)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    const page = kubectl.run('get', '--raw', `${path}?limit=1&continue=${metadata.continue}`);
    await expect(page).rejects.toThrow('too old');
  });
});
