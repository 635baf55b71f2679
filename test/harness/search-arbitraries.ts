import fc from 'fast-check';
import type { Bound, IndexChange, IndexEntry, IndexField, SearchCondition } from '../../api-server/search/port.ts';
import type { QueryNode } from '../../model/query/ast.ts';
import type { ValueType } from '../../model/value-type.ts';
import { anyPattern } from './query-nodes.ts';

/** Few values that collide often, and those that engines confuse. */
export const someText = fc.oneof(
  { arbitrary: fc.constantFrom('', 'a', 'A', 'ab', 'aB', 'b', 'a*', '%'), weight: 8 },
  {
    arbitrary: fc.constantFrom(' ', 'á', '_', '\\', '"', "'", '10', '9', 'AND', '\0', 'a\0b', '\u{10ffff}'),
    weight: 2,
  },
  { arbitrary: fc.constantFrom('\ud7ff', '\ue000', '\uffff', '😀', 'Σ', 'ς', 'σ'), weight: 1 },
  { arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'B', '😀', '*', '?', '\\'), maxLength: 5 }), weight: 2 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 3 }), weight: 1 },
);
export const someNumber = fc.oneof(
  { arbitrary: fc.constantFrom(-5, 0, 0.1, 1, 5), weight: 8 },
  { arbitrary: fc.constantFrom(-0, -1, 0.3, 0.1 + 0.2, 16_777_217, 2 ** 53, 1e300, 5e-324), weight: 2 },
  { arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }), weight: 1 },
);
const someDay = fc.integer({ min: -3, max: 3 });

const stringTypes = ['string', 'rich_text', 'urn'] as const;
const fieldsByType: Record<ValueType, string> = {
  string: 'p:string',
  number: 'p:number',
  date: 'p:date',
  rich_text: 'p:rich',
  urn: 'p:urn',
};
const anyName = fc.constantFrom(...Object.values(fieldsByType), 'p:unknown');
const stringName = fc.constantFrom(...stringTypes.map((type) => fieldsByType[type]));

const someField: fc.Arbitrary<IndexField> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...stringTypes), fc.array(someText, { maxLength: 4 }))
    .map(([type, values]) => fieldOf(type, values)),
  fc.array(someNumber, { maxLength: 4 }).map((values) => fieldOf('number', values)),
  fc.array(someDay, { maxLength: 4 }).map((values) => fieldOf('date', values)),
);

function fieldOf(type: ValueType, values: readonly (string | number)[]): IndexField {
  return { field: fieldsByType[type], type, values };
}

export const someUrn = fc.constantFrom(...'aAbBz', 'ab', '\ue000', '😀').map((name) => `urn:li:dataset:${name}`);
const version = {
  urn: someUrn,
  incarnation: fc.constantFrom('one', 'two'),
  revision: fc.integer({ min: 1, max: 12 }),
};
const someEntry: fc.Arbitrary<IndexEntry> = fc.record({
  ...version,
  entityType: fc.constantFrom('dataset', 'dataset', 'dataFlow'),
  removed: fc.boolean(),
  fields: fc.uniqueArray(someField, { selector: (field) => field.field, minLength: 3, maxLength: 5 }),
});
export const someChange: fc.Arbitrary<IndexChange> = fc.oneof(
  { arbitrary: someEntry.map((entry): IndexChange => ({ kind: 'put', entry })), weight: 5 },
  { arbitrary: fc.record({ kind: fc.constant('drop' as const), ...version }), weight: 1 },
);

const literalPattern = fc.oneof(
  fc.constant([]),
  fc.constant(['*' as const]),
  someText.map((literal) => [{ literal }]),
);

/** Conditions whose values mostly have the type of their field. */
export const someCondition: fc.Arbitrary<SearchCondition> = fc.letrec<{ condition: SearchCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leafCondition(),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('condition'), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
  ),
})).condition;

function leafCondition(): fc.Arbitrary<SearchCondition> {
  const value = (field: string): fc.Arbitrary<string | number> => {
    if (field === fieldsByType.number) return fc.oneof({ arbitrary: someNumber, weight: 9 }, someText);
    if (field === fieldsByType.date) return fc.oneof({ arbitrary: someDay, weight: 9 }, someText);
    return fc.oneof({ arbitrary: someText, weight: 9 }, someNumber);
  };
  const bound = (field: string): fc.Arbitrary<Bound | undefined> =>
    fc.option(fc.record({ value: value(field), inclusive: fc.boolean() }), { nil: undefined, freq: 3 });
  const fold = fc.boolean();
  return fc.oneof(
    fc.constantFrom<SearchCondition>({ kind: 'all' }, { kind: 'none' }),
    anyName.map((field): SearchCondition => ({ kind: 'exists', field })),
    anyName.chain((field) =>
      fc.record({ kind: fc.constant('equal' as const), field: fc.constant(field), value: value(field), fold }),
    ),
    anyName.chain((field) =>
      fc
        .tuple(bound(field), bound(field), fold)
        .map(([lower, upper, isFolded]) => rangeOf(field, lower, upper, isFolded)),
    ),
    fc.record({
      kind: fc.constant('like' as const),
      field: fc.oneof({ arbitrary: stringName, weight: 4 }, anyName),
      pattern: fc.oneof({ arbitrary: anyPattern(someText.filter((text) => text !== '')), weight: 5 }, literalPattern),
      fold,
    }),
  );
}

function rangeOf(field: string, lower: Bound | undefined, upper: Bound | undefined, fold: boolean): SearchCondition {
  return { kind: 'range', field, ...(lower && { lower }), ...(upper && { upper }), fold };
}

/** The query names of the fields, in the forms that the interface gives them. */
export const queryNames = {
  'structuredProperties.io_string': 'string',
  'structuredProperties._versioned.io_number.20240614080000.number': 'number',
  'structuredProperties.io_date': 'date',
  'structuredProperties.io-rich': 'rich_text',
  'structuredProperties.a:b': 'urn',
} as const satisfies Record<string, ValueType>;

/** The least that a catalogue does with a query: names to fields, texts to numbers; what does not fit finds nothing. */
export function resolveQuery(node: QueryNode): SearchCondition {
  switch (node.kind) {
    case 'everything':
      return { kind: 'all' };
    case 'and':
    case 'or':
      return { kind: node.kind, of: node.operands.map(resolveQuery) };
    case 'not':
      return { kind: 'not', of: resolveQuery(node.operand) };
  }
  const type = Object.entries(queryNames).find(([name]) => name === node.field?.name)?.[1];
  if (type === undefined) return { kind: 'none' };
  const field = fieldsByType[type];
  const read = (text: string) => (type === 'number' || type === 'date' ? Number(text) : text);
  switch (node.kind) {
    case 'term':
      return Number.isNaN(read(node.text))
        ? { kind: 'none' }
        : { kind: 'equal', field, value: read(node.text), fold: !node.quoted };
    case 'wildcard':
      return { kind: 'like', field, pattern: node.pattern, fold: true };
    case 'exists':
      return { kind: 'exists', field };
    case 'range': {
      const [lower, upper] = [node.lower, node.upper].map(
        (bound) => bound && { value: read(bound.value), inclusive: bound.inclusive },
      );
      if (Number.isNaN(lower?.value) || Number.isNaN(upper?.value)) return { kind: 'none' };
      return rangeOf(field, lower, upper, false);
    }
  }
}
