import type { Logger } from 'pino';
import type { Clock } from '../../process/clock.ts';
import { VERSION } from '../../process/version.ts';
import type { ApiServerConfig } from '../config.ts';
import type { Authenticator } from './authenticator.ts';

/** Whoever waits to be let in waits for the cluster; in ms. */
const LONGEST_REVIEW = 5_000;

/**
 * Lets in ServiceAccounts of the cluster that the process runs in, or that its kubeconfig names, where the configuration
 * says for which audience their tokens are. What speaks to Kubernetes is loaded only then.
 * @throws Error when no cluster is known.
 */
export async function serviceAccounts(
  { METADATA_SERVICE_AUTH_ENABLED: isEnabled, TOKEN_REVIEW_AUDIENCE: audience }: ApiServerConfig,
  clock: Clock,
  log: Logger,
): Promise<Authenticator[]> {
  if (!isEnabled || audience === undefined) return [];
  const [{ loadKubeConfig }, { createKubeClient }, { createServiceAccountAuthenticator }] = await Promise.all([
    import('../../kubernetes/load-kube-config.ts'),
    import('../../kubernetes/create-kube-client.ts'),
    import('./authenticators/service-account.ts'),
  ]);
  const userAgent = `proplane-api-server/${VERSION}`;
  const kube = createKubeClient({ kubeConfig: loadKubeConfig(), userAgent, timeoutMs: LONGEST_REVIEW, clock });
  const warn = (message: string) => log.warn(message);
  return [createServiceAccountAuthenticator({ kube, audience, warn, clock })];
}
