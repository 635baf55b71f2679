import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CatalogParts } from '../catalog/parts.ts';
import { CatalogRequest } from '../catalog/request.ts';
import { fenceOf } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When it has to be done, by the monotonic clock, ms. */
    deadline: number;
  }
  interface FastifyContextConfig {
    /** A POST that writes nothing. */
    readsOnly?: boolean;
  }
}

/** The time of a request runs from the moment in which it comes in, not from the one in which its body is there. */
export function setDeadlines(server: FastifyInstance, { monotonic, settings }: CatalogParts): void {
  server.decorateRequest('deadline', 0);
  server.addHook('onRequest', async (request) => {
    request.deadline = monotonic() + settings.requestTimeout;
  });
}

/**
 * Who asks, until when, and as which leader: once a request, since its reads have one view of the registry.
 * @throws CatalogError for the fence of a write that cannot be read.
 */
export function contextOf(parts: CatalogParts, request: FastifyRequest): CatalogRequest {
  const fence = onlyReads(request) ? undefined : fenceOf(request);
  const context = {
    ...request.asker,
    deadline: request.deadline,
    ...(fence === undefined ? {} : { fence }),
  };
  return new CatalogRequest(parts, context, () => request.heldAnswer.admit());
}

/** Whether a request can change nothing, whatever it asks. */
export function onlyReads({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config.readsOnly === true;
}
