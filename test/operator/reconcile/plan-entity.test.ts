import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TypedValue } from '../../../model/typed-value.ts';
import { type PlanInput, planEntity } from '../../../operator/reconcile/dataset-properties/plan-entity.ts';

const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const input = (more: Partial<PlanInput>): PlanInput => ({
  entity: { urn, dataset: urn, fieldPath: undefined },
  wanted: new Map(),
  observed: [],
  softDeleted: new Set(),
  replace: false,
  marks: new Map(),
  winner: () => undefined,
  inherited: () => false,
  ...more,
});

const values = [{ double: 1 }];
const held = (propertyUrn: string, has: TypedValue[] = values) => ({ propertyUrn, values: has });

describe('the plan for an entity', () => {
  it('adds what is missing, differs, or has no up-to-date mark', () => {
    const wanted = new Map(['new', 'other', 'unmarked', 'outdated', 'fine'].map((name) => [name, values]));
    const { changes, drifted } = planEntity(
      input({
        wanted,
        observed: [held('other', [{ double: 2 }]), held('unmarked'), held('outdated'), held('fine')],
        marks: new Map([
          ['other', 'current'],
          ['outdated', 'outdated'],
          ['fine', 'current'],
        ]),
      }),
    );
    expect(changes.map(({ op, propertyUrn }) => `${op} ${propertyUrn}`)).toEqual([
      'add new',
      'add other',
      'add unmarked',
      'add outdated',
    ]);
    expect(drifted).toEqual(['other']);
  });

  it('removes what is marked and not wanted any more, unless another resource claims it', () => {
    const { changes } = planEntity(
      input({
        marks: new Map([
          ['a', 'current'],
          ['b', 'current'],
        ]),
        inherited: (name) => name === 'b',
      }),
    );
    expect(changes).toEqual([{ op: 'remove', propertyUrn: 'a' }]);
  });

  it('touches neither what others put there nor what is soft deleted', () => {
    const { changes, hidden } = planEntity(
      input({ observed: [held('theirs')], wanted: new Map([['a', values]]), softDeleted: new Set(['a']) }),
    );
    expect([changes, hidden]).toEqual([[], ['a']]);
  });

  it('removes with Replace what is not wanted, and tells of what somebody else owns', () => {
    const { changes, conflicts, drifted } = planEntity(
      input({ replace: true, observed: [held('a'), held('b')], winner: (name) => (name === 'b' ? 'B' : undefined) }),
    );
    expect(changes).toEqual([{ op: 'remove', propertyUrn: 'a' }]);
    expect(conflicts).toEqual([{ propertyUrn: 'b', winner: 'B' }]);
    expect(drifted).toEqual(['a']);
  });

  it('never writes what a winner has, and is empty once it was carried out', () => {
    const names = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));
    return fc.assert(
      fc.property(names, names, names, names, fc.boolean(), (want, have, own, lost, replace) => {
        const winner = (name: string) => (lost.includes(name) ? 'W' : undefined);
        const wanted = new Map(want.map((name) => [name, values]));
        const marks = new Map(own.map((name) => [name, 'current' as const]));
        const first = planEntity(
          input({ wanted, observed: have.map((name) => held(name, [{ double: 2 }])), marks, winner, replace }),
        );
        for (const { propertyUrn } of first.changes) expect(lost).not.toContain(propertyUrn);
        const after = new Map(have.map((name) => [name, held(name, [{ double: 2 }])]));
        for (const change of first.changes) {
          after.delete(change.propertyUrn);
          marks.delete(change.propertyUrn);
          if (change.op === 'add') {
            after.set(change.propertyUrn, held(change.propertyUrn, [...change.values]));
            marks.set(change.propertyUrn, 'current');
          }
        }
        expect(planEntity(input({ wanted, observed: [...after.values()], marks, winner, replace })).changes).toEqual(
          [],
        );
      }),
    );
  });
});
