import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  Account,
  AccountChange,
  Group,
  NewAccount,
  NewGroup,
  PasswordChange,
} from '../../../../model/wire/access.ts';
import { pathOf, queryOf, requestApi } from '../../api/request.ts';

interface UsersPage {
  readonly users: readonly Account[];
  readonly next?: string;
}

/** Users who have the text in their names or addresses; all by default. */
export function usersQuery(query = '') {
  return infiniteQueryOptions({
    queryKey: ['users', query],
    queryFn: ({ pageParam: after, signal }) =>
      requestApi<UsersPage>(`/access/users${queryOf({ count: 50, after, query })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

interface GroupsPage {
  readonly groups: readonly Group[];
  readonly next?: string;
}

/** All groups: there are few, and forms offer them. */
export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: async ({ signal }) => {
    const groups: Group[] = [];
    let after: string | undefined;
    do {
      const page: GroupsPage = await requestApi(`/access/groups${queryOf({ count: 100, after })}`, { signal });
      for (const group of page.groups) groups.push(group);
      after = page.next;
    } while (after !== undefined);
    return groups;
  },
});

export function createUser(user: NewAccount): Promise<Account> {
  return requestApi('/access/users', { method: 'POST', body: user });
}

export function changeUser(urn: string, change: AccountChange): Promise<Account> {
  return requestApi(pathOf`/access/users/${urn}`, { method: 'PATCH', body: change });
}

export function deleteUser(urn: string): Promise<void> {
  return requestApi(pathOf`/access/users/${urn}`, { method: 'DELETE' });
}

export function setPassword(urn: string, change: PasswordChange): Promise<void> {
  return requestApi(pathOf`/access/users/${urn}/password`, { method: 'PUT', body: change });
}

export function createGroup(group: NewGroup): Promise<Group> {
  return requestApi('/access/groups', { method: 'POST', body: group });
}

export function describeGroup(urn: string, description: string): Promise<Group> {
  return requestApi(pathOf`/access/groups/${urn}`, { method: 'PATCH', body: { description } });
}

export function deleteGroup(urn: string): Promise<void> {
  return requestApi(pathOf`/access/groups/${urn}`, { method: 'DELETE' });
}
