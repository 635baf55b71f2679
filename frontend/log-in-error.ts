import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorHandler, errorAnswer, handleFault, refuse } from '../process/http-errors.ts';
import { plainPage, wantsPage } from './plain-page.ts';

/** Why somebody is not logged in. */
type LogInErrorCode =
  | 'throttled'
  | 'denied'
  | 'server-away'
  | 'attempt-over'
  | 'provider-refused'
  | 'provider-away'
  | 'provider-broken';

const STATUS: Readonly<Record<LogInErrorCode, number>> = {
  throttled: 429,
  denied: 403,
  'server-away': 503,
  'attempt-over': 400,
  'provider-refused': 403,
  'provider-away': 503,
  'provider-broken': 502,
};

interface LogInErrorDetails extends ErrorOptions {
  /** What is answered beside. */
  readonly retryAfterSeconds?: number;
  readonly loginDenialReason?: string;
}

/** `message` is for the person who logs in; what else there is to know is the cause, and for the log. */
export class LogInError extends Error {
  readonly code: LogInErrorCode;
  readonly details: LogInErrorDetails;
  constructor(code: LogInErrorCode, message: string, details: LogInErrorDetails = {}) {
    super(message, details);
    this.name = 'LogInError';
    this.code = code;
    this.details = details;
  }
}

/** A page for a browser that goes to an address, and one shape of JSON for everything else. */
export const handleLogInError: ErrorHandler = (error, request, reply) => {
  if (error instanceof LogInError) answerLogInError(error, request, reply);
  else handleFault(error, request, reply);
};

function answerLogInError(error: LogInError, request: FastifyRequest, reply: FastifyReply): void {
  const { retryAfterSeconds, loginDenialReason, cause } = error.details;
  const status = STATUS[error.code];
  if (cause !== undefined) request.log.warn({ err: cause, code: error.code }, 'nobody could be logged in');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (wantsPage(request)) {
    const page = { title: STATUS_CODES[status] ?? '', text: [error.message], link: { to: '/login', text: 'Log in' } };
    reply.code(status).type('text/html; charset=utf-8').send(plainPage(page));
    return;
  }
  const { body } = errorAnswer(status, error.message);
  refuse(reply, { status, body: { ...body, ...(loginDenialReason === undefined ? {} : { loginDenialReason }) } });
}
