import { Agent } from 'undici';
import type * as z from 'zod';
import {
  loginDeniedSchema,
  type PasswordCheck,
  passwordCheckAnswerSchema,
  type SessionAnswer,
  type SessionRequest,
  sessionAnswerSchema,
  systemAuthorization,
} from '../model/wire/auth.ts';
import { LogInError } from './log-in-error.ts';

/** The routes of the API server that only our own parts may use. */
export interface AuthClient {
  /** @throws LogInError `throttled`, `server-away`. */
  isPassword(check: PasswordCheck, from: string): Promise<boolean>;
  /** A new session for a user who has shown who they are. @throws LogInError `denied`, `throttled`, `server-away`. */
  beginSession(request: SessionRequest, from: string): Promise<SessionAnswer>;
  /** Ends it on every replica; one that is over stays so. @throws LogInError `server-away`. */
  endSession(token: string, from: string): Promise<void>;
  close(): Promise<void>;
}

interface AuthClientOptions {
  /** Address of the API server. */
  readonly upstream: string;
  readonly systemClientId: string;
  readonly systemSecret: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** How long the API server may take, in ms: checking a password costs time, and those of others wait too. */
const PATIENCE = 30_000;

/**
 * Nothing else uses the system credentials: they are added here, to the bodies that this file makes, and not by the
 * proxy to anything that a client sends. `from` is the address of the client, for the audit log and for throttling.
 */
export function createAuthClient({ upstream, systemClientId, systemSecret }: AuthClientOptions): AuthClient {
  const base = upstream.replace(/\/+$/u, '');
  const agent = new Agent({ headersTimeout: PATIENCE, bodyTimeout: PATIENCE });
  const system = systemAuthorization(systemClientId, systemSecret);

  async function post(path: string, authorization: string, from: string, body: object): Promise<Answer> {
    try {
      const { origin, pathname } = new URL(`${base}${path}`);
      const answer = await agent.request({
        origin,
        path: pathname,
        method: 'POST',
        headers: { authorization, 'x-forwarded-for': from, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.body.text();
      if (answer.statusCode === 429) throw throttled(answer.headers['retry-after']);
      if (answer.statusCode >= 500) throw new Error(`${path} is answered with ${answer.statusCode}`);
      return { status: answer.statusCode, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      if (error instanceof LogInError) throw error;
      const message = 'The API server does not answer. Try again in a moment.';
      throw new LogInError('server-away', message, { cause: error, retryAfterSeconds: 1 });
    }
  }

  return {
    async isPassword(check, from) {
      const answer = await post('/auth/verifyNativeUserCredentials', system, from, check);
      // A name that nobody can have; told apart from a wrong password it would help to guess.
      if (answer.status === 400) return false;
      return parsed(passwordCheckAnswerSchema, answer).doesPasswordMatch;
    },
    async beginSession(request, from) {
      const answer = await post('/auth/generateSessionTokenForUser', system, from, request);
      const denial = answer.status === 403 ? loginDeniedSchema.safeParse(answer.body).data : undefined;
      if (denial !== undefined)
        throw new LogInError('denied', denial.message, { loginDenialReason: denial.loginDenialReason });
      return parsed(sessionAnswerSchema, answer);
    },
    async endSession(token, from) {
      await post('/auth/endSession', `Bearer ${token}`, from, {});
    },
    close: () => agent.destroy(),
  };
}

/** @throws Error for what two parts that fit together do not say. */
function parsed<S extends z.ZodType>(schema: S, { status, body }: Answer): z.output<S> {
  if (status === 401) {
    throw new Error(
      'The API server does not take our system credentials: are DATAHUB_SYSTEM_CLIENT_ID and _SECRET the same there?',
    );
  }
  if (status !== 200) throw new Error(`The API server answers ${status} to a log-in: ${JSON.stringify(body)}`);
  return schema.parse(body);
}

function throttled(retryAfter: string | string[] | undefined): LogInError {
  const seconds = /^\d{1,6}$/u.test(String(retryAfter)) ? Number(retryAfter) : 60;
  const message = 'There were too many attempts to log in. Try again later.';
  return new LogInError('throttled', message, { retryAfterSeconds: seconds });
}
