import { randomUUID } from 'node:crypto';
import { userUrnOf } from '../../model/access/actor-urn.ts';
import { checkShape } from '../../model/shape.ts';
import type { Violation } from '../../model/violation.ts';
import { violation } from '../../model/violation.ts';
import {
  type Account,
  type AccountChange,
  accountChangeSchema,
  type NewAccount,
  newAccountSchema,
} from '../../model/wire/access.ts';
import { CatalogError, refuse, refusedBy, valid } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { recordKey } from '../catalog/registry/registry.ts';
import { changeRecord } from '../store/change-record.ts';
import { allRecords } from '../store/pages.ts';
import { ACCESS_TOKENS } from './access-tokens.ts';
import { ACCOUNTS, type AccountRecord, accountOf, groupsOf } from './account-record.ts';
import { removeRecord } from './expiring.ts';
import { groupOf } from './groups.ts';
import { LAST_USES } from './last-uses.ts';
import { demandManager, inTurn } from './managers.ts';
import type { HashedPassword } from './passwords.ts';
import type { StoredToken } from './stored-token.ts';

/** Users, as administrators have them. */

/** A page of users in the order of their URNs, behind the URN `after`. @param query a part of a name or address. */
export async function listAccounts(
  parts: CatalogParts,
  {
    count,
    after,
    query = '',
  }: { readonly count: number; readonly after?: string | undefined; readonly query?: string | undefined },
): Promise<{ readonly users: Account[]; readonly next?: string }> {
  const wanted = query.toLowerCase();
  const found: AccountRecord[] = [];
  for await (const { body } of allRecords<AccountRecord>(parts.store, ACCOUNTS, after)) {
    if (!textsOf(body).some((text) => text.toLowerCase().includes(wanted))) continue;
    found.push(body);
    if (found.length > count) break;
  }
  const page = found.slice(0, count);
  const users = await Promise.all(page.map((record) => shownAccount(parts, record)));
  const last = page.at(-1);
  return found.length > count && last !== undefined ? { users, next: last.urn } : { users };
}

/** @throws CatalogError `missing`. */
export async function readAccount(parts: CatalogParts, urn: string): Promise<Account> {
  const record = await accountOf(await parts.registry.view(), urn);
  if (record === undefined) throw missingUser(urn);
  return shownAccount(parts, record);
}

/** @throws CatalogError `invalid` naming every violated rule. */
export async function createAccount(parts: CatalogParts, wanted: NewAccount): Promise<Account> {
  const { username, password, roles = [], groups = [], ...names } = valid(checkShape(newAccountSchema, wanted));
  refuse(await unknownGroups(parts, groups, []), []);
  const hashed = password === undefined ? undefined : await parts.auth.passwords.hash(password);
  const record = newAccount(parts, username, { roles, groups, ...names, ...(hashed && { password: hashed }) });
  await changeAccountRecord(parts, record.urn, (standing) => {
    if (standing !== undefined) throw refusedBy('already-exists', `There is a user ${username} already.`);
    return record;
  });
  return shownAccount(parts, record);
}

/**
 * What is absent stays. Suspending ends all sessions, and holds up tokens for as long as it lasts.
 * @throws CatalogError `missing`; `invalid` naming every violated rule.
 */
export async function changeAccount(parts: CatalogParts, urn: string, wanted: AccountChange): Promise<Account> {
  const { groups, ...changes } = valid(checkShape(accountChangeSchema, wanted));
  const change = (account: AccountRecord): AccountRecord => ({
    ...account,
    ...changes,
    ...(changes.roles === undefined ? {} : { roles: [...new Set(changes.roles)] }),
    // Those that the provider names stay its matter.
    ...(groups === undefined ? {} : { groups: groups.filter((group) => !account.providedGroups.includes(group)) }),
    ...(changes.state === 'SUSPENDED' ? { sessionEpoch: randomUUID() } : {}),
  });
  return inTurn(parts, async () => {
    const standing = await accountOf(await parts.registry.view(), urn);
    if (standing === undefined) throw missingUser(urn);
    refuse(await unknownGroups(parts, groups ?? [], groupsOf(standing)), []);
    await demandManager(parts, { account: (account) => (account.urn === urn ? change(account) : account) });
    return shownAccount(parts, await changeStanding(parts, urn, change));
  });
}

