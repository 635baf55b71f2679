import type { AnyHttpError } from '../../client/http-errors.ts';
import { isHttpError } from '../../client/http-errors.ts';
import { SourceError, type SourceResource } from '../source/port.ts';
import { at } from './messages.ts';
import { type Ended, requeue, terminal } from './outcome.ts';

/** Reasons for what the server refuses, by a fragment of its message; the first that fits counts. */
const REJECTIONS: readonly (readonly [RegExp, string])[] = [
  [/cannot change the fully qualified name/iu, 'ImmutableField'],
  [/value type cannot be changed|cardinality cannot be changed|cannot restrict values/iu, 'BreakingChange'],
  [/invalid version/iu, 'InvalidVersion'],
  [/immutable property/iu, 'ImmutableValue'],
  [/soft deleted/iu, 'SoftDeleted'],
  [/should be (one of|a number|a date|a URN|a string)|has cardinality 1/iu, 'InvalidValue'],
  [/not for entity type/iu, 'WrongEntityType'],
];

/** The reason for a rejection that has this message. */
export function rejectionReason(message: string): string {
  return REJECTIONS.find(([fragment]) => fragment.test(message))?.[1] ?? 'Rejected';
}

/** What a failed request means for the resource; `undefined` for an error that is none of a request. */
export function outcomeOfError(error: unknown, entry: SourceResource): Ended | undefined {
  if (error instanceof SourceError) return requeue('backoff', error.reason, error.message);
  return isHttpError(error) ? outcomeOf(error, entry) : undefined;
}

function outcomeOf(error: AnyHttpError, entry: SourceResource): Ended {
  switch (error.code) {
    case 'rejected':
      return terminal(error.status === 413 ? 'TooLarge' : rejectionReason(error.message), at(entry, error.message));
    case 'missing':
      return requeue('backoff', 'NotFound', error.message);
    case 'conflict':
      return requeue('backoff', 'WriteConflict', error.message);
    case 'fenced':
      return requeue('backoff', 'LostLeadership', error.message);
    case 'unauthorized':
      return requeue('backoff', 'Unauthorized', error.message);
    case 'unavailable':
      return requeue(error.retryAfterMs ?? 'backoff', 'ServerUnavailable', error.message);
  }
}
