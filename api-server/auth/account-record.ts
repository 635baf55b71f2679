import type { RegistryView } from '../catalog/registry/registry.ts';
import type { HashedPassword } from './passwords.ts';

/** Records of users; the id is the URN. They are changed by `Registry.change` only: each request reads one. */
export const ACCOUNTS = 'account';

export interface AccountRecord {
  readonly urn: string;
  readonly username: string;
  /** Random, of one life of the account: what was given out to an earlier user of the name is not good any more. */
  readonly incarnation: string;
  /** Random; changes whenever all sessions end. */
  readonly sessionEpoch: string;
  readonly state: 'ACTIVE' | 'SUSPENDED';
  readonly roles: readonly string[];
  /** URNs of those that administrators have put the user in. */
  readonly groups: readonly string[];
  /** URNs of those that the OpenID provider named at the last login. */
  readonly providedGroups: readonly string[];
  /** Has logged in by OpenID Connect. */
  readonly isProvided: boolean;
  readonly password?: HashedPassword;
  readonly displayName?: string;
  readonly email?: string;
  /** In ms since 1970. */
  readonly created: number;
}

/** An account as requests see it. */
export function accountOf(registry: RegistryView, urn: string): Promise<AccountRecord | undefined> {
  return registry.record<AccountRecord>(ACCOUNTS, urn);
}

export function groupsOf({ groups, providedGroups }: AccountRecord): string[] {
  return [...new Set([...groups, ...providedGroups])];
}
