import type { ErrorBody } from '../../../model/wire/error-body.ts';
import { ApiError } from './api-error.ts';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; absent: no body. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/**
 * A request to the API server, through the proxy, as whoever is signed in.
 * @param path as the server knows it, such as `/access/me`; parts that come from elsewhere have to be encoded: `pathOf`.
 * @returns the JSON of the answer; `undefined` when its body is empty.
 * @throws ApiError
 */
export function requestApi<T>(path: string, options?: RequestOptions): Promise<T> {
  return requestJson<T>(`/api/gms${path}`, options);
}

/** Likewise, to a path of the frontend itself. */
export async function requestJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { method = 'GET', body, contentType = 'application/json', signal } = options;
  const answer = await send(path, {
    method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new ApiError(answer.status, errorBodyOf(text), answer.headers);
  if (text === '') return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError(answer.status, { message: 'The server answered with something that is no JSON.' });
  }
}

/** A path of which each placeholder is encoded: pathOf`/access/users/${urn}`. */
export function pathOf(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));
}

/** `?a=1&b=2` of what is there; empty when nothing is. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, {});
  }
}

function errorBodyOf(text: string): Partial<ErrorBody> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
