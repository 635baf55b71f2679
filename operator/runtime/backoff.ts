export interface BackoffOptions {
  readonly firstMs: number;
  readonly greatestMs: number;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/**
 * The delay before attempt `attempt` (0 = the first repetition): doubling, at most the greatest, and up to a quarter
 * less by chance, so that keys that failed together do not all come back together.
 */
export function backoffDelay(attempt: number, { firstMs, greatestMs, random }: BackoffOptions): number {
  const full = Math.min(firstMs * 2 ** Math.min(attempt, 30), greatestMs);
  return Math.round(full * (1 - random() / 4));
}
