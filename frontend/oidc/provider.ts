import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { LogInError } from '../log-in-error.ts';
import type { OidcSettings } from '../log-in-settings.ts';
import type { Attempt } from './attempt.ts';
import type { Claims } from './user-of-claims.ts';

/** How long the provider may take to answer one question, in seconds. */
const PATIENCE = 10;

/** The secrets of one attempt. */
type Secrets = Omit<Attempt, 'target'>;

export interface OidcProvider {
  /** Where a browser is sent to log in. @throws LogInError */
  begin(): Promise<{ readonly url: URL; readonly secrets: Secrets }>;
  /**
   * Takes what the provider has sent the browser back with.
   * @param search the query of that address.
   * @throws LogInError
   */
  finish(search: string, secrets: Secrets): Promise<Claims>;
}

/** The provider is asked what it can do when somebody first logs in, so that a frontend starts without it. */
export function oidcProvider(settings: OidcSettings): OidcProvider {
  const { clientId, provider, redirectUri, scope } = settings;
  let known: Promise<Configuration> | undefined;

  function configuration(): Promise<Configuration> {
    known ??= discovery(provider, clientId, undefined, clientSecret(settings), {
      timeout: PATIENCE,
      execute: provider.protocol === 'http:' ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function begin() {
    const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(await configuration(), {
      redirect_uri: redirectUri.href,
      scope,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url, secrets };
  }

  async function finish(search: string, { state, nonce, verifier }: Secrets) {
    const known = await configuration();
    const tokens = await authorizationCodeGrant(known, new URL(`${redirectUri.href}${search}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    });
    const claims = tokens.claims() ?? { sub: '' };
    const hasMore = known.serverMetadata().userinfo_endpoint !== undefined;
    return hasMore ? { ...claims, ...(await fetchUserInfo(known, tokens.access_token, claims.sub)) } : claims;
  }

  return {
    begin: () => begin().catch(rethrow),
    finish: (search, secrets) => finish(search, secrets).catch(rethrow),
  };
}

/** In the body where the provider takes it there, because some expect odd encodings in the header. */
function clientSecret({ clientSecret: secret }: OidcSettings): ReturnType<typeof ClientSecretPost> {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (as, ...rest) =>
    (as.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? inBody : inHeader)(as, ...rest);
}

/** What the browser brought, or the provider's token says, is not of the attempt that was begun with it. */
const NOT_OF_THIS_ATTEMPT = ['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'];
const AWAY = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'];

function rethrow(error: unknown): never {
  throw problemOf(error);
}

function problemOf(error: unknown): LogInError {
  const cause = { cause: error };
  if (error instanceof AuthorizationResponseError) {
    return new LogInError('provider-refused', `The provider does not let you in: it says "${error.error}".`);
  }
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
    return new LogInError('attempt-over', 'This log-in was used already, or took too long. Begin again.', cause);
  }
  const code = error instanceof ClientError ? (error.code ?? '') : '';
  if (NOT_OF_THIS_ATTEMPT.includes(code)) {
    return new LogInError('attempt-over', 'This is not the log-in that was begun in this browser. Begin again.', cause);
  }
  if (AWAY.includes(code) || isUnreachable(error)) {
    const message = 'The provider that knows the users does not answer. Try again in a moment.';
    return new LogInError('provider-away', message, { ...cause, retryAfterSeconds: 5 });
  }
  return new LogInError('provider-broken', 'The provider and Proplane do not fit together; the log has more.', cause);
}

/** Nobody listens, or no name leads there: what `fetch` says of it lies somewhere among the causes. */
function isUnreachable(error: unknown): boolean {
  const { message, cause } = (error ?? {}) as { readonly message?: unknown; readonly cause?: unknown };
  return message === 'fetch failed' || (cause !== undefined && isUnreachable(cause));
}
