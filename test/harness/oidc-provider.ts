import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { type AdapterConstructor, Provider } from 'oidc-provider';
import { CookieJar } from './cookie-jar.ts';

/** Its memory for trying it out, taken by its path: named as what it is, it does not warn at each start. */
const MEMORY: string = 'oidc-provider/lib/adapters/memory_adapter.js';

const CLIENT = { client_id: 'proplane', client_secret: 'a-secret-of-the-provider' };

/** Of a frontend that the provider knows; nothing listens there. */
const BASE = 'https://proplane.example';

/** A real OpenID provider on a loopback port, at which the next person to come is logged in, or refuses. */
export class TestOidcProvider {
  /** Who comes next, and what is known of them. */
  person: Readonly<Record<string, unknown>> = { sub: '1', email: 'ada@example.com', email_verified: true };
  /** Whether they let Proplane know. */
  doConsent = true;
  /** While set, everything is answered with this status. */
  failing: number | undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #provider: Provider | undefined;

  /** @param method how a client shows who it is. */
  static async start(method: 'client_secret_basic' | 'client_secret_post' = 'client_secret_post') {
    const started = new TestOidcProvider();
    await started.#listen(method);
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What a frontend has to know of it. */
  get environment(): Record<string, string> {
    return {
      AUTH_OIDC_ENABLED: 'true',
      AUTH_OIDC_CLIENT_ID: CLIENT.client_id,
      AUTH_OIDC_CLIENT_SECRET: CLIENT.client_secret,
      AUTH_OIDC_DISCOVERY_URI: `${this.url}/.well-known/openid-configuration`,
      AUTH_OIDC_BASE_URL: BASE,
    };
  }

  /** Plays a browser that is sent to the provider. @returns path and query of the address that it is sent back to. */
  async visit(address: string): Promise<string> {
    const jar = new CookieJar();
    for (let next = address; ; ) {
      const response = await fetch(next, { redirect: 'manual', headers: { cookie: jar.header } });
      jar.take(response.headers);
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next}: ${response.status} ${await response.text()}`);
      if (location.startsWith(`${BASE}/`)) return location.slice(BASE.length);
      next = new URL(location, next).href;
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #listen(method: string): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const { createMemoryAdapter } = (await import(MEMORY)) as { createMemoryAdapter(s: number): AdapterConstructor };
    this.#provider = new Provider(this.url, {
      adapter: createMemoryAdapter(0),
      clients: [{ ...CLIENT, redirect_uris: [`${BASE}/callback/oidc`], token_endpoint_auth_method: method as never }],
      clientAuthMethods: [method as never],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'nickname'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...this.person, sub }) }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['of-a-test'] },
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'of-a-test' }] },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.failing !== undefined) response.writeHead(this.failing).end();
    else if (request.url?.startsWith('/interaction/')) await this.#interact(request, response);
    else await this.#provider?.callback()(request, response);
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider!;
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: String(this.person.sub) } });
    if (!this.doConsent) return provider.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }
}
