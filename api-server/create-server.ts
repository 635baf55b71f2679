import { randomUUID } from 'node:crypto';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { loggedQuery } from '../process/logged-url.ts';
import type { CatalogParts } from './catalog/parts.ts';
import { graphqlRoutes } from './graphql/register.ts';
import { describeApi } from './http/describe-api.ts';
import { collectMethods } from './http/other-methods.ts';
import { batchRoutes } from './http/routes/batches.ts';
import { entityRoutes } from './http/routes/entities.ts';
import { entityReadRoutes } from './http/routes/entity-reads.ts';
import { fenceRoutes, refuseFencedWrites } from './http/routes/fences.ts';
import { healthRoutes } from './http/routes/health.ts';
import { jobRoutes } from './http/routes/jobs.ts';
import { metricsRoutes } from './http/routes/metrics.ts';
import { ownerRoutes } from './http/routes/owners.ts';
import { resourceRoutes } from './http/routes/resources.ts';
import { scrollRoute } from './http/routes/scroll.ts';
import { refuseWritesWhileImporting, transferRoutes } from './http/routes/transfer.ts';
import { acceptJson } from './request/bodies.ts';
import { onlyReads, setDeadlines } from './request/context.ts';
import { handleError, handleUnknownRoute } from './request/errors.ts';

/** Clients of the reference catalogue send bodies of up to 15 MiB. */
const BODY_LIMIT = 16 * 1024 * 1024;
const MAX_URN_IN_PATH = 64 * 1024;

/** The HTTP server over a catalogue, not yet listening. */
export async function createServer(parts: CatalogParts, version: string): Promise<FastifyInstance> {
  const server = fastify({
    loggerInstance: parts.log as FastifyBaseLogger,
    bodyLimit: BODY_LIMIT,
    // One line a request, at its end (below), instead of two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestTimeout: parts.settings.requestTimeout,
    rewriteUrl: (request) => withoutPrefix(request.url ?? '/'),
    // Names of types and aspects are read in any case by the handlers: a router that ignores case cuts URNs at wrong
    // places, because some letters have more code units in lower case.
    routerOptions: { maxParamLength: MAX_URN_IN_PATH, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    // A query and a URN stand in the request line, percent-encoded; the language's own limit is 16 KiB.
    http: { maxHeaderSize: 128 * 1024 },
    // What is wrong before a route is found, such as a path that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply.header('x-request-id', request.id) as never);
    },
  });
  server.setErrorHandler(handleError);
  server.setNotFoundHandler(handleUnknownRoute);
  // Bodies are checked by the catalogue, which names every violated rule; parameters by their schemas.
  server.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? (value: unknown) => ({ value }) : validatorCompiler(route as never),
  );
  server.setSerializerCompiler(() => (body) => JSON.stringify(body));
  acceptJson(server);
  setDeadlines(server, parts);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  server.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      url: request.url,
      query: loggedQuery(request.query, parametersOf(request)),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (onlyReads(request) && reply.statusCode < 400) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
  });
  await describeApi(server, version);
  const refuseOtherMethods = collectMethods(server);
  await server.register(async (routes) => {
    metricsRoutes(server, parts);
    healthRoutes(routes, parts);
    refuseFencedWrites(routes, parts);
    fenceRoutes(routes, parts);
    await routes.register(async (catalogue) => {
      refuseWritesWhileImporting(catalogue, parts);
      entityRoutes(catalogue, parts);
      batchRoutes(catalogue, parts);
      scrollRoute(catalogue, parts);
      entityReadRoutes(catalogue, parts);
      ownerRoutes(catalogue, parts);
      resourceRoutes(catalogue, parts);
    });
    await routes.register((graphql) => graphqlRoutes(graphql, parts));
    jobRoutes(routes, parts);
    await transferRoutes(routes, parts);
    const response = { 200: z.record(z.string(), z.unknown()) };
    const document = { tags: ['Operations'], summary: 'This document', response };
    routes.get('/openapi/v3/api-docs', { schema: document }, async () => server.swagger());
  });
  refuseOtherMethods();
  return server;
}

/** Names of the parameters that its route has. */
function parametersOf({ routeOptions }: FastifyRequest): string[] {
  const { querystring } = routeOptions.schema ?? {};
  return querystring instanceof z.ZodObject ? Object.keys(querystring.shape) : [];
}

/** Every route also answers under `/gms`, and some clients begin the path with two slashes. */
function withoutPrefix(url: string): string {
  return url
    .replace(/^\/{2,}/u, '/')
    .replace(/^\/gms(?=[/?]|$)/u, '')
    .replace(/^\/*/u, '/');
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/u.test(given) ? given : randomUUID();
}
