import type { OwnAnswer } from '../fault-proxy.ts';

/** What servers answer that are too busy or broken. */

/** Of the Kubernetes API. */
export function tooManyRequests(seconds: number): OwnAnswer {
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { kind: 'Status', code: 429, reason: 'TooManyRequests', message: 'too many requests' },
  };
}

/** Of the Kubernetes API. */
export const internalError: OwnAnswer = {
  status: 500,
  body: { kind: 'Status', code: 500, reason: 'InternalError', message: 'something is broken' },
};

/** Of the API server. */
export const broken: OwnAnswer = { status: 500, body: { error: 'Internal Server Error', message: 'broken' } };

/** Of the API server. */
export function unavailable(seconds: number): OwnAnswer {
  return {
    status: 503,
    headers: { 'retry-after': String(seconds) },
    body: { error: 'Unavailable', message: 'busy' },
  };
}
