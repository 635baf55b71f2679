import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Assignment,
  type AssignmentContext,
  checkAssignments,
  structuredPropertiesSchema,
} from '../../model/assignment.ts';
import type { Definition } from '../../model/definition.ts';
import { checkShape } from '../../model/shape.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { definitionOf } from '../harness/definitions.ts';

const URN = 'urn:li:structuredProperty:a.b';

interface Situation {
  readonly definition?: Partial<Definition>;
  readonly removed?: boolean;
  readonly standing?: TypedValue[];
  readonly entityType?: string;
  readonly entityTypesCheck?: 'enforce' | 'warn';
}

function contextOf({
  definition = {},
  removed = false,
  standing,
  entityType = 'dataset',
  entityTypesCheck = 'enforce',
}: Situation): AssignmentContext {
  return {
    entityType,
    entityTypesCheck,
    property: (urn) => (urn === URN ? { definition: definitionOf(definition), removed } : undefined),
    standing: (urn) => (urn === URN && standing !== undefined ? { propertyUrn: URN, values: standing } : undefined),
  };
}

const check = (values: TypedValue[], situation: Situation = {}) =>
  checkAssignments([{ propertyUrn: URN, values }], contextOf(situation));
const problems = (values: TypedValue[], situation: Situation = {}) =>
  check(values, situation).violations.map(({ path, message }) => `${path}: ${message}`);

const a = { string: 'a' };
const b = { string: 'b' };

describe('an assignment', () => {
  it('is kept as it was sent, order and all', () => {
    const sent: Assignment[] = [
      {
        propertyUrn: URN,
        values: [b, a, b],
        created: { time: 1, actor: 'urn:li:corpuser:ada' },
        attribution: { source: 'urn:li:dataHubAction:x' },
      },
    ];
    const result = checkAssignments(sent, contextOf({ definition: { cardinality: 'MULTIPLE' } }));
    expect(result).toEqual({ assignments: sent, violations: [], warnings: [] });
  });

  it('is brought into the form in which values are stored', () => {
    const { assignments } = check([{ string: '30' }], { definition: { valueType: 'number' } });
    expect(assignments).toEqual([{ propertyUrn: URN, values: [{ double: 30 }] }]);
  });

  it('may have no values, whatever the cardinality', () => {
    expect(problems([])).toEqual([]);
    expect(problems([], { definition: { cardinality: 'MULTIPLE' } })).toEqual([]);
  });

  it('may use a number that is allowed, sent as text', () => {
    const definition = { valueType: 'number', allowedValues: [{ value: { double: 30 } }] };
    expect(problems([{ string: '30.0' }], { definition })).toEqual([]);
  });
});

describe('an assignment is refused', () => {
  it('when the property is named twice', () => {
    const twice = [
      { propertyUrn: URN, values: [a] },
      { propertyUrn: URN, values: [a] },
    ];
    expect(checkAssignments(twice, contextOf({})).violations).toEqual([
      { code: 'duplicate', path: 'properties[1]', message: `Property: ${URN} has multiple entries` },
    ]);
  });

  it.each([
    ['nothing', 'Invalid urn!: nothing'],
    ['urn:li:structuredProperty:', 'Invalid urn!: urn:li:structuredProperty:'],
    ['urn:li:tag:x', 'Unexpected entity type, expected structuredProperty: urn:li:tag:x'],
  ])('when it names "%s" instead of a structured property', (propertyUrn, message) => {
    expect(checkAssignments([{ propertyUrn, values: [a] }], contextOf({})).violations).toEqual([
      { code: 'invalid-urn', path: 'properties[0].propertyUrn', message },
    ]);
  });

  it('when the property has no definition', () => {
    const propertyUrn = 'urn:li:structuredProperty:gone';
    const { violations } = checkAssignments([{ propertyUrn, values: [a] }], contextOf({}));
    expect(violations[0]?.message).toContain(`Unexpected null value found for ${propertyUrn}`);
  });

  it('when the property is soft deleted, standing or not', () => {
    const message = `properties[0]: Cannot apply a soft deleted Structured Property value: ${URN}`;
    expect(problems([a], { removed: true })).toEqual([message]);
    expect(problems([a], { removed: true, standing: [a] })).toEqual([message]);
  });

  it('when a SINGLE property gets more than one value', () => {
    expect(problems([a, b])).toEqual([
      `properties[0].values: Property: ${URN} has cardinality 1, but 2 values were given`,
    ]);
    expect(problems([a, b], { definition: { cardinality: 'MULTIPLE' } })).toEqual([]);
  });

  it('when a value has another type', () => {
    expect(problems([a], { definition: { valueType: 'number' } })).toEqual([
      `properties[0].values[0]: Property: ${URN}, value: {string=a} should be a number`,
    ]);
  });

  it('when a value is not allowed, with what is', () => {
    const definition = { allowedValues: [{ value: a }, { value: b }] };
    expect(problems([{ string: 'baz' }], { definition })).toEqual([
      `properties[0].values[0]: Property: ${URN}, value: {string=baz} should be one of [{string=a}, {string=b}]`,
    ]);
    expect(problems([a], { definition: { allowedValues: [] } })).toHaveLength(1);
    const many = { allowedValues: Array.from({ length: 25 }, (_, index) => ({ value: { string: `v${index}` } })) };
    expect(problems([a], { definition: many })[0]).toMatch(/\{string=v19\}, and 5 more\]$/u);
  });

  it('when the entity has another type than the definition says', () => {
    const expected = `${URN} is for [dataset], not for entity type dataFlow`;
    expect(problems([a], { entityType: 'dataFlow' })).toEqual([`properties[0]: ${expected}`]);
    const warned = check([a], { entityType: 'dataFlow', entityTypesCheck: 'warn' });
    expect(warned.violations).toEqual([]);
    expect(warned.warnings).toEqual([{ code: 'wrong-entity-type', path: 'properties[0]', message: expected }]);
  });

  it('with every violated rule of every assignment named at once', () => {
    const definition = { valueType: 'number', allowedValues: [{ value: { double: 1 } }], immutable: true };
    const sent = [
      { propertyUrn: 'x', values: [] },
      { propertyUrn: URN, values: [a, { double: 2 }] },
      { propertyUrn: 'urn:li:structuredProperty:gone', values: [] },
    ];
    const context = contextOf({ definition, standing: [{ double: 1 }], entityType: 'chart' });
    expect(checkAssignments(sent, context).violations.map(({ path }) => path)).toEqual([
      'properties[0].propertyUrn',
      'properties[1].values',
      'properties[1].values[0]',
      'properties[1].values[1]',
      'properties[1]',
      'properties[1]',
      'properties[2]',
    ]);
  });
});

