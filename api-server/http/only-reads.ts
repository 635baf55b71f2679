import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A POST that writes nothing. */
    readsOnly?: boolean;
  }
}

/** Whether a request can change nothing, whatever it asks. */
export function onlyReads({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config.readsOnly === true;
}
