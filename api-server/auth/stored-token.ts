import { userNameOf } from '../../model/access/actor-urn.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Fence } from '../../model/wire/fence.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type RegistryView, recordKey } from '../catalog/registry/registry.ts';
import { type AccountRecord, accountOf, groupsOf } from './account-record.ts';
import { AuthenticationError } from './authenticator.ts';
import { type Expiring, noteExpiry, removeRecord } from './expiring.ts';
import { signToken, type TokenType, tokenIdOf } from './token-text.ts';

/** What access tokens and sessions have in common: a record under the hash of the token, which is looked up at each use. */

export interface StoredToken {
  /** URN of whom it acts as. */
  readonly actor: string;
  /** In ms since 1970, as the next. */
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** Of the actor's account when it was made; absent: there was none. */
  readonly incarnation?: string;
}

export interface MadeToken<T extends StoredToken> {
  readonly id: string;
  /** The secret. Nothing keeps it. */
  readonly text: string;
  readonly record: T;
}

interface Making<T extends StoredToken> {
  readonly kind: string;
  readonly type: TokenType;
  readonly record: T;
  /** How long the record stays when the token has expired, in ms. */
  readonly keptFor: number;
  /** Of the operator that makes it. */
  readonly fence?: Fence | undefined;
}

/** Makes a token. Requests need not be told: nobody can have asked for its record before. */
export async function makeToken<T extends StoredToken>(
  { auth: { keys }, store: { records }, now }: CatalogParts,
  { kind, type, record, keptFor, fence }: Making<T>,
): Promise<MadeToken<T>> {
  if (keys === undefined) {
    throw new CatalogError('unavailable', 'Token based authentication is currently disabled on this server.');
  }
  const { actor, expiresAt } = record;
  const text = await signToken(keys, { type, userName: userNameOf(actor), expiresAt }, now());
  const id = tokenIdOf(text);
  const removeAt = expiresAt === undefined ? undefined : expiresAt + keptFor;
  if (removeAt !== undefined) await noteExpiry(records, { kind, id }, removeAt);
  await records.put(
    kind,
    id,
    { ...record, ...(removeAt === undefined ? {} : ({ removeAt } satisfies Expiring)) },
    undefined,
    fence,
  );
  return { id, text, record };
}

/** Ends a token on every replica, before it returns. @returns false when there is none of the id. */
export function endToken({ registry, store: { records } }: CatalogParts, kind: string, id: string): Promise<boolean> {
  return registry.change([recordKey(kind, id)], () => removeRecord(records, kind, id));
}

/**
 * The record of a token that was not revoked and has not expired, and the actor's account, if there is one.
 * @throws AuthenticationError for any other.
 */
export async function goodToken<T extends StoredToken>(
  registry: RegistryView,
  place: { readonly kind: string; readonly id: string },
  now: number,
): Promise<{ readonly record: T; readonly account: AccountRecord | undefined }> {
  const record = await registry.record<T>(place.kind, place.id);
  if (record === undefined) throw new AuthenticationError('a token that was revoked, or has ended');
  if (record.expiresAt !== undefined && record.expiresAt <= now) {
    throw new AuthenticationError(`a token of ${record.actor} that has expired`);
  }
  const account = await activeAccount(registry, record.actor);
  // One that was made before there was an account goes on with it.
  if (record.incarnation !== undefined && record.incarnation !== account?.incarnation) {
    throw new AuthenticationError(`a token of ${record.actor}, whose account was deleted`);
  }
  return { record, account };
}

/** @returns `undefined` when there is none. @throws AuthenticationError when it is suspended. */
export async function activeAccount(registry: RegistryView, actor: string): Promise<AccountRecord | undefined> {
  const account = await accountOf(registry, actor);
  if (account?.state === 'SUSPENDED') throw new AuthenticationError(`${actor} is suspended`);
  return account;
}

/** Whoever has no account has neither groups nor roles. */
export function callerOf(actor: string, account: AccountRecord | undefined): Caller {
  return { actor, groups: account === undefined ? [] : groupsOf(account), roles: account?.roles ?? [] };
}
