import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFromOwnPage } from '../process/request-origin.ts';

/** Holds the session token. Clients of the reference catalogue know both names. */
const SESSION = 'PLAY_SESSION';
/** URN of who is logged in, for scripts of the pages; it opens nothing. */
const ACTOR = 'actor';

export interface Session {
  readonly token: string;
  /** In ms since 1970. */
  readonly expiresAt: number;
  /** URN. */
  readonly actor: string;
}

/**
 * The session token that a request carries. A browser sends the cookie by itself, so it says something only when one of
 * our own pages has asked; and of two cookies of the name nobody knows which one somebody else has put there.
 */
export function sessionOf(request: FastifyRequest): string | undefined {
  const { headers, cookies } = request;
  const given = headers.cookie?.match(/(?<=^|;)\s*PLAY_SESSION\s*=/gu) ?? [];
  if (given.length !== 1 || !isFromOwnPage(headers)) return undefined;
  const token = cookies[SESSION] ?? '';
  // What can stand behind `Bearer` (RFC 6750, 2.1): no line ends above all.
  return /^[\w.~+/-]+=*$/u.test(token) ? token : undefined;
}

/** Puts a new session in the place of whatever cookie there was. */
export function setSession(request: FastifyRequest, reply: FastifyReply, session: Session): void {
  const options = { ...ofThisSite(request), expires: new Date(session.expiresAt) };
  reply.setCookie(SESSION, session.token, { ...options, httpOnly: true }).setCookie(ACTOR, session.actor, options);
}

export function clearSession(request: FastifyRequest, reply: FastifyReply): void {
  const options = ofThisSite(request);
  reply.clearCookie(SESSION, { ...options, httpOnly: true }).clearCookie(ACTOR, options);
}

/** No `__Host-` before the names: that needs https, which a laptop does not have. */
function ofThisSite({ protocol }: FastifyRequest): CookieSerializeOptions {
  return { path: '/', sameSite: 'strict', secure: protocol === 'https' };
}