/** Nothing that the user was given is good any more when it returns. @throws CatalogError `missing`, `invalid`. */
export async function deleteAccount(parts: CatalogParts, urn: string): Promise<void> {
  const { registry, store } = parts;
  await inTurn(parts, async () => {
    await demandManager(parts, { account: (account) => (account.urn === urn ? undefined : account) });
    const isGone = await registry.change([recordKey(ACCOUNTS, urn)], () => removeRecord(store.records, ACCOUNTS, urn));
    if (!isGone) throw missingUser(urn);
  });
  await removeRecord(store.records, LAST_USES, recordKey(ACCOUNTS, urn));
  // They are refused already, as those of an account that is gone.
  for await (const { id, body } of allRecords<StoredToken>(store, ACCESS_TOKENS)) {
    if (body.actor === urn && body.incarnation !== undefined) await removeRecord(store.records, ACCESS_TOKENS, id);
  }
}

/** All sessions of the user end. @throws CatalogError `missing`. */
export async function putPassword(parts: CatalogParts, urn: string, password: HashedPassword): Promise<void> {
  await changeStanding(parts, urn, (account) => ({ ...account, password, sessionEpoch: randomUUID() }));
}

/** An account, not yet kept. */
export function newAccount(
  { now }: CatalogParts,
  username: string,
  rest: Partial<Omit<AccountRecord, 'urn' | 'username'>>,
): AccountRecord {
  return {
    urn: userUrnOf(username),
    username,
    incarnation: randomUUID(),
    sessionEpoch: randomUUID(),
    state: 'ACTIVE',
    providedGroups: [],
    isProvided: false,
    created: now(),
    ...rest,
    roles: [...new Set(rest.roles)],
    groups: [...new Set(rest.groups)],
  };
}

/** @param next as for `changeRecord`. */
export function changeAccountRecord(
  { registry, store }: CatalogParts,
  urn: string,
  next: (standing: AccountRecord | undefined) => AccountRecord,
): Promise<AccountRecord> {
  return registry.change([recordKey(ACCOUNTS, urn)], () =>
    changeRecord(store.records, { kind: ACCOUNTS, id: urn }, next),
  );
}

function changeStanding(
  parts: CatalogParts,
  urn: string,
  change: (standing: AccountRecord) => AccountRecord,
): Promise<AccountRecord> {
  return changeAccountRecord(parts, urn, (standing) => {
    if (standing === undefined) throw missingUser(urn);
    return change(standing);
  });
}

async function unknownGroups(
  parts: CatalogParts,
  groups: readonly string[],
  known: readonly string[],
): Promise<Violation[]> {
  const view = await parts.registry.view();
  const found = await Promise.all(
    groups.map(async (urn, index) => {
      const isKnown = known.includes(urn) || (await groupOf(view, urn)) !== undefined;
      return isKnown ? [] : [violation('unknown-group', `groups[${index}]`, `there is no group ${urn}`)];
    }),
  );
  return found.flat();
}

async function shownAccount({ auth }: CatalogParts, account: AccountRecord): Promise<Account> {
  const { urn, username, displayName, email, roles, state, password, created } = account;
  const lastLogin = await auth.uses.read(ACCOUNTS, urn);
  return {
    urn,
    username,
    ...(displayName === undefined ? {} : { displayName }),
    ...(email === undefined ? {} : { email }),
    roles: [...roles],
    groups: groupsOf(account),
    state,
    hasPassword: password !== undefined,
    created,
    ...(lastLogin === undefined ? {} : { lastLogin }),
  };
}

function textsOf({ username, displayName = '', email = '' }: AccountRecord): string[] {
  return [username, displayName, email];
}

export function missingUser(urn: string): CatalogError {
  return new CatalogError('missing', `There is no user ${urn}.`);
}
