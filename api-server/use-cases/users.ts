import { type PrivilegeName, privilegesOf } from '../../model/access/privileges.ts';
import type { AccountChange, GroupChange, Me, NewAccount, NewGroup, PasswordChange } from '../../model/wire/access.ts';
import { audited } from '../access/audited.ts';
import { guarded } from '../access/guarded.ts';
import { demand, grantsOf } from '../access/permission.ts';
import { accountOf } from '../auth/account-record.ts';
import * as accounts from '../auth/accounts.ts';
import * as groups from '../auth/groups.ts';
import * as login from '../auth/login.ts';
import type { CatalogRequest } from '../catalog/request.ts';

/** Users and groups, each use case with what it needs. */

/** Those of type PLATFORM that the caller holds. */
export async function heldPrivileges(request: CatalogRequest): Promise<PrivilegeName[]> {
  const grants = await grantsOf(request);
  return privilegesOf('PLATFORM').filter((name) => grants.holds([name]));
}

/** Whoever asks may know who that is. */
export async function me(request: CatalogRequest): Promise<Me> {
  const { actor, by, roles, groups: memberOf } = request.caller;
  const account = await accountOf(await request.registry(), actor);
  return {
    actor,
    displayName: account?.displayName ?? actor.slice('urn:li:corpuser:'.length),
    by,
    roles: [...roles],
    groups: [...memberOf],
    privileges: await heldPrivileges(request),
    authEnabled: request.parts.auth.enabled,
  };
}

interface Page {
  readonly count: number;
  readonly after?: string | undefined;
}

export const listUsers = guarded(
  ['MANAGE_USERS_AND_GROUPS'],
  ({ parts }, page: Page & { readonly query?: string | undefined }) => accounts.listAccounts(parts, page),
);

export const createUser = audited(
  'createUser',
  guarded(['MANAGE_USERS_AND_GROUPS'], ({ parts }, wanted: NewAccount) => accounts.createAccount(parts, wanted)),
  ({ urn }) => urn,
);

export const changeUser = audited(
  'changeUser',
  guarded(['MANAGE_USERS_AND_GROUPS'], ({ parts }, urn: string, wanted: AccountChange) =>
    accounts.changeAccount(parts, urn, wanted),
  ),
  (_user, urn) => urn,
);

export const deleteUser = audited(
  'deleteUser',
  guarded(['MANAGE_USERS_AND_GROUPS'], ({ parts }, urn: string) => accounts.deleteAccount(parts, urn)),
  (_nothing, urn) => urn,
);

/** One's own, with the old one; that of others by who manages users. */
export const setPassword = audited(
  'setPassword',
  async (request, urn: string, wanted: PasswordChange) => {
    const { parts, address, actor } = request;
    const isOwn = urn === actor && parts.auth.enabled;
    if (!isOwn) await demand(request, ['MANAGE_USERS_AND_GROUPS']);
    await login.setPassword(parts, urn, wanted, { isOwn, address });
  },
  (_nothing, urn) => urn,
);

export const listGroups = guarded(['MANAGE_USERS_AND_GROUPS'], ({ parts }, page: Page) =>
  groups.listGroups(parts, page),
);

export const createGroup = audited(
  'createGroup',
  guarded(['MANAGE_USERS_AND_GROUPS'], ({ parts }, wanted: NewGroup) => groups.createGroup(parts, wanted)),
  ({ urn }) => urn,
);

export const changeGroup = audited(
  'changeGroup',
  guarded(['MANAGE_USERS_AND_GROUPS'], ({ parts }, urn: string, wanted: GroupChange) =>
    groups.changeGroup(parts, urn, wanted),
  ),
  (_group, urn) => urn,
);

export const deleteGroup = audited(
  'deleteGroup',
  guarded(['MANAGE_USERS_AND_GROUPS'], ({ parts }, urn: string) => groups.deleteGroup(parts, urn)),
  (_nothing, urn) => urn,
);
