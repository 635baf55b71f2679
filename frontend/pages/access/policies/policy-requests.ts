import { queryOptions } from '@tanstack/react-query';
import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { pathOf, requestApi } from '../../api/request.ts';

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: async ({ signal }) => {
    const { policies } = await requestApi<{ readonly policies: readonly ShownPolicy[] }>('/access/policies', {
      signal,
    });
    return policies;
  },
});

/** Makes the policy of this id, or replaces it. */
export function putPolicy({ id, origin: _origin, editable: _editable, ...body }: ShownPolicy): Promise<unknown> {
  return requestApi(pathOf`/access/policies/${id}`, { method: 'PUT', body });
}

export function deletePolicy(id: string): Promise<void> {
  return requestApi(pathOf`/access/policies/${id}`, { method: 'DELETE' });
}

/** What is read again when a policy has changed: own privileges can be others then. */
export const POLICY_CHANGES = [['policies'], ['me'], ['tokens']] as const;
