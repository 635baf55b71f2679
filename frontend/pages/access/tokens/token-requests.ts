import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { TokenDuration } from '../../../../model/access/token-duration.ts';
import type { AccessTokenAnswer } from '../../../../model/wire/access-token.ts';
import { requestGraphql } from '../../api/graphql.ts';

/** What the signed-in user may do with tokens. */
export interface TokenRights {
  /** URN. */
  readonly actor: string;
  readonly isEnabled: boolean;
  /** Tokens of others too. */
  readonly mayManage: boolean;
  readonly mayGenerate: boolean;
}

interface RightsAnswer {
  readonly appConfig: { readonly authConfig: { readonly tokenAuthEnabled: boolean } };
  readonly me: {
    readonly corpUser: { readonly urn: string };
    readonly platformPrivileges: { readonly generatePersonalAccessTokens: boolean; readonly manageTokens: boolean };
  };
}

const RIGHTS = `query tokenRights {
  appConfig { authConfig { tokenAuthEnabled } }
  me { corpUser { urn } platformPrivileges { generatePersonalAccessTokens manageTokens } }
}`;

export const tokenRightsQuery = queryOptions({
  queryKey: ['tokens', 'rights'],
  queryFn: async ({ signal }): Promise<TokenRights> => {
    const { appConfig, me } = await requestGraphql<RightsAnswer>(RIGHTS, {}, signal);
    const { generatePersonalAccessTokens, manageTokens } = me.platformPrivileges;
    return {
      actor: me.corpUser.urn,
      isEnabled: appConfig.authConfig.tokenAuthEnabled,
      mayManage: manageTokens,
      mayGenerate: generatePersonalAccessTokens || manageTokens,
    };
  },
});

export interface TokenFilter {
  /** URN; absent: of all. */
  readonly owner?: string | undefined;
  readonly isExpired: boolean;
  /** Of the first that is listed. */
  readonly start: number;
}

interface ListAnswer {
  readonly listAccessTokens: { readonly total: number; readonly tokens: readonly AccessTokenAnswer[] };
}

/** How many are listed at a time. */
export const PAGE = 20;

const LIST = `query listAccessTokens($input: ListAccessTokenInput!) {
  listAccessTokens(input: $input) {
    total
    tokens { id name description actorUrn ownerUrn createdAt expiresAt }
  }
}`;

export function tokensQuery({ owner, isExpired, start }: TokenFilter) {
  return queryOptions({
    queryKey: ['tokens', 'list', owner, isExpired, start],
    queryFn: async ({ signal }) => {
      const filters = [
        ...(owner === undefined ? [] : [{ field: 'ownerUrn', values: [owner] }]),
        ...(isExpired ? [{ field: 'expiresAt', values: [String(Date.now())], condition: 'LESS_THAN' }] : []),
      ];
      const variables = { input: { start, count: PAGE, filters } };
      return (await requestGraphql<ListAnswer>(LIST, variables, signal)).listAccessTokens;
    },
    placeholderData: keepPreviousData,
  });
}

export interface NewToken {
  readonly actorUrn: string;
  readonly name: string;
  readonly description?: string;
  readonly duration: TokenDuration;
}

interface CreateAnswer {
  readonly createAccessToken: { readonly accessToken: string };
}

const CREATE = `mutation createAccessToken($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) { accessToken }
}`;

/** @returns the token, which is told this once. */
export async function createToken(token: NewToken): Promise<string> {
  const { createAccessToken } = await requestGraphql<CreateAnswer>(CREATE, { input: { type: 'PERSONAL', ...token } });
  return createAccessToken.accessToken;
}

export async function revokeToken(tokenId: string): Promise<void> {
  await requestGraphql('mutation revokeAccessToken($tokenId: String!) { revokeAccessToken(tokenId: $tokenId) }', {
    tokenId,
  });
}
