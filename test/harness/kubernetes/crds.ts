import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { Kubectl } from './kubectl.ts';

const CRDS = join(import.meta.dirname, '../../../crds');

/** Applies what is in crds/ and waits until its kinds can be used. Test files may do so at the same time. */
export async function applyCrds(cluster: Cluster): Promise<void> {
  const kubectl = new Kubectl(cluster.kubeconfig);
  const apply = ['apply', '--server-side', '--force-conflicts', `--filename=${CRDS}`, '--output=name'];
  const names = (await kubectl.run(...apply)).split('\n');
  const kinds = names.filter((name) => name.startsWith('customresourcedefinition'));
  await kubectl.run('wait', '--for=condition=Established', '--timeout=60s', ...kinds);
}
