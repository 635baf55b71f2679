import { hostname } from 'node:os';
import { readMe } from '../client/access.ts';
import { createAccessToken } from '../client/access-tokens.ts';
import { createHttpClient } from '../client/http-client.ts';
import { RejectedError, UnauthorizedError } from '../client/http-errors.ts';
import { logIn, logOut, type Password, readFrontend } from '../client/log-in.ts';
import type { TokenDuration } from '../model/access/token-duration.ts';
import type { Clock } from '../process/clock.ts';

const BEHIND_FRONTEND = '/api/gms';

export interface LogInOptions {
  readonly clock: Clock;
  /** How long the access token is to live. */
  readonly duration: TokenDuration;
}

export interface Frontend {
  readonly address: string;
  /** Address of the API server behind it. */
  readonly host: string;
  readonly authEnabled: boolean;
}

/** The frontend at, or before, an address. @throws Error saying what to do when it is no frontend; AnyHttpError. */
export async function findFrontend(given: string): Promise<Frontend> {
  const bare = given.replace(/\/+$/u, '');
  const address = bare.endsWith(BEHIND_FRONTEND) ? bare.slice(0, -BEHIND_FRONTEND.length) : bare;
  const info = await readFrontend(address);
  if (info !== undefined) return { address, host: `${address}${BEHIND_FRONTEND}`, authEnabled: info.authEnabled };
  throw new Error(
    `No frontend answers at ${address}, and only there people log in: the API server itself takes tokens. ` +
      `Give the frontend's address as --host, such as http://127.0.0.1:9002${BEHIND_FRONTEND}, or a token that was ` +
      'made in its settings as --token',
  );
}

/**
 * Makes an access token with a user name and a password. The session that it needs for that is ended.
 * @returns the token. @throws Error when they are wrong; AnyHttpError.
 */
export async function tokenByPassword(
  { address, host }: Frontend,
  password: Password,
  { clock, duration }: LogInOptions,
): Promise<string> {
  const session = await checkedLogIn(address, password);
  const http = createHttpClient({ host, token: session });
  try {
    const { actor } = await readMe(http);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const name = `proplane init on ${hostname()} ${day}`;
    return (await createAccessToken(http, { actorUrn: actor, duration, name })).accessToken;
  } finally {
    // It ends by itself in a day: no reason to lose the token.
    await logOut(address, session).catch(() => undefined);
  }
}

/** Wrong names and passwords, and users who may not log in, are no question of tokens. */
async function checkedLogIn(address: string, password: Password): Promise<string> {
  try {
    return await logIn(address, password);
  } catch (error) {
    if (!(error instanceof RejectedError || error instanceof UnauthorizedError)) throw error;
    throw new Error(`${address} does not log ${password.username} in: ${error.message}`);
  }
}
