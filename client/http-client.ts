import { listOf } from '../model/list-of.ts';
import { type ErrorBody, type ErrorViolation, errorBodySchema } from '../model/wire/error-body.ts';
import { FENCE_HEADER, type Fence, printFence } from '../model/wire/fence.ts';
import { addressProblem, tokenProblem } from './address-and-token.ts';
import {
  type AnyHttpError,
  ConflictError,
  FencedError,
  isHttpError,
  MissingError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from './http-errors.ts';

export interface HttpClientOptions {
  /** Base address, such as `http://127.0.0.1:8080`. */
  readonly host: string;
  /** Sent as bearer token; asked for with each request when it can change. It may throw when there is none. */
  readonly token?: string | (() => string);
  /** The header `Authorization` as it is, of one who shows another thing than a token. */
  readonly authorization?: string;
  /** Longest time of one request. */
  readonly timeoutMs?: number;
  /** Of a leading operator: sent with every write. */
  readonly fence?: Fence;
  /**
   * Asked in the same turn in which a write is handed to `fetch`.
   * @returns false when it must not be sent any more: the request fails with a FencedError.
   */
  readonly beforeWrite?: () => boolean;
  /** Hears of every request that was sent, when its answer begins or fails to come. */
  readonly observer?: (answer: ObservedAnswer) => void;
}

export interface ObservedAnswer {
  readonly method: string;
  /** Absent: there was no answer. */
  readonly status?: number;
  readonly seconds: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the host, already percent-encoded. */
  readonly path: string;
  /** Pairs, so that a name can repeat; absent values are left out. */
  readonly query?: readonly (readonly [string, string | undefined])[];
  readonly body?: unknown;
  /** A POST that changes nothing: a leading operator sends it like a GET. */
  readonly readsOnly?: true;
  /** A body that is no JSON, sent as it is; its content type is among the headers. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpClient {
  /** Its address. */
  readonly host: string;
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

/** Title of the server's refusal of a leader that leads no more. */
const FENCED = 'Fenced';

/** @throws Error for an address or a token that cannot be used; what `fetch` says about one would tell the secret. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { host, token, timeoutMs = 30_000, fence, beforeWrite = () => true, observer } = options;
  const problem = addressProblem(host) ?? (typeof token === 'string' ? tokenProblem(token.trim()) : undefined);
  if (problem !== undefined) throw new Error(problem);
  const base = host.replace(/\/+$/u, '');
  const closing = new AbortController();
  const fencing = fence === undefined ? {} : { [FENCE_HEADER]: printFence(fence) };

  async function ask(request: HttpRequest, late: AbortSignal): Promise<Response> {
    const { method, path, query = [], body, text = body === undefined ? undefined : JSON.stringify(body) } = request;
    const present = query.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
    const search = new URLSearchParams(present.map(([name, value]): [string, string] => [name, value]));
    const isWrite = method !== 'GET' && request.readsOnly !== true;
    const url = `${base}${path}${search.size === 0 ? '' : `?${search}`}`;
    const authorization = authorizationOf(options);
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(authorization === undefined ? {} : { authorization }),
        ...(isWrite ? fencing : {}),
        ...request.headers,
      },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.any([closing.signal, late]),
    };
    // Nothing may come between the question and `fetch`: a process can be frozen at every await.
    if (isWrite && !beforeWrite())
      throw new FencedError(`${method} ${path} was not sent: another operator may lead now`);
    const response = await observed(fetch(url, init), method, observer);
    if (!response.ok) throw errorOf(response, await response.text(), `${method} ${path}`, authorization === undefined);
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

  return { host: base, send, stream, close: () => closing.abort() };
}

/** @throws UnauthorizedError when the token cannot be had. */
function authorizationOf({ token, authorization }: HttpClientOptions): string | undefined {
  if (authorization !== undefined || token === undefined) return authorization;
  // A secret that comes from a file often ends with a line end.
  const bearer = (typeof token === 'string' ? token : askFor(token)).trim();
  const problem = tokenProblem(bearer);
  if (problem !== undefined) throw new UnauthorizedError(problem);
  return bearer === '' ? undefined : `Bearer ${bearer}`;
}

function askFor(token: () => string): string {
  try {
    return token();
  } catch (error) {
    throw new UnauthorizedError(error instanceof Error ? error.message : String(error));
  }
}

async function observed(
  answer: Promise<Response>,
  method: string,
  observer: HttpClientOptions['observer'],
): Promise<Response> {
  const begin = performance.now();
  const tell = (status: { readonly status?: number }) =>
    observer?.({ method, ...status, seconds: (performance.now() - begin) / 1000 });
  try {
    const response = await answer;
    tell({ status: response.status });
    return response;
  } catch (error) {
    tell({});
    throw error;
  }
}

/** What went wrong with a request, also when there was no answer. */
export function failure(base: string, error: unknown): AnyHttpError {
  return isHttpError(error) ? error : new UnavailableError(unreachable(base, error), undefined, { cause: error });
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnavailableError(`${what}: the answer is no JSON`);
  }
}

/** What an answer that is no success means. @param anonymous whether there was no token to send. */
export function errorOf(response: Response, text: string, what: string, anonymous: boolean): AnyHttpError {
  const message = messageOf(text) ?? `${what}: ${response.status} ${response.statusText}`;
  switch (response.status) {
    case 404:
      return new MissingError(message, response.headers.get('not-found-reason') ?? undefined);
    case 409:
      return errorBodyOf(text).error === FENCED ? new FencedError(message) : new ConflictError(message);
    case 401:
    case 403:
      return new UnauthorizedError(message, anonymous);
    case 408:
    // The server is asked by a name that it does not know yet.
    case 421:
    case 425:
    case 429:
      return new UnavailableError(message, retryAfterMs(response));
    default:
      if (response.status >= 500) return new UnavailableError(message, retryAfterMs(response));
      return new RejectedError(response.status, message, violationsIn(text));
  }
}

function messageOf(text: string): string | undefined {
  const { error, message, errors } = errorBodyOf(text);
  // GraphQL has a list, also where the answer as a whole is a refusal.
  const [first] = listOf(errors) as ({ readonly message?: unknown } | null | undefined)[];
  return [message, error, first?.message].find((said): said is string => typeof said === 'string' && said !== '');
}

function violationsIn(text: string): ErrorViolation[] {
  return errorBodySchema.shape.violations.safeParse(errorBodyOf(text).violations).data ?? [];
}

/** The server says what is wrong as `ErrorBody`; a proxy between us may say anything. */
function errorBodyOf(text: string): Partial<Record<keyof ErrorBody | 'errors', unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    // No JSON: the status line has to do.
    return {};
  }
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
