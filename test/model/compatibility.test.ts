import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type BreakingChange, compatibility, isGreaterVersion } from '../../model/compatibility.ts';
import type { Definition } from '../../model/definition.ts';
import { sameTypedValue } from '../../model/typed-value.ts';
import { definitionOf, someDefinition } from '../harness/definitions.ts';

function changes(previous: Partial<Definition>, next: Partial<Definition>): BreakingChange['code'][] {
  return compatibility(definitionOf(previous), definitionOf(next)).map(({ code }) => code);
}

const allowing = (...texts: string[]) => ({ allowedValues: texts.map((string) => ({ value: { string } })) });

describe('a breaking change', () => {
  it('is another value type', () => {
    expect(changes({ valueType: 'number' }, { valueType: 'string' })).toEqual(['value-type-changed']);
    expect(changes({ valueType: 'string' }, { valueType: 'rich_text' })).toEqual(['value-type-changed']);
  });

  it('is MULTIPLE to SINGLE, said or by default', () => {
    expect(changes({ cardinality: 'MULTIPLE' }, { cardinality: 'SINGLE' })).toEqual(['cardinality-narrowed']);
    expect(changes({ cardinality: 'MULTIPLE' }, {})).toEqual(['cardinality-narrowed']);
  });

  it('is a list of allowed values where any value was allowed, even an empty one', () => {
    expect(changes({}, allowing('a'))).toEqual(['allowed-values-introduced']);
    expect(changes({}, allowing())).toEqual(['allowed-values-introduced']);
  });

  it('is each allowed value that is missing', () => {
    expect(changes(allowing('a', 'b', 'c'), allowing('b'))).toEqual(['allowed-value-removed', 'allowed-value-removed']);
    expect(changes(allowing('a'), allowing('A'))).toEqual(['allowed-value-removed']);
  });

  it('is told with all others, with its place and the words that clients know', () => {
    const previous = definitionOf({
      valueType: 'number',
      cardinality: 'MULTIPLE',
      allowedValues: [{ value: { double: 30 } }],
    });
    const next = definitionOf({ valueType: 'string', allowedValues: [{ value: { string: '30' } }] });
    expect(compatibility(previous, next)).toEqual([
      {
        code: 'value-type-changed',
        path: 'valueType',
        message: expect.stringContaining('Value type cannot be changed'),
      },
      {
        code: 'cardinality-narrowed',
        path: 'cardinality',
        message: expect.stringContaining('cardinality cannot be changed from MULTI to SINGLE'),
      },
      {
        code: 'allowed-value-removed',
        path: 'allowedValues',
        message: expect.stringContaining(
          'Cannot restrict values that were previously allowed: {double=30.0} is missing',
        ),
      },
    ]);
  });
});

describe('no breaking change', () => {
  it.each<[string, Partial<Definition>, Partial<Definition>]>([
    ['SINGLE to MULTIPLE', { cardinality: 'SINGLE' }, { cardinality: 'MULTIPLE' }],
    ['the default to MULTIPLE', {}, { cardinality: 'MULTIPLE' }],
    ['SINGLE said or not', { cardinality: 'SINGLE' }, {}],
    ['one more allowed value', allowing('a'), allowing('a', 'b')],
    ['the whole list dropped', allowing('a'), {}],
    ['an empty list dropped', allowing(), {}],
    ['an empty list filled', allowing(), allowing('a')],
    ['allowed values in another order', allowing('a', 'b'), allowing('b', 'a')],
    ['fewer entity types', { entityTypes: ['dataset', 'dataFlow'] }, { entityTypes: [] }],
    ['becoming immutable', {}, { immutable: true }],
    ['another type qualifier', { valueType: 'urn' }, { valueType: 'urn', typeQualifier: { allowedTypes: ['tag'] } }],
    ['a version', {}, { version: '20240614080000' }],
    ['a smaller version', { version: '20240614080000' }, { version: '20230614080000' }],
  ])('is %s', (_what, previous, next) => {
    expect(changes(previous, next)).toEqual([]);
  });

  it('is anything that only widens', () => {
    const more = fc.uniqueArray(fc.constantFrom('gold', 'copper', 'tin'), { maxLength: 3 });
    fc.assert(
      fc.property(someDefinition, fc.boolean(), fc.boolean(), more, (previous, multiple, drop, added) => {
        const next: Definition = { ...previous };
        if (multiple) next.cardinality = 'MULTIPLE';
        if (drop) delete next.allowedValues;
        else if (next.allowedValues !== undefined && previous.valueType.endsWith('.string')) {
          next.allowedValues = [...next.allowedValues, ...added.map((string) => ({ value: { string } }))];
        }
        expect(compatibility(previous, next)).toEqual([]);
      }),
    );
  });

  it('is another text, order or entity type', () => {
    fc.assert(
      fc.property(someDefinition, fc.string(), fc.boolean(), (previous, text, flag) => {
        const next: Definition = {
          ...previous,
          description: text,
          displayName: text,
          immutable: flag,
          entityTypes: [...previous.entityTypes].reverse().slice(1),
        };
        if (previous.allowedValues !== undefined) {
          next.allowedValues = previous.allowedValues.map((each) => ({ ...each, description: text })).reverse();
        }
        expect(compatibility(previous, next)).toEqual([]);
      }),
    );
  });
});

it('a change breaks exactly when a value that was right can be wrong', () => {
  fc.assert(
    fc.property(someDefinition, someDefinition, (previous, next) => {
      const restricts =
        next.allowedValues !== undefined &&
        (previous.allowedValues?.some(
          ({ value }) => !next.allowedValues?.some((candidate) => sameTypedValue(candidate.value, value)),
        ) ??
          true);
      const breaks =
        previous.valueType !== next.valueType ||
        (previous.cardinality === 'MULTIPLE' && next.cardinality !== 'MULTIPLE') ||
        restricts;
      expect(compatibility(previous, next).length > 0).toBe(breaks);
      expect(compatibility(next, next)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

describe('isGreaterVersion', () => {
  it.each([
    ['20240614080000', undefined, true],
    ['20240614080001', '20240614080000', true],
    ['20240614080000', '20240614080000', false],
    ['20230614080000', '20240614080000', false],
    [undefined, '20240614080000', false],
    [undefined, undefined, false],
  ])('of %s after %s is %s', (version, greatest, expected) => {
    expect(isGreaterVersion(version, greatest)).toBe(expected);
  });
});
