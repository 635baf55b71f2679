import type { AccessTokenAnswer, NewAccessToken } from '../../model/wire/access-token.ts';
import { audited, noteDone } from '../access/audited.ts';
import { guarded } from '../access/guarded.ts';
import { demand } from '../access/permission.ts';
import * as tokens from '../auth/access-tokens.ts';
import { tokenIdOf } from '../auth/token-text.ts';
import type { CatalogRequest } from '../catalog/request.ts';

/** Access tokens: own ones, and with more rights those of others. */

export const createAccessToken = audited(
  'createAccessToken',
  guarded(
    ({ actor }, { actorUrn }: NewAccessToken) =>
      actorUrn === actor ? ['GENERATE_PERSONAL_ACCESS_TOKENS', 'MANAGE_ACCESS_TOKENS'] : ['MANAGE_ACCESS_TOKENS'],
    ({ parts, actor, fence }, wanted) => tokens.createAccessToken(parts, wanted, actor, fence),
  ),
  ({ metadata: { id, actorUrn } }) => `${actorUrn} ${id}`,
);

/** Own ones are those that the caller has made. */
export const listAccessTokens = guarded(
  ({ actor }, { owner }: tokens.TokenFilter, _page: { readonly start: number; readonly count: number }) =>
    owner === actor ? ['GENERATE_PERSONAL_ACCESS_TOKENS', 'MANAGE_ACCESS_TOKENS'] : ['MANAGE_ACCESS_TOKENS'],
  ({ parts }, filter, page) => tokens.listAccessTokens(parts, filter, page),
);

/** What is known of a token by its text; of the one that is used to ask, its user may know it. */
export async function readAccessTokenOf(request: CatalogRequest, text: string): Promise<AccessTokenAnswer> {
  if (request.caller.tokenId !== tokenIdOf(text)) await demand(request, ['MANAGE_ACCESS_TOKENS']);
  return tokens.readAccessTokenOf(request.parts, text);
}

/** Who has made a token, and whom it acts as, may always revoke it. @throws CatalogError `missing`. */
export async function revokeAccessToken(request: CatalogRequest, id: string): Promise<void> {
  const { ownerUrn, actorUrn } = await tokens.readAccessToken(request.parts, id);
  if (ownerUrn === request.actor || actorUrn === request.actor) await tokens.revokeAccessToken(request.parts, id);
  else await revokeOfOthers(request, id);
  noteDone(request, 'revokeAccessToken', `${actorUrn} ${id}`);
}

const revokeOfOthers = guarded(['MANAGE_ACCESS_TOKENS'], ({ parts }, id: string) =>
  tokens.revokeAccessToken(parts, id),
);
