import type { AnyHttpError } from '../../client/http-errors.ts';
import { isHttpError } from '../../client/http-errors.ts';
import { BREAKING_CHANGES } from '../../model/compatibility.ts';
import type { ViolationCode } from '../../model/violation-codes.ts';
import type { ErrorViolation } from '../../model/wire/error-body.ts';
import { describeFailure } from '../credentials.ts';
import { SourceError, type SourceResource } from '../source/port.ts';
import { at } from './messages.ts';
import { type Ended, requeue, terminal } from './outcome.ts';

/** Reasons for what the server refuses, by the rules that are violated; the first that has one of them counts. */
const REJECTIONS: readonly (readonly [reason: string, codes: readonly ViolationCode[]])[] = [
  ['ImmutableField', ['immutable-name']],
  ['BreakingChange', BREAKING_CHANGES],
  ['InvalidVersion', ['invalid-version']],
  ['ImmutableValue', ['immutable-value']],
  ['SoftDeleted', ['soft-deleted']],
  ['InvalidValue', ['not-allowed', 'wrong-type', 'too-many-values']],
  ['WrongEntityType', ['wrong-entity-type']],
];

/** The reason for a rejection. A server of the version before tells no codes: what it refuses is `Rejected`. */
export function rejectionReason(violations: readonly ErrorViolation[]): string {
  const violated: ReadonlySet<string> = new Set(violations.map(({ code }) => code));
  return REJECTIONS.find(([, codes]) => codes.some((code) => violated.has(code)))?.[0] ?? 'Rejected';
}

/** What a failed request means for the resource; `undefined` for an error that is none of a request. */
export function outcomeOfError(error: unknown, entry: SourceResource): Ended | undefined {
  if (error instanceof SourceError) return requeue('backoff', error.reason, error.message);
  return isHttpError(error) ? outcomeOf(error, entry) : undefined;
}

function outcomeOf(error: AnyHttpError, entry: SourceResource): Ended {
  switch (error.code) {
    case 'rejected':
      return terminal(error.status === 413 ? 'TooLarge' : rejectionReason(error.violations), at(entry, error.message));
    case 'missing':
      return requeue('backoff', 'NotFound', error.message);
    case 'conflict':
      return requeue('backoff', 'WriteConflict', error.message);
    case 'fenced':
      return requeue('backoff', 'LostLeadership', error.message);
    case 'unauthorized':
      return requeue('backoff', 'Unauthorized', describeFailure(error));
    case 'unavailable':
      return requeue(error.retryAfterMs ?? 'backoff', 'ServerUnavailable', error.message);
  }
}
