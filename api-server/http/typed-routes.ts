import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** The server with requests that are typed by the schemas of their routes. */
export function typed(server: FastifyInstance) {
  return server.withTypeProvider<ZodTypeProvider>();
}

export type TypedServer = ReturnType<typeof typed>;

/** A request whose path and query have been read by the schemas of its route. */
export interface Asked<Params = unknown, Query = unknown> extends FastifyRequest {
  params: Params;
  query: Query;
}
