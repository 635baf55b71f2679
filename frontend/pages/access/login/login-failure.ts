import { hasStatus } from '../../api/api-error.ts';

/** What whoever could not log in is told. */
export function loginFailure(error: unknown): string {
  if (hasStatus(error, 400) && error.message === 'Invalid Credentials') {
    return 'User name or password are wrong.';
  }
  if (hasStatus(error, 429)) {
    const { retryAfter } = error;
    const wait = retryAfter === undefined ? 'a while' : waitOf(retryAfter);
    return `Too many attempts. Try again in ${wait}.`;
  }
  if (hasStatus(error, 403)) return `${error.message} Ask an administrator.`;
  return error instanceof Error ? error.message : String(error);
}

function waitOf(seconds: number): string {
  if (seconds >= 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}
