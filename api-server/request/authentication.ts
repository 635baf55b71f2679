import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { AskedBy } from '../catalog/request.ts';
import { isOwnPart } from '../use-cases/sessions.ts';
import { actorOf } from './headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, and the registry view by which that was found. */
    asker: Pick<AskedBy, 'caller' | 'registry' | 'address'>;
  }
  interface FastifyContextConfig {
    /** Answers whoever asks. */
    open?: boolean;
  }
}

const NOT_SAID =
  'Nobody said who asks. Send an access token: `Authorization: Bearer <token>`; the frontend makes them, at Settings › Access Tokens.';

/**
 * Finds who asks, before anything else is looked at: whatever a route is about, it answers only those who have shown who
 * they are, unless it says that it is open.
 * @throws CatalogError `unauthorized`; `malformed` for an actor that cannot be read.
 */
export function authenticate(server: FastifyInstance, parts: CatalogParts): void {
  server.decorateRequest('asker', null as never);
  server.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.open !== true) request.asker = await askerOf(parts, request);
  });
}

async function askerOf(parts: CatalogParts, request: FastifyRequest): Promise<FastifyRequest['asker']> {
  const { authorization } = request.headers;
  const actor = actorOf(request);
  const credentials = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(actor === undefined ? {} : { actor }),
  };
  try {
    const identified = await parts.auth.identify(credentials);
    return { ...identified, address: addressOf(request, identified.caller) };
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'unauthorized') {
      const detail = authorization === undefined ? 'no credentials' : 'credentials that are not valid';
      parts.auth.audit.note({ actor: '', action: 'authenticate', outcome: 'refused', address: request.ip, detail });
      if (authorization === undefined) throw new CatalogError('unauthorized', NOT_SAID);
    }
    throw error;
  }
}

/** Our own parts say for whom they ask; what others say of that is nothing. */
function addressOf({ headers, ip }: FastifyRequest, caller: AskedBy['caller']): string {
  const said = headers['x-forwarded-for'];
  return isOwnPart(caller) && typeof said === 'string' ? said : ip;
}
