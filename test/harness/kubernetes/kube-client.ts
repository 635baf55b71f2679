import { KubeConfig } from '@kubernetes/client-node';
import { createKubeClient } from '../../../kubernetes/create-kube-client.ts';
import type { KubeClient } from '../../../kubernetes/kube-client.ts';
import { SYSTEM_CLOCK } from '../../../process/clock.ts';
import type { Cluster } from './cluster.ts';

/** What the file of a cluster says: where it is, and who may do everything. */
export function kubeConfigOf({ kubeconfig }: Pick<Cluster, 'kubeconfig'>): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfig);
  return kubeConfig;
}

/** The operator's client, as one who may do everything. */
export function kubeClientOf(cluster: Pick<Cluster, 'kubeconfig'>): KubeClient {
  return createKubeClient({ kubeConfig: kubeConfigOf(cluster), userAgent: 'proplane-test', clock: SYSTEM_CLOCK });
}
