import {
  type AnyHttpError,
  ConflictError,
  isHttpError,
  MissingError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from './http-errors.ts';

export interface HttpClientOptions {
  /** Base address, such as `http://127.0.0.1:8080`. */
  readonly host: string;
  /** Sent as bearer token. */
  readonly token?: string;
  /** Longest time of one request. */
  readonly timeoutMs?: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the host, already percent-encoded. */
  readonly path: string;
  /** Pairs, so that a name can repeat; absent values are left out. */
  readonly query?: readonly (readonly [string, string | undefined])[];
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpClient {
  /**
   * @returns the parsed JSON of the answer, `undefined` for an empty one.
   * @throws AnyHttpError
   */
  send(request: HttpRequest): Promise<unknown>;
  /** Gives up what is under way; every later request fails with UnavailableError. */
  close(): void;
}

export function createHttpClient({ host, token, timeoutMs = 30_000 }: HttpClientOptions): HttpClient {
  const base = host.replace(/\/+$/u, '');
  const closing = new AbortController();
  const authorization = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };

  async function send({ method, path, query = [], body, headers }: HttpRequest): Promise<unknown> {
    const present = query.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
    const search = new URLSearchParams(present.map(([name, value]): [string, string] => [name, value]));
    const address = `${base}${path}${search.size === 0 ? '' : `?${search}`}`;
    try {
      const response = await fetch(address, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...authorization,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = await response.text();
      if (!response.ok) throw errorOf(response, text, `${method} ${path}`);
      return text === '' ? undefined : parseJson(text, `${method} ${path}`);
    } catch (error) {
      throw isHttpError(error) ? error : new UnavailableError(unreachable(base, error), undefined, { cause: error });
    }
  }

  return { send, close: () => closing.abort() };
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnavailableError(`${what}: the answer is no JSON`);
  }
}

function errorOf(response: Response, text: string, what: string): AnyHttpError {
  const message = messageOf(text) ?? `${what}: ${response.status} ${response.statusText}`;
  switch (response.status) {
    case 404:
      return new MissingError(message);
    case 409:
      return new ConflictError(message);
    case 401:
    case 403:
      return new UnauthorizedError(message);
    case 408:
    case 425:
    case 429:
      return new UnavailableError(message, retryAfterMs(response));
    default:
      if (response.status >= 500) return new UnavailableError(message, retryAfterMs(response));
      return new RejectedError(response.status, message);
  }
}

/** The server says what is wrong as `{error, message}`; a proxy between us may say anything. */
function messageOf(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { error?: unknown; message?: unknown } | null;
    for (const said of [body?.message, body?.error]) if (typeof said === 'string' && said !== '') return said;
  } catch {
    // No JSON: the status line has to do.
  }
  return undefined;
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), at most a minute. */
function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get('retry-after');
  if (header === null) return undefined;
  const ms = /^\d+$/u.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 60_000) : undefined;
}

function unreachable(base: string, error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `${base} did not answer in time`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const detail = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
  return `cannot reach ${base}: ${detail}`;
}
