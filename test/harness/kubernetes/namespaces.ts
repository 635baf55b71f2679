import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import { Kubectl } from './kubectl.ts';

/** A new namespace for a test file, and how to remove it with all that is in it; nobody waits for its end. */
export async function newNamespace(cluster: Cluster): Promise<{ readonly name: string; remove(): Promise<void> }> {
  const name = `test-${randomUUID().slice(0, 13)}`;
  const kubectl = new Kubectl(cluster.kubeconfig);
  await kubectl.run('create', 'namespace', name);
  return {
    name,
    remove: async () => {
      await kubectl.run('delete', 'namespace', name, '--wait=false', '--ignore-not-found');
    },
  };
}
