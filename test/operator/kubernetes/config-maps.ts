import { createKubeClient, type KubeClientOptions } from '../../../kubernetes/create-kube-client.ts';
import type { KubeClient, KubeReviews } from '../../../kubernetes/kube-client.ts';
import type { KubeRef, KubeResource } from '../../../kubernetes/kube-object.ts';
import { SYSTEM_CLOCK } from '../../../process/clock.ts';
import { kubeConfigOf } from '../../kubernetes/fake-kube-api.ts';

/** What every real API server has, and whoever likes may fill. */
export const CONFIG_MAPS: KubeResource = { group: '', version: 'v1', plural: 'configmaps' };

export function configMap(name: string, data: Record<string, string>): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

export function configMapRef(name: string, namespace: string): KubeRef {
  return { resource: CONFIG_MAPS, namespace, name };
}

/** A client of a real API server, as the user with that token. */
export function clientAs(
  token: string,
  { server, ca }: { readonly server: string; readonly ca?: string | undefined },
  options: Partial<KubeClientOptions> = {},
): KubeClient & KubeReviews {
  const kubeConfig = kubeConfigOf(server, { token });
  kubeConfig.clusters = kubeConfig.clusters.map((cluster) =>
    ca === undefined ? cluster : { ...cluster, skipTLSVerify: false, caData: Buffer.from(ca).toString('base64') },
  );
  return createKubeClient({ kubeConfig, userAgent: 'proplane-test', clock: SYSTEM_CLOCK, ...options });
}
