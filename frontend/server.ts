import httpProxy from '@fastify/http-proxy';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import { closeServer, listen } from '../process/listening.ts';
import type { FrontendConfig } from './config.ts';

/** What is forwarded, and to which path of the API server. */
const FORWARDED = [
  { prefix: '/api/gms', rewritePrefix: '/' },
  { prefix: '/openapi', rewritePrefix: '/openapi' },
  { prefix: '/api/graphql', rewritePrefix: '/api/graphql' },
  { prefix: '/api/v2/graphql', rewritePrefix: '/api/v2/graphql' },
];

const UNAVAILABLE = {
  error: 'Service Unavailable',
  message: 'The API server does not answer. Try again in a moment.',
};

export interface RunningFrontend {
  /** `http://host:port` that it answers on. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the proxy in front of the API server. It has no pages yet: `/` leads to the API's documentation. */
export async function startFrontend(config: FrontendConfig, log: Logger): Promise<RunningFrontend> {
  const server: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    http: { maxHeaderSize: 128 * 1024 },
    logController: new LogController({ disableRequestLogging: true }),
  });
  for (const { prefix, rewritePrefix } of FORWARDED) {
    await server.register(httpProxy, {
      upstream: config.PROPLANE_HOST,
      prefix,
      rewritePrefix,
      replyOptions: {
        onError: (reply) => {
          reply.code(503).header('retry-after', 1).send(UNAVAILABLE);
        },
      },
    });
  }
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0];
    return reply.code(404).send({ error: 'Not Found', message: `No endpoint ${request.method} ${path}.` });
  });
  server.get('/health', async () => ({ status: 'ok' }));
  server.get('/', async (_request, reply) => reply.redirect('/openapi/ui'));
  await listen(server, config.HOST, config.FRONTEND_PORT, 'FRONTEND_PORT');
  return { url: server.listeningOrigin, stop: () => closeServer(server) };
}
