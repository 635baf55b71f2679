import * as z from 'zod';
import { ask } from './ask.ts';
import { createHttpClient, errorOf, failure } from './http-client.ts';
import { isHttpError, UnavailableError } from './http-errors.ts';

/** Logging in at a frontend as its pages do, without a browser. Addresses are those of the frontend, without `/api/gms`. */

const TIMEOUT = 30_000;
/** The cookie that has the session token. */
const SESSION = /^PLAY_SESSION=([^;]+)/u;

const frontendSchema = z.object({ authEnabled: z.boolean() });

export type FrontendInfo = z.output<typeof frontendSchema>;

/** @returns `undefined` when something else than a frontend answers there. @throws UnavailableError when nothing does. */
export async function readFrontend(address: string): Promise<FrontendInfo | undefined> {
  try {
    const http = createHttpClient({ host: address, timeoutMs: TIMEOUT });
    return await ask(http, { method: 'GET', path: '/config.json' }, frontendSchema);
  } catch (error) {
    const isSilent = error instanceof UnavailableError && error.cause !== undefined;
    if (isHttpError(error) && !isSilent) return undefined;
    throw error;
  }
}

export interface Password {
  readonly username: string;
  readonly password: string;
}

/** @returns a session token, which a client sends as any other token. @throws AnyHttpError */
export async function logIn(address: string, password: Password): Promise<string> {
  const what = `POST ${address}/logIn`;
  try {
    const response = await fetch(`${address}/logIn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(password),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const text = await response.text();
    if (!response.ok) throw errorOf(response, text, what, true);
    const cookies = response.headers.getSetCookie().map((cookie) => SESSION.exec(cookie)?.[1]);
    const session = cookies.find((token) => token !== undefined);
    if (session === undefined) throw new UnavailableError(`${what}: the answer has no session`);
    return session;
  } catch (error) {
    throw failure(address, error);
  }
}

/** Ends the session, everywhere at once. @param session its token. @throws AnyHttpError */
export async function logOut(address: string, session: string): Promise<void> {
  const what = `POST ${address}/logOut`;
  try {
    const response = await fetch(`${address}/logOut`, {
      method: 'POST',
      headers: { cookie: `PLAY_SESSION=${session}` },
      // It leads to the page where people log in.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (response.status >= 400) throw errorOf(response, await response.text(), what, true);
  } catch (error) {
    throw failure(address, error);
  }
}
