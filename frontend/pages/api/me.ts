import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { PrivilegeName } from '../../../model/access/privileges.ts';
import type { Me } from '../../../model/wire/access.ts';
import { requestApi } from './request.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => requestApi<Me>('/access/me', { signal }),
  staleTime: 60_000,
});

/** Who is signed in; for pages inside the shell, which has asked. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Whether one of the privileges is held. */
export function holds(me: Me, ...anyOf: readonly PrivilegeName[]): boolean {
  return anyOf.some((name) => me.privileges.includes(name));
}
