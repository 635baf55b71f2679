import { describe, expect, it } from '@jest/globals';
import {
  ConflictError,
  FencedError,
  MissingError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from '../../../client/http-errors.ts';
import { outcomeOfError } from '../../../operator/reconcile/error-outcome.ts';
import type { SourceResource } from '../../../operator/source/port.ts';

const entry: SourceResource = {
  id: { kind: 'StructuredProperty', namespace: 'a', name: 'b' },
  wish: { kind: 'unknown' },
  generation: 1,
  created: 0,
  deleting: false,
  location: 'x.yaml:3',
};

describe('an error of the server', () => {
  it.each([
    ['Cannot change the fully qualified name', 'ImmutableField'],
    ['allowedValues: Cannot restrict values that were previously allowed', 'BreakingChange'],
    ['Invalid version specified. Must match', 'InvalidVersion'],
    ['properties[0]: Cannot apply a soft deleted Structured Property value', 'SoftDeleted'],
    ['value: {double=31.0} should be one of [{double=30.0}]', 'InvalidValue'],
    ['p is for [dataFlow], not for entity type dataset', 'WrongEntityType'],
    ['something new', 'Rejected'],
  ])('"%s" stalls the resource with the reason %s and the place of the manifest', (message, reason) => {
    expect(outcomeOfError(new RejectedError(400, message), entry)).toEqual({
      kind: 'terminal',
      why: { reason, message: `x.yaml:3: ${message}` },
    });
  });

  it.each([
    [new RejectedError(413, 'too much'), { kind: 'terminal', why: { reason: 'TooLarge' } }],
    [new MissingError('gone'), { kind: 'requeue', after: 'backoff', why: { reason: 'NotFound' } }],
    [new ConflictError('late'), { kind: 'requeue', after: 'backoff', why: { reason: 'WriteConflict' } }],
    [new FencedError('too late'), { kind: 'requeue', after: 'backoff', why: { reason: 'LostLeadership' } }],
    [new UnauthorizedError('who?'), { kind: 'requeue', after: 'backoff', why: { reason: 'Unauthorized' } }],
    [new UnavailableError('away'), { kind: 'requeue', after: 'backoff', why: { reason: 'ServerUnavailable' } }],
    [new UnavailableError('busy', 1500), { kind: 'requeue', after: 1500, why: { reason: 'ServerUnavailable' } }],
  ])('%s', (error, outcome) => {
    expect(outcomeOfError(error, entry)).toMatchObject(outcome);
  });

  it('is something else than a fault of ours', () => {
    expect(outcomeOfError(new TypeError('oops'), entry)).toBeUndefined();
  });
});
