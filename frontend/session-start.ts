import type { FastifyReply, FastifyRequest } from 'fastify';
import { userUrnOf } from '../model/access/actor-urn.ts';
import type { SessionRequest } from '../model/wire/auth.ts';
import type { AuthClient } from './auth-client.ts';
import { sessionOf, setSession } from './session-cookie.ts';

/** @throws LogInError */
export type SessionStart = (request: FastifyRequest, reply: FastifyReply, user: SessionRequest) => Promise<void>;

/**
 * Begins a session for somebody who has shown who they are, however that was. It is always a new one, so that nobody
 * goes on in a session that somebody else has put into their browser; the one that was there ends.
 */
export function sessionStart(client: AuthClient): SessionStart {
  return async (request, reply, user) => {
    const { accessToken: token, expiresAt } = await client.beginSession(user, request.ip);
    await endSession(client, request);
    setSession(request, reply, { token, expiresAt, actor: userUrnOf(user.userId) });
  };
}

/** Ends the session that a browser has, if it has one. One that cannot be ended now ends by itself. */
export async function endSession(client: AuthClient, request: FastifyRequest): Promise<void> {
  const token = sessionOf(request);
  if (token === undefined) return;
  try {
    await client.endSession(token, request.ip);
  } catch (error) {
    request.log.warn({ err: error }, 'a session goes on until its time is over');
  }
}
