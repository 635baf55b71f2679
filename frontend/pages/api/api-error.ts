import type { ErrorBody, ErrorViolation } from '../../../model/wire/error-body.ts';

/** A request that was not answered as asked, in the words of the server where it has said any. */
export class ApiError extends Error {
  /** Of HTTP, or the code of a GraphQL error; 0 when there was no answer. */
  readonly status: number;
  readonly title: string;
  readonly violations: readonly ErrorViolation[];
  readonly moreViolations: number;
  /** By which the server's log names the request. */
  readonly requestId: string | undefined;
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, headers?: Headers) {
    super(body.message || fallbackMessage(status));
    this.name = 'ApiError';
    this.status = status;
    this.title = body.error || 'Error';
    this.violations = body.violations ?? [];
    this.moreViolations = body.moreViolations ?? 0;
    this.requestId = headers?.get('x-request-id') ?? undefined;
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  }
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}

/** What a person can do about an error. */
export function adviceOn(error: unknown): string {
  const status = error instanceof ApiError ? error.status : -1;
  switch (status) {
    case 0:
      return 'Check the connection, then try again.';
    case 400:
      return 'Mend what is named, then send it again.';
    case 401:
    case 403:
      return 'Ask an administrator for the permission.';
    case 404:
      return 'It may have been deleted. Go back to the list and look again.';
    case 409:
    case 412:
      return 'Somebody else was faster. Load the page again and repeat the change.';
    case 413:
      return 'Send less at a time.';
    case 429:
      return 'Wait a moment, then try again.';
    default:
      return status >= 500
        ? 'Try again in a moment. If it stays, look into the log of the server.'
        : 'Load the page again.';
  }
}

function fallbackMessage(status: number): string {
  if (status === 0) return 'The server cannot be reached.';
  if (status === 401) return 'This is not permitted.';
  return `The server answered with status ${status}.`;
}
