import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { livingAssignments, replaceAssignments, visibleAssignments } from '../../../model/entity/assignments.ts';
import type { StoredAssignment } from '../../../model/entity/draft.ts';
import type { PropertyState } from '../../../model/entity/property-state.ts';
import { definitionOf } from '../../harness/definitions.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

const stateOf = (removed: boolean): PropertyState => ({
  definition: definitionOf(),
  removed,
  epoch: 'now',
});
const assignmentOf = (propertyUrn: string, epoch = 'now'): StoredAssignment => ({
  propertyUrn,
  values: [],
  epoch,
  valueType: 'string',
});
const namesOf = (assignments: readonly StoredAssignment[]) => assignments.map(({ propertyUrn }) => propertyUrn);

describe('visible assignments', () => {
  it('are those of the epoch of a definition that is not soft deleted', () => {
    const stored = [
      assignmentOf('live'),
      assignmentOf('soft'),
      assignmentOf('old', 'before'),
      assignmentOf('gone'),
      assignmentOf('softAndOld', 'before'),
    ];
    const states = new Map([
      ['live', stateOf(false)],
      ['soft', stateOf(true)],
      ['old', stateOf(false)],
      ['softAndOld', stateOf(true)],
    ]);
    expect(namesOf(visibleAssignments(stored, states))).toEqual(['live']);
    expect(namesOf(livingAssignments(stored, states))).toEqual(['live', 'soft']);
  });
});

describe('a full replace', () => {
  const situation = fc.record({
    stored: fc.shuffledSubarray(NAMES),
    next: fc.shuffledSubarray(NAMES),
    hidden: fc.subarray(NAMES),
    withdrawn: fc.subarray(NAMES),
  });

  it('keeps the order of what was sent and every hidden assignment behind its predecessor', () => {
    fc.assert(
      fc.property(situation, ({ stored, next, hidden, withdrawn }) => {
        const isHidden = (name: string) => hidden.includes(name);
        const states = new Map(NAMES.map((name) => [name, stateOf(isHidden(name))]));
        const sent = next.filter((name) => !isHidden(name));
        const living = stored.map((name) => assignmentOf(name));
        const result = namesOf(
          replaceAssignments(
            living,
            sent.map((name) => assignmentOf(name)),
            states,
            new Set(withdrawn),
          ),
        );
        const kept = stored.filter((name) => isHidden(name) && !withdrawn.includes(name));
        expect(result.filter((name) => !isHidden(name))).toEqual(sent);
        expect(result.filter(isHidden).sort()).toEqual([...kept].sort());
        for (const name of kept) {
          const predecessor = stored[stored.indexOf(name) - 1];
          const place = predecessor === undefined ? -1 : result.indexOf(predecessor);
          const between = result.slice(place + 1, result.indexOf(name));
          expect(place).toBeLessThan(result.indexOf(name));
          expect(between.filter((other) => !isHidden(other))).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of what is visible changes nothing', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(NAMES), fc.subarray(NAMES), (stored, hidden) => {
        const states = new Map(NAMES.map((name) => [name, stateOf(hidden.includes(name))]));
        const living = stored.map((name) => assignmentOf(name));
        const replaced = replaceAssignments(living, visibleAssignments(living, states), states);
        expect(namesOf(replaced)).toEqual(stored);
      }),
    );
  });
});
