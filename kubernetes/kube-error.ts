/**
 * What a failed request means. `unavailable`: no answer, 5xx, 429 or an answer that cannot be read; `fenced`: it was not
 * sent, since the lease of this operator may have run out.
 */
export type KubeErrorCode =
  | 'missing'
  | 'conflict'
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'expired'
  | 'unavailable'
  | 'fenced';

/** A request to the Kubernetes API that failed. */
export class KubeError extends Error {
  readonly code: KubeErrorCode;
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** What the server asked to wait, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: KubeErrorCode,
    message: string,
    more: { readonly status?: number; readonly retryAfterMs?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'KubeError';
    this.code = code;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
  }
}

export function isKubeError(error: unknown, code: KubeErrorCode): error is KubeError {
  return error instanceof KubeError && error.code === code;
}
