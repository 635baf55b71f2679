import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorBodySchema } from '../../model/wire/error-body.ts';
import { type ErrorAnswer, faultAnswer, refuse } from '../../process/http-errors.ts';
import { type CatalogErrorCode, ThrottledError } from '../catalog/errors.ts';
import { refusalOf, shownViolations } from '../catalog/refusal.ts';

/** The one table from what went wrong to what a client gets. */
export const ERROR_TABLE: Readonly<Record<CatalogErrorCode, { readonly status: number; readonly error: string }>> = {
  invalid: { status: 400, error: 'Validation Error' },
  malformed: { status: 400, error: 'Malformed Request' },
  unauthorized: { status: 401, error: 'Unauthorized' },
  throttled: { status: 429, error: 'Too Many Requests' },
  missing: { status: 404, error: 'Not Found' },
  precondition: { status: 412, error: 'Precondition Error' },
  fenced: { status: 409, error: 'Fenced' },
  'too-large': { status: 413, error: 'Payload Too Large' },
  timeout: { status: 503, error: 'Timeout' },
  unavailable: { status: 503, error: 'Service Unavailable' },
  damaged: { status: 500, error: 'Damaged Data' },
};

/** For the served document: what every route may answer beside its own. */
export const errorResponses = { '4xx': errorBodySchema, '5xx': errorBodySchema };

/** How clients show who they are. */
export const CHALLENGE = 'Bearer';

/** Seconds after which a client may try again what was unavailable. */
const RETRY_AFTER_SECONDS = 1;

export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const answer = answerOf(error);
  const { status } = answer;
  if (status >= 500) request.log.error({ err: error }, 'request failed');
  if (status === 401) reply.header('www-authenticate', CHALLENGE);
  if (error instanceof ThrottledError) reply.header('retry-after', error.retryAfter);
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  refuse(reply, answer);
}

function answerOf(error: FastifyError | Error): ErrorAnswer {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return answer(refusal.code, refusal.message, shownViolations(refusal));
  if (hasZodFastifySchemaValidationErrors(error)) {
    const where = error.validationContext ?? 'request';
    const problems = error.validation.map(({ instancePath, message }) => `${where}${instancePath}: ${message}`);
    return answer('malformed', problems.join('; '));
  }
  return faultAnswer(error);
}

function answer(code: CatalogErrorCode, message: string, more: object = {}): ErrorAnswer {
  const { status, error } = ERROR_TABLE[code];
  return { status, body: { error, message, ...more } };
}
