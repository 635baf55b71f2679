import { groupUrnOf, groupUrnSchema, isReservedName, userUrnOf, userUrnSchema } from '../../model/access/actor-urn.ts';
import { MAX_PROVIDED_GROUPS } from '../../model/limits.ts';
import { sameJson } from '../../model/same-json.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type AccountRecord, accountOf } from './account-record.ts';
import { changeAccountRecord, newAccount } from './accounts.ts';
import { ensureGroups } from './groups.ts';
import type { LoginDenial } from './sessions.ts';

/** What an OpenID provider says of a user. */
export interface ProvidedUser {
  readonly username: string;
  readonly displayName?: string | undefined;
  readonly email?: string | undefined;
  /** Names of the groups that the user is in; absent: the provider does not say, and they stay as they are. */
  readonly groups?: readonly string[] | undefined;
}

/**
 * The account of a user whom an OpenID provider has sent; at the first login it is made, at later ones it follows what the
 * provider says. An account with a password is another matter: who may choose his name at the provider must not become
 * its owner.
 * @returns the URN, or why there is no account for the user.
 */
export async function ensureProvidedAccount(
  parts: CatalogParts,
  { username, displayName, email, groups }: ProvidedUser,
): Promise<{ readonly urn: string } | { readonly denied: LoginDenial }> {
  const urn = userUrnOf(username);
  if (isReservedName(username) || !userUrnSchema.safeParse(urn).success) return { denied: 'UNKNOWN' };
  const named = groups
    ?.filter((name) => !isReservedName(name) && groupUrnSchema.safeParse(groupUrnOf(name)).success)
    .slice(0, MAX_PROVIDED_GROUPS);
  const standing = await accountOf(await parts.registry.view(), urn);
  if (isNative(standing)) return { denied: 'NATIVE_ACCOUNT' };
  if (named !== undefined) await ensureGroups(parts, named);
  const next = (account: AccountRecord): AccountRecord => ({
    ...account,
    isProvided: true,
    ...(displayName ? { displayName } : {}),
    ...(email ? { email } : {}),
    ...(named === undefined ? {} : { providedGroups: [...new Set(named.map(groupUrnOf))] }),
  });
  // Most logins say what is known, and nobody has to forget what he knows.
  if (standing !== undefined && sameJson(next(standing), standing)) return { urn };
  const kept = await changeAccountRecord(parts, urn, (account) =>
    isNative(account) ? account : next(account ?? newAccount(parts, username, {})),
  );
  return isNative(kept) ? { denied: 'NATIVE_ACCOUNT' } : { urn };
}

function isNative(account: AccountRecord | undefined): account is AccountRecord {
  return account?.password !== undefined && !account.isProvided;
}
