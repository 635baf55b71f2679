import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../process/clock.ts';
import { createHttpServer } from '../process/http-server.ts';
import { closeServer, listen } from '../process/listening.ts';
import { collectMethods } from '../process/other-methods.ts';
import { VERSION } from '../process/version.ts';
import { createAuthClient } from './auth-client.ts';
import type { FrontendConfig } from './config.ts';
import { forward } from './forwarding.ts';
import { noLogInRoutes, pageRoute, passwordRoute } from './log-in.ts';
import { handleLogInError } from './log-in-error.ts';
import { type LogInSettings, logInSettings } from './log-in-settings.ts';
import { logOutRoute } from './log-out.ts';
import { PAGES_FOLDER, servePages } from './pages.ts';
import { sessionOf } from './session-cookie.ts';
import { sessionStart } from './session-start.ts';

const FORWARDED = [
  { prefix: '/api/gms', path: '' },
  ...['/openapi', '/api/graphql', '/api/v2/graphql'].map((path) => ({ prefix: path, path })),
];

export interface RunningFrontend {
  /** `http://host:port` that it answers on. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the proxy in front of the API server, with the pages and what people log in by.
 * @param pages folder of the built pages.
 * @throws Error that names what is missing in the configuration, or why its address cannot be had.
 */
export async function startFrontend(
  config: FrontendConfig,
  log: Logger,
  clock: Clock,
  pages = PAGES_FOLDER,
): Promise<RunningFrontend> {
  const settings = logInSettings(config);
  const { ALLOWED_HOSTS: allowedHosts, TRUSTED_PROXIES: trustProxy } = config;
  const server = createHttpServer({ log, allowedHosts, ...(trustProxy.length === 0 ? {} : { trustProxy }) });
  await server.register(fastifyCookie);
  const refuseOtherMethods = collectMethods(server);
  server.get('/health', async () => ({ status: 'ok' }));
  server.get('/config.json', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({
      authEnabled: settings !== undefined,
      oidc: settings?.oidc === undefined ? null : { name: settings.oidc.provider.hostname },
      version: VERSION,
    }),
  );
  if (settings === undefined) noLogInRoutes(server);
  else await server.register((routes) => logInRoutes(routes, config.PROPLANE_HOST, settings, clock));
  await server.register((proxy, _options, done) => {
    forward(proxy, config.PROPLANE_HOST, FORWARDED, settings === undefined ? () => undefined : sessionOf);
    done();
  });
  refuseOtherMethods();
  await servePages(server, pages);
  await listen(server, config.HOST, config.FRONTEND_PORT, 'FRONTEND_PORT');
  return { url: server.listeningOrigin, stop: () => closeServer(server) };
}

async function logInRoutes(
  server: FastifyInstance,
  upstream: string,
  settings: LogInSettings,
  clock: Clock,
): Promise<void> {
  const client = createAuthClient({ upstream, ...settings });
  const startSession = sessionStart(client);
  server.addHook('onClose', () => client.close());
  server.setErrorHandler(handleLogInError);
  passwordRoute(server, client, startSession);
  await server.register((routes, _options, done) => {
    logOutRoute(routes, client);
    done();
  });
  if (settings.oidc === undefined) return pageRoute(server);
  // What is not needed where people log in by password is not loaded.
  const { oidcRoutes } = await import('./oidc/routes.ts');
  oidcRoutes(server, settings, settings.oidc, startSession, clock);
}
