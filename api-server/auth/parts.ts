import type { RegistryView } from '../catalog/registry/registry.ts';
import type { Credentials, Identity } from './authenticator.ts';

/** What the server works with to know who asks. */
export interface AuthParts {
  /** False: whoever reaches the server may do everything. */
  readonly enabled: boolean;
  /**
   * Who asks, and the registry view by which that was found, for what follows.
   * @throws CatalogError `unauthorized` without valid credentials.
   */
  identify(credentials: Credentials): Promise<Identified>;
}

export interface Identified {
  readonly caller: Identity;
  readonly registry?: RegistryView;
}
