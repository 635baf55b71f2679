import { lengthOf } from '../../model/access/token-duration.ts';
import { MAX_TOKENS_OF_OWNER } from '../../model/limits.ts';
import { checkShape } from '../../model/shape.ts';
import { type AccessTokenAnswer, type NewAccessToken, newAccessTokenSchema } from '../../model/wire/access-token.ts';
import type { Fence } from '../../model/wire/fence.ts';
import { CatalogError, valid } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { recordKey } from '../catalog/registry/registry.ts';
import { allRecords } from '../store/pages.ts';
import { accountOf } from './account-record.ts';
import { removeRecord } from './expiring.ts';
import { LAST_USES } from './last-uses.ts';
import { endToken, makeToken, type StoredToken } from './stored-token.ts';
import { tokenIdOf } from './token-text.ts';

/** Personal access tokens. Their records are changed by `Registry.change` only; the id is the hash of the token. */
export const ACCESS_TOKENS = 'accessToken';

/** How long an expired one is still listed, in ms: who wonders why a program is refused finds the reason. */
const KEPT_FOR = 30 * 24 * 3_600_000;

export interface AccessTokenRecord extends StoredToken {
  readonly name: string;
  readonly description?: string;
  /** URN of who made it. */
  readonly owner: string;
}

/**
 * Makes a token for an actor, who need not be known yet.
 * @param owner URN of who asks.
 * @param fence of an operator: one that leads no more makes no token that the next does not know of.
 * @returns its text, which is told this once, and what is known of it.
 * @throws CatalogError `invalid` naming every violated rule; `unavailable` when access control is off; StoreError `fenced`.
 */
export async function createAccessToken(
  parts: CatalogParts,
  wanted: NewAccessToken,
  owner: string,
  fence?: Fence,
): Promise<{ readonly accessToken: string; readonly metadata: AccessTokenAnswer }> {
  const { actorUrn: actor, duration, name, description } = valid(checkShape(newAccessTokenSchema, wanted));
  if ((await findTokens(parts, { owner })).length >= MAX_TOKENS_OF_OWNER) {
    throw new CatalogError('too-large', `${owner} has ${MAX_TOKENS_OF_OWNER} access tokens. Revoke some first.`);
  }
  const createdAt = parts.now();
  const length = lengthOf(duration);
  const incarnation = (await accountOf(await parts.registry.view(), actor))?.incarnation;
  const { id, text, record } = await makeToken<AccessTokenRecord>(parts, {
    kind: ACCESS_TOKENS,
    type: 'PERSONAL',
    keptFor: KEPT_FOR,
    fence,
    record: {
      actor,
      owner,
      name,
      ...(description ? { description } : {}),
      createdAt,
      ...(length === undefined ? {} : { expiresAt: createdAt + length }),
      ...(incarnation === undefined ? {} : { incarnation }),
    },
  });
  return { accessToken: text, metadata: { id, ...shown(record) } };
}

export interface TokenFilter {
  readonly name?: string | undefined;
  /** URN of who made them. */
  readonly owner?: string | undefined;
  /** URN of whom they act as. */
  readonly actor?: string | undefined;
  /** Only those that end before, in ms since 1970. */
  readonly endsBefore?: number | undefined;
  readonly endsAfter?: number | undefined;
}

/** Tokens, those that live longest first, as the reference catalogue lists them; of `count` behind the first `start`. */
export async function listAccessTokens(
  parts: CatalogParts,
  filter: TokenFilter,
  { start, count }: { readonly start: number; readonly count: number },
): Promise<{ readonly total: number; readonly tokens: AccessTokenAnswer[] }> {
  const found = await findTokens(parts, filter);
  const page = found.slice(start, start + count);
  return { total: found.length, tokens: await Promise.all(page.map((token) => withLastUse(parts, token))) };
}

/** @param id the hash. @throws CatalogError `missing`. */
export async function readAccessToken(parts: CatalogParts, id: string): Promise<AccessTokenAnswer> {
  const record = (await parts.store.records.get<AccessTokenRecord>(ACCESS_TOKENS, id))?.body;
  if (record === undefined) throw missingToken();
  return withLastUse(parts, { id, ...shown(record) });
}

/** @param text the token itself. @throws CatalogError `missing`. */
export function readAccessTokenOf(parts: CatalogParts, text: string): Promise<AccessTokenAnswer> {
  return readAccessToken(parts, tokenIdOf(text));
}

/** No replica takes the token any more when it returns. @throws CatalogError `missing`, also when it was revoked before. */
export async function revokeAccessToken(parts: CatalogParts, id: string): Promise<void> {
  if (!(await endToken(parts, ACCESS_TOKENS, id))) throw missingToken();
  await removeRecord(parts.store.records, LAST_USES, recordKey(ACCESS_TOKENS, id));
}

async function findTokens({ store }: CatalogParts, filter: TokenFilter): Promise<AccessTokenAnswer[]> {
  const { name, owner, actor, endsBefore = Number.POSITIVE_INFINITY, endsAfter = Number.NEGATIVE_INFINITY } = filter;
  const found: AccessTokenAnswer[] = [];
  for await (const { id, body } of allRecords<AccessTokenRecord>(store, ACCESS_TOKENS)) {
    if (name !== undefined && body.name !== name) continue;
    if (owner !== undefined && body.owner !== owner) continue;
    if (actor !== undefined && body.actor !== actor) continue;
    if (endOf(body) >= endsBefore || endOf(body) <= endsAfter) continue;
    found.push({ id, ...shown(body) });
  }
  return found.sort((one, other) => endOf(other) - endOf(one) || other.createdAt - one.createdAt);
}

function endOf({ expiresAt }: { readonly expiresAt?: number | null | undefined }): number {
  return expiresAt ?? Number.MAX_SAFE_INTEGER;
}

async function withLastUse({ auth }: CatalogParts, token: AccessTokenAnswer): Promise<AccessTokenAnswer> {
  const lastUsedAt = await auth.uses.read(ACCESS_TOKENS, token.id);
  return lastUsedAt === undefined ? token : { ...token, lastUsedAt };
}

function shown({
  name,
  description,
  actor,
  owner,
  createdAt,
  expiresAt,
}: AccessTokenRecord): Omit<AccessTokenAnswer, 'id'> {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    actorUrn: actor,
    ownerUrn: owner,
    createdAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function missingToken(): CatalogError {
  return new CatalogError('missing', 'The access token no longer exists: it was revoked, or has ended long ago.');
}
