import { KubeError, type KubeErrorCode } from './kube-error.ts';
import type { KubeObject } from './kube-object.ts';

/** The longest wait that a server may ask for, in ms. */
const LONGEST_WAIT_MS = 60_000;

type Header = string | readonly string[] | undefined;

/** What the API server says about a failure (`kind: Status`), as far as it is used; a proxy between us may say anything. */
interface StatusBody {
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly retryAfterSeconds?: unknown } | null;
}

/**
 * The error that an answer with a failure stands for.
 * @param what the request, for the message: `GET /api/v1/namespaces`.
 * @param retryAfter the header `Retry-After`; only seconds are understood.
 */
export function errorOfAnswer(what: string, status: number, text: string, retryAfter?: Header): KubeError {
  const body = asStatus(parse(text));
  const said = typeof body.message === 'string' && body.message !== '' ? body.message : `answered ${status}`;
  return errorOf(what, status, said, body, retryAfter);
}

/** The error that an event of type ERROR in a watch stands for. */
export function errorOfEvent(what: string, object: unknown): KubeError {
  const body = asStatus(object);
  const said = typeof body.message === 'string' && body.message !== '' ? body.message : 'the watch failed';
  return errorOf(what, typeof body.code === 'number' ? body.code : 500, said, body);
}

/** @throws KubeError `unavailable` for a text that is no JSON. */
export function parseAnswer(what: string, text: string): unknown {
  const value = parse(text);
  if (value === undefined) throw new KubeError('unavailable', `${what}: the answer is no JSON`);
  return value;
}

/** @throws KubeError `unavailable` for what is no object of the Kubernetes API. */
export function asKubeObject(what: string, value: unknown): KubeObject {
  const metadata = (value as KubeObject | null)?.metadata as Partial<KubeObject['metadata']> | undefined;
  const texts = [metadata?.name, metadata?.uid, metadata?.resourceVersion];
  if (texts.some((text) => typeof text !== 'string' || text === ''))
    throw new KubeError('unavailable', `${what}: the answer has no object with a name, a uid and a resourceVersion`);
  return value as KubeObject;
}

function errorOf(what: string, status: number, said: string, body: StatusBody, retryAfter?: Header): KubeError {
  const seconds = Number.parseInt(String(body.details?.retryAfterSeconds ?? retryAfter), 10);
  const retryAfterMs = seconds >= 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : undefined;
  return new KubeError(codeOf(status, body.reason), `${what}: ${said}`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function codeOf(status: number, reason: unknown): KubeErrorCode {
  if (reason === 'Expired' || reason === 'Gone') return 'expired';
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'missing';
    case 409:
      return 'conflict';
    case 410:
      return 'expired';
    case 408:
    case 425:
    case 429:
      return 'unavailable';
    default:
      return status >= 400 && status < 500 ? 'invalid' : 'unavailable';
  }
}

function asStatus(value: unknown): StatusBody {
  return typeof value === 'object' && value !== null ? value : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
