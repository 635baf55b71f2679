import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { MAX_BODY_BYTES } from '../model/limits.ts';
import { errorAnswer, refuse } from '../process/http-errors.ts';

/** What is forwarded: paths that begin with `prefix`, with `path` in its place. */
export interface Forwarded {
  readonly prefix: string;
  readonly path: string;
}

/** Are about one connection, not about the request or its answer (RFC 9110, 7.6.1). */
const OF_THE_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-connection',
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

/**
 * Forwards requests as they came: a path is passed on byte by byte, because a URN may hold anything, `/..` too, and
 * whoever decodes, cleans and encodes it again makes it another one.
 */
export function forward(server: FastifyInstance, upstream: string, forwarded: readonly Forwarded[]): void {
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
      if (Number(raw.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return refuseBody(reply);
      const target = `${base.pathname.replace(/\/$/u, '')}${path}${url.slice(prefix.length)}`;
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      try {
        const answer = await agent.request({
          origin: base.origin,
          path: target.startsWith('/') ? target : `/${target}`,
          method: raw.method as Dispatcher.HttpMethod,
          headers: { ...endToEnd(raw.headers, ANSWERED_HERE), 'x-request-id': request.id },
          body: hasBody(raw.headers) ? Readable.from(limited(raw)) : null,
          signal: gone.signal,
        });
        // What is left of the body would be taken for the next request.
        if (!raw.complete) reply.header('connection', 'close');
        const { location } = answer.headers;
        if (typeof location === 'string' && location.startsWith('/') && path === '')
          answer.headers.location = `${prefix}${location}`;
        return reply.code(answer.statusCode).headers(endToEnd(answer.headers)).send(answer.body);
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

function endToEnd(headers: IncomingHttpHeaders, alsoLeftOut: readonly string[] = []): IncomingHttpHeaders {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  const leftOut = new Set([...OF_THE_CONNECTION, ...named, ...alsoLeftOut]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !leftOut.has(name)));
}