describe('what stands on the entity', () => {
  it('may be sent again unchanged after its definition was narrowed', () => {
    expect(problems([a], { standing: [a], entityType: 'dataFlow' })).toEqual([]);
    expect(problems([a], { standing: [a], definition: { allowedValues: [] } })).toEqual([]);
    expect(check([a], { standing: [a], entityType: 'dataFlow', entityTypesCheck: 'warn' }).warnings).toEqual([]);
  });

  it('is checked again when it changes, if only in its order', () => {
    const definition = { cardinality: 'MULTIPLE' } as const;
    expect(problems([b, a], { standing: [a, b], definition, entityType: 'dataFlow' })).toHaveLength(1);
    expect(problems([b], { standing: [a], entityType: 'dataFlow' })).toHaveLength(1);
  });

  it('of an immutable property cannot change', () => {
    const definition = { immutable: true };
    expect(problems([b], { standing: [a], definition })).toEqual([
      `properties[0]: Cannot mutate an immutable property: ${URN}`,
    ]);
    expect(problems([], { standing: [a], definition })).toHaveLength(1);
    expect(problems([a], { standing: [a], definition })).toEqual([]);
    expect(problems([a], { definition })).toEqual([]);
  });

  it('of an immutable number is the same when it is sent as text', () => {
    const definition = { valueType: 'number', immutable: true };
    expect(problems([{ string: '30' }], { standing: [{ double: 30 }], definition })).toEqual([]);
  });
});

it('checks of one property do not depend on the others', () => {
  const someValues = fc.array(fc.constantFrom<TypedValue>(a, b, { double: 1 }), { maxLength: 3 });
  fc.assert(
    fc.property(fc.array(someValues, { maxLength: 4 }), (lists) => {
      const sent = lists.map((values, index) => ({ propertyUrn: `urn:li:structuredProperty:p${index}`, values }));
      const context: AssignmentContext = {
        ...contextOf({}),
        property: () => ({ definition: definitionOf({ allowedValues: [{ value: a }] }), removed: false }),
      };
      const together = checkAssignments(sent, context).violations.map(({ message }) => message);
      const alone = sent.flatMap((one) => checkAssignments([one], context).violations.map(({ message }) => message));
      expect(together).toEqual(alone);
    }),
  );
});

describe('the structuredProperties aspect', () => {
  it.each([
    ['without its list', {}, 'properties'],
    ['with an assignment without values', { properties: [{ propertyUrn: URN }] }, 'properties[0].values'],
    ['with an assignment without a property', { properties: [{ values: [] }] }, 'properties[0].propertyUrn'],
    ['with a bare value', { properties: [{ propertyUrn: URN, values: ['a'] }] }, 'properties[0].values[0]'],
    [
      'with a field that it does not know',
      { properties: [{ propertyUrn: URN, values: [], note: 'x' }] },
      'properties[0]',
    ],
    ['with values that are no list', { properties: [{ propertyUrn: URN, values: a }] }, 'properties[0].values'],
  ])('is refused %s', (_what, body, path) => {
    const checked = checkShape(structuredPropertiesSchema, body);
    expect(checked.ok ? [] : checked.violations.map((each) => each.path)).toEqual([path]);
  });
});
