import type { Logger } from 'pino';
import { createHttpServer } from '../process/http-server.ts';
import { closeServer, listen } from '../process/listening.ts';
import { collectMethods } from '../process/other-methods.ts';
import type { FrontendConfig } from './config.ts';
import { forward } from './forwarding.ts';

const FORWARDED = [
  { prefix: '/api/gms', path: '' },
  ...['/openapi', '/api/graphql', '/api/v2/graphql'].map((path) => ({ prefix: path, path })),
];

export interface RunningFrontend {
  /** `http://host:port` that it answers on. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the proxy in front of the API server. It has no pages yet: `/` leads to the API's documentation. */
export async function startFrontend(config: FrontendConfig, log: Logger): Promise<RunningFrontend> {
  const server = createHttpServer({ log, allowedHosts: config.ALLOWED_HOSTS });
  const refuseOtherMethods = collectMethods(server);
  server.get('/health', async () => ({ status: 'ok' }));
  server.get('/', async (_request, reply) => reply.redirect('/openapi/ui'));
  await server.register((proxy, _options, done) => {
    forward(proxy, config.PROPLANE_HOST, FORWARDED);
    done();
  });
  refuseOtherMethods();
  await listen(server, config.HOST, config.FRONTEND_PORT, 'FRONTEND_PORT');
  return { url: server.listeningOrigin, stop: () => closeServer(server) };
}
