import { userUrnOf } from '../../model/access/actor-urn.ts';
import type { PasswordCheck, SessionAnswer, SessionRequest } from '../../model/wire/auth.ts';
import { noteDone } from '../access/audited.ts';
import type { Identity } from '../auth/authenticator.ts';
import { isRightPassword } from '../auth/login.ts';
import { ensureProvidedAccount } from '../auth/provided-accounts.ts';
import * as sessions from '../auth/sessions.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogRequest } from '../catalog/request.ts';

/** Logging in and out: asked by the frontend, which is one of our own parts. */

/** @throws ThrottledError. */
export async function checkPassword(request: CatalogRequest, check: PasswordCheck): Promise<boolean> {
  demandOwnPart(request);
  const { userUrn, username = '', password } = check;
  const { parts, address } = request;
  return isRightPassword(parts, { user: userUrn ?? userUrnOf(username), password, address });
}

/** A session, or why there is none for a user who is who he says. */
export async function beginSession(
  request: CatalogRequest,
  { userId, oidc }: SessionRequest,
): Promise<SessionAnswer | { readonly denied: sessions.LoginDenial }> {
  demandOwnPart(request);
  const { parts, address } = request;
  const actor = userUrnOf(userId);
  const known = oidc === undefined ? { urn: actor } : await ensureProvidedAccount(parts, { username: userId, ...oidc });
  const begun = 'denied' in known ? known : await sessions.startSession(parts, known.urn);
  const outcome = 'denied' in begun ? 'refused' : 'ok';
  const detail = 'denied' in begun ? { detail: begun.denied } : {};
  const from = address === undefined ? {} : { address };
  parts.auth.audit.note({ actor, action: 'logIn', outcome, ...detail, ...from });
  return begun;
}

/** Ends the session by which it is asked. */
export async function endSession(request: CatalogRequest): Promise<void> {
  const { by, tokenId } = request.caller;
  if (by !== 'session') throw new CatalogError('malformed', 'It is not asked by a session: there is none to end.');
  await sessions.endSession(request.parts, tokenId);
  noteDone(request, 'logOut', request.actor);
}

/** Whether one of our own parts asks, and not on behalf of a user. */
export function isOwnPart({ by, unlimited }: Identity): boolean {
  return by === 'system' && unlimited === true;
}

/** Who may begin sessions may be everybody: nobody is given that by a policy. */
function demandOwnPart({ caller, parts }: CatalogRequest): void {
  if (!parts.auth.enabled) throw new CatalogError('unavailable', 'Access control is off: nobody has to log in.');
  if (isOwnPart(caller)) return;
  throw new CatalogError('unauthorized', `${caller.actor} is not authorized: only parts of the server itself are.`);
}
