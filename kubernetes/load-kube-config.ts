import { KubeConfig } from '@kubernetes/client-node';

/**
 * Where the Kubernetes API is and who asks: from the files in `KUBECONFIG`, else `~/.kube/config`, else what a cluster
 * gives its pods.
 * @throws Error that says what to do when there is none, or when it cannot be used.
 */
export function loadKubeConfig(): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    const files = process.env.KUBECONFIG || '~/.kube/config';
    throw new Error(`Cannot read the kubeconfig ${files}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null)
    throw new Error('The kubeconfig has no current context with a cluster; set one: kubectl config use-context NAME');
  // The library's guess when it finds nothing.
  if (cluster.name === 'cluster' && cluster.server === 'http://localhost:8080')
    throw new Error('No Kubernetes API is known: set KUBECONFIG, write ~/.kube/config, or run in a pod of the cluster');
  return config;
}
