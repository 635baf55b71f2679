import {
  type AccessToken,
  type CreatedToken,
  createAccessToken,
  listAccessTokens,
  type NewToken,
  revokeAccessToken,
} from '../../client/access-tokens.ts';
import type { HttpClient } from '../../client/http-client.ts';

/** The access tokens of the API server. Every method rejects with an AnyHttpError. */
export interface TokenCatalogue {
  /** Those with that name, whoever they act as. */
  tokensNamed(name: string): Promise<readonly AccessToken[]>;
  create(token: NewToken): Promise<CreatedToken>;
  /** Fine when there is no such token. */
  revoke(id: string): Promise<void>;
}

export function createHttpTokenCatalogue(http: HttpClient): TokenCatalogue {
  return {
    tokensNamed: async (name) => (await listAccessTokens(http, { name })).filter((token) => token.name === name),
    create: (token) => createAccessToken(http, token),
    async revoke(id) {
      await revokeAccessToken(http, id);
    },
  };
}
