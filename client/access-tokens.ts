import * as z from 'zod';
import type { TokenDuration } from '../model/access/token-duration.ts';
import { type AccessTokenAnswer, accessTokenSchema } from '../model/wire/access-token.ts';
import { askGraphql } from './graphql.ts';
import type { HttpClient } from './http-client.ts';
import { isMissingEntity } from './http-errors.ts';

/** Requests about access tokens, over GraphQL. They throw AnyHttpError. */

export type { AccessTokenAnswer as AccessToken } from '../model/wire/access-token.ts';

const FIELDS = 'id name description actorUrn ownerUrn createdAt expiresAt lastUsedAt';
const PAGE = 100;

export interface NewToken {
  /** URN of whom it acts as. */
  readonly actorUrn: string;
  readonly duration: TokenDuration;
  readonly name: string;
  readonly description?: string;
}

export interface CreatedToken {
  /** The secret: this answer alone has it. */
  readonly accessToken: string;
  readonly metadata: AccessTokenAnswer;
}

const CREATE = `mutation createAccessToken($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) { accessToken metadata { ${FIELDS} } }
}`;

export async function createAccessToken(http: HttpClient, token: NewToken): Promise<CreatedToken> {
  const data = z.object({ createAccessToken: z.object({ accessToken: z.string(), metadata: accessTokenSchema }) });
  const variables = { input: { type: 'PERSONAL', ...token } };
  return (await askGraphql(http, { document: CREATE, variables }, data)).createAccessToken;
}

export interface TokenFilter {
  /** Exactly as it was given. */
  readonly name?: string | undefined;
  /** URN of whom they act as. */
  readonly actorUrn?: string | undefined;
  /** URN of who made them; needed by those who may not manage all tokens, and it is themselves then. */
  readonly ownerUrn?: string | undefined;
}

const LIST = `query listAccessTokens($input: ListAccessTokenInput!) {
  listAccessTokens(input: $input) { total tokens { ${FIELDS} } }
}`;

/** All that there are, also those that have expired. One that is made or revoked meanwhile can be missing or be there. */
export async function listAccessTokens(http: HttpClient, filter: TokenFilter): Promise<AccessTokenAnswer[]> {
  const data = z.object({
    listAccessTokens: z.object({ total: z.number().int(), tokens: z.array(accessTokenSchema) }),
  });
  const filters = Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, values: [value] }],
  );
  // By id: when a token is made between two pages, the next page begins with one of the last.
  const found = new Map<string, AccessTokenAnswer>();
  for (let start = 0; ; start += PAGE) {
    const variables = { input: { start, count: PAGE, filters } };
    const page = (await askGraphql(http, { document: LIST, variables, readsOnly: true }, data)).listAccessTokens;
    for (const token of page.tokens) found.set(token.id, token);
    if (page.tokens.length === 0 || start + page.tokens.length >= page.total) return [...found.values()];
  }
}

const REVOKE = 'mutation revokeAccessToken($tokenId: String!) { revokeAccessToken(tokenId: $tokenId) }';

/** @returns false when there is no such token, maybe no more. */
export async function revokeAccessToken(http: HttpClient, tokenId: string): Promise<boolean> {
  try {
    const data = z.object({ revokeAccessToken: z.boolean() });
    return (await askGraphql(http, { document: REVOKE, variables: { tokenId } }, data)).revokeAccessToken;
  } catch (error) {
    if (isMissingEntity(error)) return false;
    throw error;
  }
}

const READ = `query getAccessTokenMetadata($token: String!) { getAccessTokenMetadata(token: $token) { ${FIELDS} } }`;

/** What is known of a token. @param token the token itself. */
export async function readAccessToken(http: HttpClient, token: string): Promise<AccessTokenAnswer> {
  const data = z.object({ getAccessTokenMetadata: accessTokenSchema });
  return (await askGraphql(http, { document: READ, variables: { token }, readsOnly: true }, data))
    .getAccessTokenMetadata;
}
