import { randomUUID } from 'node:crypto';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { MAX_HEAD_BYTES } from '../model/limits.ts';
import { answerTooLongTargets, answerUnknownPaths, type ErrorHandler, handleFault, markAnswer } from './http-errors.ts';
import { guardOrigin } from './request-origin.ts';
import { answerBrokenRequests, refuseConnection } from './socket-errors.ts';

/** How often connections are looked at for requests that take too long, in ms. */
const CONNECTION_CHECKS = 1_000;
/** How long a request may take to arrive, in ms. */
const PATIENCE = 60_000;

export interface HttpServerOptions extends Omit<FastifyServerOptions, 'loggerInstance' | 'http' | 'genReqId'> {
  readonly log?: Logger;
  /** Names under which a server on a loopback address may be asked, beside those of the machine itself. */
  readonly allowedHosts: readonly string[];
  /** Answers errors of hooks and routes; by default as those that no rules of the server's own know. */
  readonly handleError?: ErrorHandler;
}

/**
 * An HTTP server, as every role has one: errors have one shape wherever they arise, each answer has the id of its
 * request, and nothing that a page of somebody else makes a browser send changes anything.
 */
export function createHttpServer({ log, allowedHosts, handleError = handleFault, ...options }: HttpServerOptions) {
  const server = fastify({
    ...(log === undefined ? {} : { loggerInstance: log as FastifyBaseLogger }),
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: PATIENCE,
    ...options,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      connectionsCheckingInterval: CONNECTION_CHECKS,
      // Told in our own words.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseConnection as never,
    // What is wrong before a route is found, such as a path that cannot be decoded: no hook has run then.
    frameworkErrors: (error, request, reply) => handleError(error, request, markAnswer(request, reply as never)),
  });
  server.addHook('onRequest', async (request, reply) => {
    markAnswer(request, reply);
  });
  answerBrokenRequests(server);
  answerTooLongTargets(server);
  guardOrigin(server, allowedHosts);
  answerUnknownPaths(server);
  server.setErrorHandler(handleError);
  secureThePages(server);
  return server;
}

/** A page runs nothing, shows nothing and stands in no frame, unless its route says otherwise. */
function secureThePages(server: FastifyInstance): void {
  server.addHook('onSend', async (_request, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return;
    reply.header('x-frame-options', 'DENY').header('referrer-policy', 'no-referrer');
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  });
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/u.test(given) ? given : randomUUID();
}
