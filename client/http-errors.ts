import type { ErrorViolation } from '../model/wire/error-body.ts';

/** Every way in which a request can fail, as one literal word; what each means for a reconcile is told in one table. */
export type HttpErrorCode = 'rejected' | 'missing' | 'conflict' | 'fenced' | 'unauthorized' | 'unavailable';

abstract class HttpError extends Error {
  abstract readonly code: HttpErrorCode;
}

/** A rule is violated (400, 413, …): the same request would fail again. `message` is the server's. */
export class RejectedError extends HttpError {
  readonly code = 'rejected';
  readonly status: number;
  /** The violated rules by code; none from a server of the version before, or from what stands in between. */
  readonly violations: readonly ErrorViolation[];
  constructor(status: number, message: string, violations: readonly ErrorViolation[] = []) {
    super(message);
    this.name = 'RejectedError';
    this.status = status;
    this.violations = violations;
  }
}

/** What the request is about does not exist (404). */
export class MissingError extends HttpError {
  readonly code = 'missing';
  /** What the API server says is missing, `ENTITY` or `ASPECT`, when that was read; nothing else answers so. */
  readonly reason: string | undefined;
  constructor(message: string, reason?: string) {
    super(message);
    this.name = 'MissingError';
    this.reason = reason;
  }
}

/** Whether the API server itself says that an entity does not exist; a proxy in between may answer 404 to anything. */
export function isMissingEntity(error: unknown): error is MissingError {
  return error instanceof MissingError && error.reason === 'ENTITY';
}

/** Somebody else was faster (409): look again and retry. */
export class ConflictError extends HttpError {
  readonly code = 'conflict';
  constructor(message: string) {
    super(message);
    this.name = 'ConflictError';
  }
}

/** Another operator leads now (409, title `Fenced`), or this one cannot know that it still does: nothing was sent then. */
export class FencedError extends HttpError {
  readonly code = 'fenced';
  constructor(message: string) {
    super(message);
    this.name = 'FencedError';
  }
}

/** The token is not valid or may not do this (401, 403): retried, since permissions change without our doing. */
export class UnauthorizedError extends HttpError {
  readonly code = 'unauthorized';
  /** There was no token to send. */
  readonly anonymous: boolean;
  constructor(message: string, anonymous = false) {
    super(message);
    this.name = 'UnauthorizedError';
    this.anonymous = anonymous;
  }
}

/** No answer, too many requests, or an error of the server (421, 429, 5xx, network, time-out): retried. */
export class UnavailableError extends HttpError {
  readonly code = 'unavailable';
  /** What the server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnavailableError';
    this.retryAfterMs = retryAfterMs;
  }
}

export type AnyHttpError =
  | RejectedError
  | MissingError
  | ConflictError
  | FencedError
  | UnauthorizedError
  | UnavailableError;

export function isHttpError(error: unknown): error is AnyHttpError {
  return error instanceof HttpError;
}
