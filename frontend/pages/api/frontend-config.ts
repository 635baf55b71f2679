import { queryOptions } from '@tanstack/react-query';
import { requestJson } from './request.ts';

/** What the frontend tells everybody. */
export interface FrontendConfig {
  readonly authEnabled: boolean;
  /** Another place to sign in. */
  readonly oidc: { readonly name: string } | null;
  readonly version: string;
}

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => requestJson<FrontendConfig>('/config.json', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
