import type { RegistryView } from '../catalog/registry/registry.ts';
import type { AuditLog } from './audit.ts';
import type { Credentials, Identity } from './authenticator.ts';
import type { LastUses } from './last-uses.ts';
import type { Passwords } from './passwords.ts';
import type { Policies } from './policies.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What the server works with to know who asks. */
export interface AuthParts {
  /** False: whoever reaches the server may do everything. */
  readonly enabled: boolean;
  /**
   * Who asks, and the registry view by which that was found, for what follows.
   * @throws CatalogError `unauthorized` without valid credentials.
   */
  identify(credentials: Credentials): Promise<Identified>;
  /** Absent when access control is off: no tokens are made then. */
  readonly keys?: SigningKeys;
  /** How long a session lives, in ms. */
  readonly sessionDuration: number;
  readonly passwords: Passwords;
  readonly uses: LastUses;
  readonly policies: Policies;
  readonly audit: AuditLog;
}

export interface Identified {
  readonly caller: Identity;
  readonly registry?: RegistryView;
}
