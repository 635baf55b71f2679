import { describe } from '@jest/globals';
import { type NewDeployment, onEachDeployment } from '../deployments.ts';
import { type Cluster, sharedCluster } from './cluster.ts';
import { describeWithCluster } from './describe-cluster.ts';

/** A block of tests on the shared cluster for each pair of backends; skipped with the reason where there is none. */
export async function describeWithClusterOnEachDeployment(
  title: string,
  body: (cluster: Cluster, newDeployment: NewDeployment, kind: { readonly embedded: boolean }) => void,
): Promise<void> {
  const cluster = await sharedCluster();
  if ('missing' in cluster) await describeWithCluster(title, () => {});
  else await onEachDeployment((newDeployment, kind) => describe(title, () => body(cluster, newDeployment, kind)));
}
