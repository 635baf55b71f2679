import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { takesAway } from '../../../../operator/source/directory/takes-away.ts';

const entry = (name: string, ...values: unknown[]) => ({ propertyRef: { name }, values });

describe('what a later form of a resource lacks', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['another value', { values: [90] }, { values: [30] }, false],
    ['another text', { description: 'a' }, { description: 'b' }, false],
    ['more', { a: 1, list: [1] }, { a: 1, b: 2, list: [1, 2] }, false],
    ['another order', [entry('a', 1), entry('b', 2)], [entry('b', 2), entry('a', 3)], false],
    ['a field less', { a: 1, b: 2 }, { a: 1 }, true],
    ['a part of a list less', [entry('a', 1), entry('b', 2)], [entry('a', 1)], true],
    ['another part in its place', [entry('a', 1), entry('b', 2)], [entry('c', 1), entry('a', 1)], true],
    ['a value less', [entry('a', 1, 2)], [entry('a', 1)], true],
    ['half a text', { description: 'gold' }, { description: 'go' }, true],
    ['half a list', { fields: [{ fieldPath: 'email', properties: [entry('a', 1)] }] }, { fields: [] }, true],
  ])('%s', (_what, before, after, expected) => expect(takesAway(before, after)).toBe(expected));

  it('is nothing of what is the same', () =>
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: true }), (value) => !takesAway(value, structuredClone(value))),
    ));

  it('is always something, when a line of a block of text is missing at its end', () => {
    const whole = {
      spec: { datasetUrn: 'x', properties: [entry('a', 1), entry('b', 1, 2)], deletionPolicy: 'Retain' },
    };
    const { deletionPolicy: _cut, ...rest } = whole.spec;
    for (const spec of [{ datasetUrn: 'x' }, { ...rest, properties: [entry('a', 1)] }, rest])
      expect(takesAway(whole, { spec })).toBe(true);
  });
});
