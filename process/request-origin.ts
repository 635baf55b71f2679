import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { type ErrorAnswer, errorAnswer, refuse } from './http-errors.ts';

/** What cannot be made to change anything: a page of somebody else may ask for it, and does not see the answer. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Names of this machine, as URLs have them. */
export const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u;
const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/u;

/** In an environment: `a.example, b.example`. */
export const allowedHostsVariable = z
  .string()
  .default('')
  .transform((text, context) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => {
        const name = nameOf(part);
        if (name === undefined) context.addIssue({ code: 'custom', message: `${part} is no name of a host` });
        return name ?? part;
      }),
  )
  .describe('Names of hosts, comma-separated, by which a server that listens on a loopback address is asked too');

/**
 * Keeps pages of others from using a browser of ours as their hand. Without access control whoever reaches the server may
 * do everything, and what is open to one machine alone must not be open to every page that is shown on it; with it a
 * browser sends the cookie of a session along.
 *
 * A name whose owner lets it lead to 127.0.0.1 (DNS rebinding) is told by the header `Host`. A page of another origin is
 * told by `Sec-Fetch-Site`, or by `Origin` where a browser does not send that; this is the way of Go's
 * CrossOriginProtection. What is no browser sends neither.
 */
export function guardOrigin(server: FastifyInstance, allowedHosts: readonly string[]): void {
  let isLocal: boolean | undefined;
  server.addHook('onListen', async () => {
    isLocal = server.addresses().every((at) => typeof at !== 'string' && LOOPBACK_ADDRESS.test(at.address));
  });
  server.addHook('onRequest', async (request, reply) => {
    const problem = (isLocal === false ? undefined : hostProblem(request, allowedHosts)) ?? originProblem(request);
    if (problem !== undefined) return refuse(reply, problem);
  });
}

function hostProblem({ raw, headers }: FastifyRequest, allowed: readonly string[]): ErrorAnswer | undefined {
  const { host } = headers;
  if (host === undefined) {
    return raw.httpVersion === '1.0' ? undefined : errorAnswer(400, 'The header Host is missing.');
  }
  const name = nameOf(host);
  if (name !== undefined && (LOOPBACK_NAME.test(name) || allowed.includes(name))) return undefined;
  return errorAnswer(
    421,
    `This server listens on a loopback address and is not known as ${JSON.stringify(host)}. ` +
      'If it is to be, name the host in ALLOWED_HOSTS where the server is started.',
  );
}

function originProblem({ method, headers }: FastifyRequest): ErrorAnswer | undefined {
  if (SAFE_METHODS.includes(method)) return undefined;
  return isFromOwnPage(headers)
    ? undefined
    : errorAnswer(
        403,
        `A browser sent this from ${headers.origin ?? 'a page of another origin'}; only own pages may change things.`,
      );
}

/** Whether a person or a page of this origin sent it, or what is no browser. */
export function isFromOwnPage({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return OWN_SITES.includes(String(site));
  return origin === undefined || URL.parse(origin)?.host === host;
}

const OWN_SITES = ['same-origin', 'none'];

/** In lower case, without a port. */
function nameOf(host: string): string | undefined {
  if (!/^[^\s/?#@\\]+$/u.test(host)) return undefined;
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/u, '');
}
