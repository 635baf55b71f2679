import type { FastifyInstance } from 'fastify';
import { errorAnswer, pathOf, refuse } from './http-errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Of each path, the methods that it has routes for. */
    methodsOf: ReadonlyMap<string, readonly string[]>;
  }
}

/**
 * Collects the methods of the routes that are added from now on. The function that it returns adds, to each of their
 * paths, an answer to all other methods: 405 with what there is.
 */
export function collectMethods(server: FastifyInstance): () => void {
  const methodsOf = new Map<string, string[]>();
  let isComplete = false;
  server.decorate('methodsOf', { getter: () => methodsOf });
  server.addHook('onRoute', ({ url, method }) => {
    if (!isComplete) methodsOf.set(url, [...(methodsOf.get(url) ?? []), ...[method].flat()]);
  });
  return () => {
    isComplete = true;
    for (const [url, methods] of methodsOf) {
      const allow = methods.join(', ');
      server.route({
        url,
        method: server.supportedMethods.filter((method) => !methods.includes(method)),
        schema: { hide: true },
        // Before the body is read: of what type it is does not matter.
        onRequest: async (request, reply) => {
          const message = `No endpoint ${request.method} ${pathOf(request)}; there is ${allow}.`;
          return refuse(reply.header('allow', allow), errorAnswer(405, message));
        },
        handler: () => undefined,
      });
    }
  };
}
