import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyInstance } from 'fastify';
import { MAX_HEAD_BYTES } from '../model/limits.ts';
import { type ErrorAnswer, errorAnswer } from './http-errors.ts';

/** How long a client that is still sending may take to read why it is refused, in ms. */
const LINGERING = 1_000;

/** The response that was begun last on a connection. */
const responses = new WeakMap<Socket, ServerResponse>();
const refused = new WeakSet<Socket>();

/** Answers what never becomes a request, in the shape of all errors; the language says it in several, or in none. */
export function answerBrokenRequests(server: FastifyInstance): void {
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response);
  });
  server.server.on('checkExpectation', ({ headers }: IncomingMessage, response: ServerResponse) => {
    const { head, body } = printed(errorAnswer(417, `This server does not know the expectation ${headers.expect}.`));
    response.writeHead(417, head).end(body);
  });
}

/** @param socket where bytes came that are no request, or where those of a request stopped coming. */
export function refuseConnection(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || refused.has(socket)) return;
  refused.add(socket);
  const answer = answerTo(error);
  const { head, body } = printed(answer);
  this.log.debug({ err: error, reqId: head['x-request-id'], status: answer.status }, 'no request');
  const before = responses.get(socket);
  // In the middle of an answer there is no place for another one.
  if (!socket.writable || (before?.headersSent && !before.writableEnded)) {
    socket.destroy();
    return;
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, ...lines, '', body].join('\r\n'));
  // At once would reset the connection, and the answer could be lost with it.
  setTimeout(() => socket.destroy(), LINGERING).unref();
}

function answerTo({ code, message }: ConnectionError): ErrorAnswer {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorAnswer(408, 'The request did not arrive whole in time.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return errorAnswer(431, `The request line and the headers have more than ${MAX_HEAD_BYTES} bytes.`);
  return errorAnswer(400, `This is no request of HTTP/1.1: ${message}.`);
}

function printed({ body }: ErrorAnswer) {
  const text = JSON.stringify(body);
  const head = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    'x-request-id': randomUUID(),
    'x-content-type-options': 'nosniff',
  };
  return { head, body: text };
}
