import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { MAX_BODY_BYTES } from '../model/limits.ts';
import { errorAnswer, refuse } from '../process/http-errors.ts';
import { headersBack, headersOnward } from './forwarded-headers.ts';
import { mayLeadToAuth } from './path-to-auth.ts';

/** What is forwarded: paths that begin with `prefix`, with `path` in its place. */
export interface Forwarded {
  readonly prefix: string;
  readonly path: string;
}

/**
 * Forwards requests as they came: a path is passed on byte by byte, because a URN may hold anything, `/..` too, and
 * whoever decodes, cleans and encodes it again makes it another one. What leads to the routes that only our own parts use
 * is not forwarded at all.
 * @param sessionOf the token that a request carries in a cookie, if it does.
 */
export function forward(
  server: FastifyInstance,
  upstream: string,
  forwarded: readonly Forwarded[],
  sessionOf: (request: FastifyRequest) => string | undefined,
): void {
  const base = new URL(upstream);
  const agent = new Agent();
  server.addHook('onClose', () => agent.destroy());
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const { prefix, path } of forwarded) {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { raw } = request;
      const url = raw.url ?? '';
      // The router also finds a prefix of which letters are encoded.
      if (!url.startsWith(prefix)) return reply.callNotFound();
      const rest = `${path}${url.slice(prefix.length)}`;
      if (mayLeadToAuth(rest.replace(/\?.*$/su, ''))) return reply.callNotFound();
      if ((raw.headersDistinct.authorization?.length ?? 0) > 1)
        return refuse(reply, errorAnswer(400, 'The header Authorization is there more than once.'));
      if (Number(raw.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return refuseBody(reply);
      const target = `${base.pathname.replace(/\/$/u, '')}${rest}`;
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      try {
        const answer = await agent.request({
          origin: base.origin,
          path: target.startsWith('/') ? target : `/${target}`,
          method: raw.method as Dispatcher.HttpMethod,
          headers: headersOnward(request, sessionOf(request)),
          body: hasBody(raw.headers) ? Readable.from(limited(raw)) : null,
          signal: gone.signal,
        });
        // What is left of the body would be taken for the next request.
        if (!raw.complete) reply.header('connection', 'close');
        const { location } = answer.headers;
        if (typeof location === 'string' && location.startsWith('/') && path === '')
          answer.headers.location = `${prefix}${location}`;
        return reply.code(answer.statusCode).headers(headersBack(answer.headers)).send(answer.body);
      } catch (error) {
        // Nobody waits for an answer any more.
        if (gone.signal.aborted) return reply.hijack();
        if (error instanceof TooLarge) return refuseBody(reply);
        request.log.warn({ err: error }, 'the API server does not answer');
        const message = 'The API server does not answer. Try again in a moment.';
        return refuse(reply.header('retry-after', 1), errorAnswer(503, message));
      }
    };
    server.all(prefix, handler);
    server.all(`${prefix}/*`, handler);
  }
}

/** A body that has begun is longer than any server of ours takes. */
class TooLarge extends Error {}

/** The server behind would close the connection in the middle of a body that is too long, perhaps before its answer is read. */
async function* limited(body: IncomingMessage): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new TooLarge();
    yield chunk;
  }
}

function refuseBody(reply: FastifyReply): FastifyReply {
  return refuse(reply.header('connection', 'close'), errorAnswer(413, 'Request body is too large'));
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
