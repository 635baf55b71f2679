import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../process/clock.ts';
import { LogInError } from '../log-in-error.ts';
import type { LogInSettings, OidcSettings } from '../log-in-settings.ts';
import { ownTarget } from '../own-target.ts';
import type { SessionStart } from '../session-start.ts';
import { ATTEMPT_SECONDS, attemptSeal } from './attempt.ts';
import { oidcProvider } from './provider.ts';
import { userOfClaims } from './user-of-claims.ts';

const COOKIE = 'proplane_log_in';

/** Log-in at an OpenID provider: by a code, with PKCE, state and nonce. */
export function oidcRoutes(
  server: FastifyInstance,
  { systemSecret }: LogInSettings,
  oidc: OidcSettings,
  startSession: SessionStart,
  clock: Clock,
): void {
  const provider = oidcProvider(oidc);
  const attempts = attemptSeal(systemSecret, clock);
  // The provider leads back here, from another site: a strict cookie would not come along.
  const options = ({ protocol }: FastifyRequest): CookieSerializeOptions => ({
    path: oidc.redirectUri.pathname,
    sameSite: 'lax',
    httpOnly: true,
    secure: protocol === 'https',
  });

  server.get<{ Querystring: { redirect_uri?: string } }>('/authenticate', async (request, reply) => {
    const { url, secrets } = await provider.begin();
    const sealed = await attempts.seal({ ...secrets, target: ownTarget(request.query.redirect_uri) });
    return reply.setCookie(COOKIE, sealed, { ...options(request), maxAge: ATTEMPT_SECONDS }).redirect(url.href);
  });

  server.get('/callback/oidc', async (request, reply) => {
    const attempt = await attempts.open(request.cookies[COOKIE] ?? '');
    reply.clearCookie(COOKIE, options(request));
    if (attempt === undefined) {
      throw new LogInError('attempt-over', 'This log-in took too long, or was begun in another browser. Begin again.');
    }
    const claims = await provider.finish(URL.parse(request.raw.url ?? '', 'http://own.invalid')?.search ?? '', attempt);
    await startSession(request, reply, userOfClaims(claims, oidc));
    return reply.redirect(attempt.target);
  });
}
