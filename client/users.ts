import type * as z from 'zod';
import {
  type Account,
  type AccountChange,
  accountSchema,
  accountsSchema,
  type Group,
  groupSchema,
  groupsSchema,
  type NewAccount,
  type NewGroup,
  type PasswordChange,
} from '../model/wire/access.ts';
import { allPages } from './all-pages.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';

/** Requests about users and groups, each by its URN. They throw AnyHttpError. Whatever more a newer server says is kept. */

const account: z.ZodType<Account> = accountSchema.loose();
const accounts = accountsSchema.extend({ users: account.array() });
const group: z.ZodType<Group> = groupSchema.loose();
const groups = groupsSchema.extend({ groups: group.array() });

/** @param text that stands in the names or addresses of those that are meant; all when absent. */
export async function listUsers(http: HttpClient, text?: string): Promise<Account[]> {
  return allPages(
    (after) => {
      const query = [
        ['query', text],
        ['after', after],
      ] as const;
      return ask(http, { method: 'GET', path: '/access/users', query }, accounts);
    },
    ({ users }) => users,
  );
}

export async function createUser(http: HttpClient, body: NewAccount): Promise<Account> {
  return await ask(http, { method: 'POST', path: '/access/users', body }, account);
}

export async function changeUser(http: HttpClient, urn: string, body: AccountChange): Promise<Account> {
  return await ask(http, { method: 'PATCH', path: userPath(urn), body }, account);
}

/** Replaces the password, or gives the first one. */
export async function setPassword(http: HttpClient, urn: string, body: PasswordChange): Promise<void> {
  await http.send({ method: 'PUT', path: `${userPath(urn)}/password`, body });
}

export async function deleteUser(http: HttpClient, urn: string): Promise<void> {
  await http.send({ method: 'DELETE', path: userPath(urn) });
}

export async function listGroups(http: HttpClient): Promise<Group[]> {
  return allPages(
    (after) => ask(http, { method: 'GET', path: '/access/groups', query: [['after', after]] }, groups),
    (page) => page.groups,
  );
}

export async function createGroup(http: HttpClient, body: NewGroup): Promise<Group> {
  return await ask(http, { method: 'POST', path: '/access/groups', body }, group);
}

/** Its members are in it no more, and stay. */
export async function deleteGroup(http: HttpClient, urn: string): Promise<void> {
  await http.send({ method: 'DELETE', path: groupPath(urn) });
}

function userPath(urn: string): string {
  return `/access/users/${encodeURIComponent(urn)}`;
}

function groupPath(urn: string): string {
  return `/access/groups/${encodeURIComponent(urn)}`;
}
