import type { FastifyInstance, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { MAX_BODY_BYTES } from '../model/limits.ts';
import { createHttpServer } from '../process/http-server.ts';
import { loggedQuery } from '../process/logged-url.ts';
import { collectMethods } from '../process/other-methods.ts';
import type { CatalogParts } from './catalog/parts.ts';
import { graphqlRoutes } from './graphql/register.ts';
import { describeApi } from './http/describe-api.ts';
import { accessRoutes } from './http/routes/access.ts';
import { authRoutes } from './http/routes/auth.ts';
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
import { sourceRoutes } from './http/routes/sources.ts';
import { refuseWritesWhileImporting, transferRoutes } from './http/routes/transfer.ts';
import { limitAnswers } from './request/answer-memory.ts';
import { authenticate } from './request/authentication.ts';
import { acceptJson } from './request/bodies.ts';
import { onlyReads, setDeadlines } from './request/context.ts';
import { handleError } from './request/errors.ts';
import { refuseBrokenQueries } from './request/utf8.ts';

/** Characters: older releases stored URNs that are longer than new ones may be. */
const MAX_URN_IN_PATH = 64 * 1024;

/**
 * The HTTP server over a catalogue, not yet listening.
 * @param allowedHosts names by which it is asked on a loopback address, beside those of the machine itself.
 */
export async function createServer(
  parts: CatalogParts,
  version: string,
  allowedHosts: readonly string[] = [],
): Promise<FastifyInstance> {
  const server = createHttpServer({
    log: parts.log,
    allowedHosts,
    handleError,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: parts.settings.requestTimeout,
    rewriteUrl: (request) => withoutPrefix(request.url ?? '/'),
    // Names of types and aspects are read in any case by the handlers: a router that ignores case cuts URNs at wrong
    // places, because some letters have more code units in lower case.
    routerOptions: { maxParamLength: MAX_URN_IN_PATH, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
  });
  // Bodies are checked by the catalogue, which names every violated rule; parameters by their schemas.
  server.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? (value: unknown) => ({ value }) : validatorCompiler(route as never),
  );
  server.setSerializerCompiler(() => (body) => JSON.stringify(body));
  acceptJson(server);
  setDeadlines(server, parts);
  authenticate(server, parts);
  refuseBrokenQueries(server);
  limitAnswers(server, parts);
  // One line a request, at its end, instead of two.
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
    healthRoutes(routes, parts, version);
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
      sourceRoutes(catalogue, parts);
    });
    await routes.register((graphql) => graphqlRoutes(graphql, parts));
    accessRoutes(routes, parts);
    authRoutes(routes, parts);
    jobRoutes(routes, parts);
    await transferRoutes(routes, parts);
    const response = { 200: z.record(z.string(), z.unknown()) };
    const document = { tags: ['Operations'], summary: 'This document', response };
    routes.get('/openapi/v3/api-docs', { schema: document, config: { open: true } }, async () => server.swagger());
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
