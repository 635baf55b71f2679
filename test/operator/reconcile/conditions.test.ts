import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findCondition, type ResourceStatus } from '../../../model/resource/status.ts';
import { firstStatus, nextStatus, sameStatus } from '../../../operator/reconcile/conditions.ts';
import { done, type Outcome, requeue, terminal } from '../../../operator/reconcile/outcome.ts';
import type { Report } from '../../../operator/reconcile/report.ts';

type Ended = Exclude<Outcome, { kind: 'continue' }>;

const NOON = new Date('2026-01-01T12:00:00Z');
const LATER = new Date('2026-01-01T13:00:00Z');
const report = (more: Partial<Report> = {}): Report => ({
  written: [],
  drift: [],
  adopted: [],
  recount: new Set(),
  affected: new Set(),
  ...more,
});

const ready = done('ready', 'Applied', 'done') as Ended;
const waiting = requeue('event', 'ReferenceNotFound', 'not there') as Ended;
const stalled = terminal('Invalid', 'no') as Ended;
const paused = done('paused', 'Paused', 'paused') as Ended;

const types = (status: ResourceStatus) => status.conditions.map(({ type, status: value }) => `${type}=${value}`);

describe('conditions', () => {
  it('say at first sight that nothing is known yet, and only then', () => {
    const first = firstStatus(undefined, NOON)!;
    expect(types(first)).toEqual(['Ready=Unknown', 'Reconciling=True']);
    expect(first).not.toHaveProperty('observedGeneration');
    expect(firstStatus(first, NOON)).toBeUndefined();
  });

  it.each([
    ['ready', ready, ['Ready=True']],
    ['waiting', waiting, ['Ready=False', 'Reconciling=True']],
    ['stalled', stalled, ['Ready=False', 'Stalled=True']],
  ] as const)('of a resource that is %s', (_what, outcome, expected) => {
    const status = nextStatus(undefined, outcome, report(), 3, NOON);
    expect(types(status)).toEqual(expected);
    expect(status.observedGeneration).toBe(3);
    for (const condition of status.conditions) expect(condition.observedGeneration).toBe(3);
  });

  it('keep the time of the transition while the status of a condition stays', () => {
    const before = nextStatus(undefined, waiting, report(), 1, NOON);
    const after = nextStatus(before, requeue('event', 'DatasetNotFound', 'other') as Ended, report(), 1, LATER);
    expect(findCondition(after, 'Ready')).toMatchObject({
      reason: 'DatasetNotFound',
      lastTransitionTime: NOON.toISOString(),
    });
    expect(findCondition(nextStatus(after, ready, report(), 1, LATER), 'Ready')?.lastTransitionTime).toBe(
      LATER.toISOString(),
    );
  });

  it('have messages that fit into an object of a cluster', () => {
    const status = nextStatus(undefined, terminal('Invalid', '🙂'.repeat(40_000)) as Ended, report(), 1, NOON);
    const { message = '' } = findCondition(status, 'Ready') ?? {};
    expect(message.length).toBeLessThanOrEqual(32_768);
    expect(message.isWellFormed()).toBe(true);
  });

  it('are the same again when nothing has changed', () => {
    const outcomes = fc.constantFrom(ready, waiting, stalled, paused);
    return fc.assert(
      fc.property(fc.array(outcomes, { maxLength: 5 }), outcomes, (history, last) => {
        const step = (status: ResourceStatus | undefined, outcome: Ended, now: Date) =>
          nextStatus(status, outcome, report(), 1, now);
        const once = [...history, last].reduce<ResourceStatus | undefined>(
          (status, one) => step(status, one, NOON),
          undefined,
        );
        expect(sameStatus(once, step(once, last, LATER))).toBe(true);
      }),
    );
  });

  it('never leave Ready=False alone, and always have Ready', () => {
    const outcomes = fc.array(fc.constantFrom(ready, waiting, stalled, paused), { minLength: 1, maxLength: 6 });
    return fc.assert(
      fc.property(outcomes, (history) => {
        let status = firstStatus(undefined, NOON);
        for (const outcome of history) status = nextStatus(status, outcome, report(), 1, NOON);
        const said = types(status!);
        expect(said.filter((text) => text.startsWith('Ready='))).toHaveLength(1);
        if (said.includes('Ready=False'))
          expect(said.some((text) => /^(Reconciling|Stalled)=True$/u.test(text))).toBe(true);
      }),
    );
  });

  it('of a paused resource stay what they were, its generation included', () => {
    const before = nextStatus(undefined, ready, report(), 1, NOON);
    const status = nextStatus(before, paused, report(), 2, LATER);
    expect(types(status)).toEqual(['Ready=True', 'Paused=True']);
    expect(status.observedGeneration).toBe(1);
    expect(types(nextStatus(status, ready, report(), 2, LATER))).toEqual(['Ready=True']);
  });

  it('tell what differs from a resource that is only observed', () => {
    const drifted = (differences: string[]) =>
      findCondition(nextStatus(undefined, ready, report({ differences }), 1, NOON), 'Drifted');
    expect(drifted(['a', 'b'])).toMatchObject({ status: 'True', message: 'a; b' });
    expect(drifted([])).toMatchObject({ status: 'False' });
  });

  it('count repaired drift and keep counts that were not taken anew', () => {
    const once = nextStatus(undefined, ready, report({ drift: ['x'], targets: 2 }), 1, NOON);
    const twice = nextStatus(once, ready, report({ drift: ['y'] }), 1, LATER);
    expect(twice).toMatchObject({ targets: 2, drift: { repaired: 2, last: LATER.toISOString(), message: 'y' } });
    expect(nextStatus(twice, ready, report(), 1, LATER).drift).toEqual(twice.drift);
  });
});
