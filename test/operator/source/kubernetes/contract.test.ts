import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { RESOURCE_KINDS, type ResourceId } from '../../../../model/resource/identity.ts';
import { KUBE_RESOURCES } from '../../../../operator/source/kubernetes/kube-kinds.ts';
import { KubernetesSource } from '../../../../operator/source/kubernetes/kubernetes-source.ts';
import { SYSTEM_CLOCK } from '../../../../process/clock.ts';
import { describeResourceSource } from '../../../contract/resource-source.ts';
import { eventually } from '../../../harness/api.ts';
import { applyCrds } from '../../../harness/kubernetes/crds.ts';
import { describeWithCluster } from '../../../harness/kubernetes/describe-cluster.ts';
import { kubeClientOf } from '../../../harness/kubernetes/kube-client.ts';
import { Kubectl } from '../../../harness/kubernetes/kubectl.ts';

await describeWithCluster('Kubernetes', (cluster) => {
  const namespace = `test-${randomUUID().slice(0, 13)}`;
  const kubectl = new Kubectl(cluster.kubeconfig, namespace);

  beforeAll(async () => {
    await applyCrds(cluster);
    await kubectl.run('create', 'namespace', namespace);
  });

  afterAll(async () => {
    await kubectl.run('delete', 'namespace', namespace, '--wait=false');
  });

  describeResourceSource(
    'a cluster',
    async () => ({
      open: () =>
        new KubernetesSource({
          name: 'cluster',
          client: kubeClientOf(cluster),
          clock: SYSTEM_CLOCK,
          namespaces: [namespace],
        }),
      async apply(manifest) {
        await kubectl.apply(manifest);
      },
      async remove({ kind, name }: ResourceId) {
        await kubectl.run('delete', KUBE_RESOURCES[kind].plural, name, '--wait=false');
      },
      async storedStatus({ kind, name }) {
        return (await kubectl.json('get', KUBE_RESOURCES[kind].plural, name)).status;
      },
      close: removeAll,
    }),
    namespace,
  );

  /** The next test finds nothing of this one. */
  async function removeAll(): Promise<void> {
    const plurals = RESOURCE_KINDS.map((kind) => KUBE_RESOURCES[kind].plural).join(',');
    await kubectl.run('delete', plurals, '--all', '--wait=false');
    await eventually(async () => {
      const { items } = await kubectl.json('get', plurals);
      for (const { kind, metadata } of items) {
        const patch = '--patch={"metadata":{"finalizers":null}}';
        await kubectl.run('patch', kind, metadata.name, '--type=merge', patch).catch(() => undefined);
      }
      if (items.length > 0) throw new Error('not gone yet');
    });
  }
});
