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
    [['immutable-name'], 'ImmutableField'],
    [['value-type-changed'], 'BreakingChange'],
    [['cardinality-narrowed'], 'BreakingChange'],
    [['allowed-values-introduced'], 'BreakingChange'],
    [['allowed-value-removed'], 'BreakingChange'],
    [['invalid-version'], 'InvalidVersion'],
    [['immutable-value'], 'ImmutableValue'],
    [['soft-deleted'], 'SoftDeleted'],
    [['not-allowed'], 'InvalidValue'],
    [['wrong-type'], 'InvalidValue'],
    [['too-many-values'], 'InvalidValue'],
    [['wrong-entity-type'], 'WrongEntityType'],
    [['wrong-type', 'immutable-value'], 'ImmutableValue'],
    [['search-name-collision'], 'Rejected'],
    [['a-code-of-tomorrow'], 'Rejected'],
    [[], 'Rejected'],
  ])('that tells the codes %j stalls the resource with the reason %s, whatever the message says', (codes, reason) => {
    const message = 'value: {string=an immutable property} is not for entity type soft deleted';
    const violations = codes.map((code) => ({ code, path: '', message }));
    expect(outcomeOfError(new RejectedError(400, message, violations), entry)).toEqual({
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
