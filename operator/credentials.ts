import type { HttpClientOptions } from '../client/http-client.ts';
import { UnauthorizedError } from '../client/http-errors.ts';
import type { Clock } from '../process/clock.ts';
import { tokenFile } from '../process/token-file.ts';

/** How the API server knows the operator. */
export type Credentials = Pick<HttpClientOptions, 'token' | 'authorization'>;

/** As the environment says: a token, or else the file that has it. */
export function credentialsOf(
  {
    PROPLANE_TOKEN: token,
    PROPLANE_TOKEN_FILE: path,
  }: { PROPLANE_TOKEN?: string | undefined; PROPLANE_TOKEN_FILE?: string | undefined },
  clock: Clock,
): Credentials {
  if (token !== undefined) return { token };
  return path === undefined ? {} : { token: tokenFile(path, clock) };
}

/** What went wrong, for people: with what to do when it is our credentials. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof UnauthorizedError)) return error.message;
  return `the API server refuses our credentials (${error.message}): is the token in PROPLANE_TOKEN, or PROPLANE_TOKEN_FILE, valid, and does a policy grant its owner what the operator needs?`;
}
