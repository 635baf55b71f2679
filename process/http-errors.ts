import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_TARGET_BYTES } from '../model/limits.ts';
import type { ErrorBody } from '../model/wire/error-body.ts';

/** Every error answer of every server, whoever has found what is wrong: the status, and one shape of a body. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
}

export function errorAnswer(status: number, message: string): ErrorAnswer {
  return { status, body: { error: status === 400 ? 'Malformed Request' : (STATUS_CODES[status] ?? ''), message } };
}

/** Sends it in the middle of a hook or a handler. */
export function refuse(reply: FastifyReply, { status, body }: ErrorAnswer): FastifyReply {
  return reply.code(status).send(body);
}

/** What a client is told of an error that the server's own rules know nothing of. */
export function faultAnswer(error: FastifyError | Error): ErrorAnswer {
  const { statusCode, code } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return errorAnswer(414, 'A part of the path is too long.');
  if (error instanceof SyntaxError || code === 'FST_ERR_CTP_INVALID_JSON_BODY') {
    return { status: 400, body: { error: 'Invalid JSON format', message: error.message } };
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return errorAnswer(statusCode, error.message);
  // What went wrong inside is for the log; a client can do nothing with it.
  return errorAnswer(500, 'An unknown error occurred. The log has more.');
}

export type ErrorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;

export const handleFault: ErrorHandler = (error, request, reply) => {
  const answer = faultAnswer(error);
  if (answer.status >= 500) request.log.error({ err: error }, 'request failed');
  refuse(reply, answer);
};

export function answerUnknownPaths(server: FastifyInstance): void {
  server.setNotFoundHandler((request, reply) =>
    refuse(reply, errorAnswer(404, `No endpoint ${request.method} ${pathOf(request)}.`)),
  );
}

export function answerTooLongTargets(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw }, reply) => {
    const length = (raw.url ?? '').length;
    if (length > MAX_TARGET_BYTES)
      return refuse(reply, errorAnswer(414, `Path and query have ${length} bytes, more than ${MAX_TARGET_BYTES}.`));
  });
}

/** The headers that each answer has. */
export function markAnswer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
}

export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}
