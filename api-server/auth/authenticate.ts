import type { RegistryView } from '../catalog/registry/registry.ts';
import { AuthenticationError, type Authenticator, type Credentials, type Identity } from './authenticator.ts';

/** Who asks, as the first says that knows the credentials. @throws AuthenticationError when they are not valid, or nobody knows them. */
export async function authenticate(
  authenticators: readonly Authenticator[],
  credentials: Credentials,
  registry: RegistryView,
): Promise<Identity> {
  for (const authenticator of authenticators) {
    const identity = await authenticator.authenticate(credentials, registry);
    if (identity !== undefined) return identity;
  }
  throw new AuthenticationError(credentials.authorization === undefined ? 'none' : 'of no known kind');
}
