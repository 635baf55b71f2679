import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  passwordCheckSchema,
  type SessionRequest,
  sessionRequestSchema,
  systemAuthorization,
} from '../../model/wire/auth.ts';
import { SYSTEM_SECRET } from './frontend.ts';

interface Seen {
  readonly method: string;
  /** As it came, with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An API server as the frontend sees it: it knows who may log in, and answers everything else with what it was asked. */
export class FakeAuthServer {
  /** Passwords by user name. */
  readonly passwords = new Map([['ada', 'lovelace']]);
  /** Users who may not log in. */
  readonly suspended = new Set<string>();
  /** Sessions that go on, by token. */
  readonly sessions = new Map<string, SessionRequest>();
  /** Every request. */
  readonly seen: Seen[] = [];
  /** While set, what each log-in is answered with. */
  failing: Answer | undefined;
  readonly expiresAt = Date.UTC(2100, 0, 1);
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    });
  });

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '', headers, rawHeaders } = request;
    const body = await text(request);
    this.seen.push({ method, url, headers, rawHeaders, body });
    if (!url.startsWith('/auth/')) {
      const cookie = { 'set-cookie': 'PLAY_SESSION=of-somebody-else' };
      return { status: 200, body: { method, url, headers, body }, headers: cookie };
    }
    if (this.failing !== undefined) return this.failing;
    if (url === '/auth/endSession') {
      const wasThere = this.sessions.delete(headers.authorization?.replace(/^Bearer /u, '') ?? '');
      return wasThere ? { status: 200, body: {} } : UNAUTHORIZED;
    }
    if (headers.authorization !== systemAuthorization('__datahub_system', SYSTEM_SECRET)) return UNAUTHORIZED;
    return url === '/auth/verifyNativeUserCredentials' ? this.#verify(body) : this.#begin(body);
  }

  #verify(body: string): Answer {
    const { username = '', password } = passwordCheckSchema.parse(JSON.parse(body));
    return { status: 200, body: { doesPasswordMatch: this.passwords.get(username) === password } };
  }

  #begin(body: string): Answer {
    const request = sessionRequestSchema.parse(JSON.parse(body));
    if (this.suspended.has(request.userId)) {
      const denied = { error: 'Forbidden', message: 'This account is suspended.', loginDenialReason: 'SUSPENDED' };
      return { status: 403, body: denied };
    }
    const accessToken = `session.${this.seen.length}.of-${Buffer.from(request.userId).toString('base64url')}`;
    this.sessions.set(accessToken, request);
    return { status: 200, body: { accessToken, expiresAt: this.expiresAt } };
  }
}

const UNAUTHORIZED: Answer = { status: 401, body: { error: 'Unauthorized', message: 'Unauthorized' } };
