import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { AuthClient } from './auth-client.ts';
import { ownTarget } from './own-target.ts';
import type { SessionStart } from './session-start.ts';

const bodySchema = z.object({ username: z.string().trim(), password: z.string().default('') });

/** Nobody's name and password are longer together, in bytes. */
const MAX_BODY = 16 * 1024;

/** Log-in by name and password, as clients of the reference catalogue know it: what is wrong is 400 with a message. */
export function passwordRoute(server: FastifyInstance, client: AuthClient, startSession: SessionStart): void {
  server.post('/logIn', { bodyLimit: MAX_BODY }, async (request, reply) => {
    const { success, data } = bodySchema.safeParse(request.body);
    if (!success) return reply.code(400).send({ message: 'The body has to be {"username": …, "password": …}.' });
    const { username, password } = data;
    if (username === '') return reply.code(400).send({ message: 'User name must not be empty.' });
    if (!(await client.isPassword({ username, password }, request.ip)))
      return reply.code(400).send({ message: 'Invalid Credentials' });
    await startSession(request, reply, { userId: username });
    return {};
  });
}

/** Where there is no provider, people are sent to the page that asks for name and password. */
export function pageRoute(server: FastifyInstance): void {
  server.get<AskedTarget>('/authenticate', (request, reply) => {
    const from = ownTarget(request.query.redirect_uri);
    return reply.redirect(from === '/' ? '/login' : `/login?${new URLSearchParams({ from })}`);
  });
}

/** Where authentication is off. */
export function noLogInRoutes(server: FastifyInstance): void {
  const message = 'Authentication is off: nobody has to log in.';
  server.post('/logIn', (_request, reply) => reply.code(400).send({ message }));
  server.get<AskedTarget>('/authenticate', (request, reply) => reply.redirect(ownTarget(request.query.redirect_uri)));
  server.route({ method: ['GET', 'POST'], url: '/logOut', handler: (_request, reply) => reply.redirect('/', 303) });
}

interface AskedTarget {
  Querystring: { redirect_uri?: string };
}
