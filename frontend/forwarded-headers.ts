import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Are about one connection, not about the request or its answer (RFC 9110, 7.6.1). */
const OF_THE_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

/**
 * Are answered here: who may ask is looked at by the frontend, whose name and origin the browser knows, and the word to
 * go on with a long body is given by the server that it is sent to first.
 */
const ANSWERED_HERE = ['host', 'expect', 'origin', 'sec-fetch-site'];

/** Are for our own parts to say: where a request comes from, and for whom it is sent. A cookie is between a browser and us. */
const OF_OUR_OWN = ['cookie', 'x-datahub-actor', 'forwarded', 'x-real-ip'];

/** The headers of a request as the API server gets them. A client's own credentials go before those of its cookie. */
export function headersOnward(request: FastifyRequest, session: string | undefined): IncomingHttpHeaders {
  const { headers } = request.raw;
  const authorization = headers.authorization ?? (session === undefined ? undefined : `Bearer ${session}`);
  return {
    ...endToEnd(headers, (name) => [...ANSWERED_HERE, ...OF_OUR_OWN].includes(name) || name.startsWith('x-forwarded-')),
    ...(authorization === undefined ? {} : { authorization }),
    'x-forwarded-for': request.ip,
    'x-request-id': request.id,
  };
}

/** The headers of an answer as a client gets them: cookies are ours to set. */
export function headersBack(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return endToEnd(headers, (name) => name === 'set-cookie');
}

function endToEnd(headers: IncomingHttpHeaders, isLeftOut: (name: string) => boolean): IncomingHttpHeaders {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  const ofTheConnection = new Set([...OF_THE_CONNECTION, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.has(name) && !isLeftOut(name)));
}
