import { addressProblem, tokenProblem } from './address-and-token.ts';
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
  /** A body that is no JSON, sent as it is; its content type is among the headers. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpClient {
  /**
   * @returns the parsed JSON of the answer, `undefined` for an empty one.
   * @throws AnyHttpError
   */
  send(request: HttpRequest): Promise<unknown>;
  /**
   * The answer's body as it arrives; only its beginning has to come in time.
   * @throws AnyHttpError, also in the middle.
   */
  stream(request: HttpRequest): AsyncIterable<Uint8Array>;
  /** Gives up what is under way; every later request fails with UnavailableError. */
  close(): void;
}

/** @throws Error for an address or a token that cannot be used; what `fetch` says about one would tell the secret. */
export function createHttpClient({ host, token, timeoutMs = 30_000 }: HttpClientOptions): HttpClient {
  // A secret that comes from a file often ends with a line end.
  const bearer = token?.trim() ?? '';
  const problem = addressProblem(host) ?? tokenProblem(bearer);
  if (problem !== undefined) throw new Error(problem);
  const base = host.replace(/\/+$/u, '');
  const closing = new AbortController();
  const authorization = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };

  async function ask(request: HttpRequest, late: AbortSignal): Promise<Response> {
    const { method, path, query = [], body, text = body === undefined ? undefined : JSON.stringify(body) } = request;
    const present = query.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
    const search = new URLSearchParams(present.map(([name, value]): [string, string] => [name, value]));
    const response = await fetch(`${base}${path}${search.size === 0 ? '' : `?${search}`}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...authorization,
        ...request.headers,
      },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.any([closing.signal, late]),
    });
    if (!response.ok) throw errorOf(response, await response.text(), `${method} ${path}`);
    return response;
  }

  async function send(request: HttpRequest): Promise<unknown> {
    try {
      const text = await (await ask(request, AbortSignal.timeout(timeoutMs))).text();
      return text === '' ? undefined : parseJson(text, `${request.method} ${request.path}`);
    } catch (error) {
      throw failure(base, error);
    }
  }

  async function* stream(request: HttpRequest): AsyncGenerator<Uint8Array> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('too late', 'TimeoutError')), timeoutMs);
    try {
      const { body } = await ask(request, late.signal).finally(() => clearTimeout(timer));
      if (body !== null) yield* body;
    } catch (error) {
      throw failure(base, error);
    }
  }

  return { send, stream, close: () => closing.abort() };
}

function failure(base: string, error: unknown): AnyHttpError {
  return isHttpError(error) ? error : new UnavailableError(unreachable(base, error), undefined, { cause: error });
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
  if (error instanceof Error && error.name === 'TimeoutError') return `No answer from ${base} in time`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const detail = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
  return `No answer from ${base} (${detail})`;
}
