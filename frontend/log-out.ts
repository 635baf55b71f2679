import type { FastifyInstance } from 'fastify';
import { isFromOwnPage } from '../process/request-origin.ts';
import type { AuthClient } from './auth-client.ts';
import { clearSession } from './session-cookie.ts';
import { endSession } from './session-start.ts';

/** Ends the session on every replica. A page of somebody else that leads here logs nobody out. */
export function logOutRoute(server: FastifyInstance, client: AuthClient): void {
  // What a form sends along, or a script, is of no interest.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  server.route({
    method: ['GET', 'POST'],
    url: '/logOut',
    async handler(request, reply) {
      if (isFromOwnPage(request.headers)) {
        await endSession(client, request);
        clearSession(request, reply);
      }
      return reply.redirect('/login', 303);
    },
  });
}
