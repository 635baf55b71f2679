import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { ACCOUNTS, type AccountRecord } from './account-record.ts';
import { endToken, makeToken, type StoredToken } from './stored-token.ts';

/** Sessions of users who have logged in. The id is the hash of the session's token. */
export const SESSIONS = 'session';

export interface SessionRecord extends StoredToken {
  /** Of the account when it began: when the account has another one, the session is over. */
  readonly epoch: string;
}

export interface StartedSession {
  /** The secret: who has it is the user, until it ends. */
  readonly accessToken: string;
  /** In ms since 1970. */
  readonly expiresAt: number;
}

/** Why somebody who has shown who he is gets no session. */
export type LoginDenial = 'SUSPENDED' | 'UNKNOWN' | 'NATIVE_ACCOUNT';

/**
 * A session of a user who has shown who he is.
 * @param urn of the user.
 * @throws CatalogError `unavailable` when access control is off.
 */
export async function startSession(
  parts: CatalogParts,
  urn: string,
): Promise<StartedSession | { readonly denied: LoginDenial }> {
  const account = (await parts.store.records.get<AccountRecord>(ACCOUNTS, urn))?.body;
  if (account === undefined) return { denied: 'UNKNOWN' };
  if (account.state !== 'ACTIVE') return { denied: 'SUSPENDED' };
  const createdAt = parts.now();
  const expiresAt = createdAt + parts.auth.sessionDuration;
  const { incarnation, sessionEpoch: epoch } = account;
  const { text } = await makeToken<SessionRecord>(parts, {
    kind: SESSIONS,
    type: 'SESSION',
    keptFor: 0,
    record: { actor: urn, createdAt, expiresAt, incarnation, epoch },
  });
  parts.auth.uses.note(ACCOUNTS, urn);
  return { accessToken: text, expiresAt };
}

/** No replica takes the session any more when it returns. @param id as `Identity.tokenId` has it. */
export async function endSession(parts: CatalogParts, id: string | undefined): Promise<void> {
  if (id === undefined || !(await endToken(parts, SESSIONS, id))) {
    throw new CatalogError('missing', 'There is no such session: it has ended.');
  }
}
