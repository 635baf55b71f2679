import type { Logger } from 'pino';
import type { Clock } from '../../../process/clock.ts';
import { VERSION } from '../../../process/version.ts';
import type { Authenticator } from '../authenticator.ts';

/** Whoever waits for a login waits for the cluster. */
const LONGEST_REVIEW = 5_000;

/**
 * Accepts tokens of the ServiceAccounts of the cluster that the kubeconfig names, or in which we run.
 * @param audience that tokens have to be for.
 * @throws Error that says what to do when no cluster is known.
 */
export async function openServiceAccounts(audience: string, log: Logger, clock: Clock): Promise<Authenticator> {
  // Where there is no Kubernetes, nobody waits for its library to be loaded.
  const [{ loadKubeConfig }, { createKubeClient }, { createServiceAccountAuthenticator }] = await Promise.all([
    import('../../../kubernetes/load-kube-config.ts'),
    import('../../../kubernetes/create-kube-client.ts'),
    import('./service-account.ts'),
  ]);
  const kube = createKubeClient({
    kubeConfig: loadKubeConfig(),
    userAgent: `proplane/${VERSION}`,
    timeoutMs: LONGEST_REVIEW,
    clock,
  });
  return createServiceAccountAuthenticator({ kube, audience, warn: (message) => log.warn(message), clock });
}
