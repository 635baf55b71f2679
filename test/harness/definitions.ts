import fc from 'fast-check';
import { type Definition, definitionSchema, parseDefinition } from '../../model/definition.ts';
import { parseUrn, structuredPropertyUrn } from '../../model/urn.ts';

export const NS = 'datahub';

/** A definition in canonical form; whatever is not said is a string for datasets. */
export function definitionOf(rest: Partial<Definition> = {}): Definition {
  return { qualifiedName: 'a.b', valueType: 'string', entityTypes: ['dataset'], ...canonical(rest) };
}

function canonical(rest: Partial<Definition>): Partial<Definition> {
  const name = rest.qualifiedName ?? 'a.b';
  const sent = { qualifiedName: name, valueType: 'string', entityTypes: ['dataset'], ...rest };
  const checked = parseDefinition(sent, parseUrn(structuredPropertyUrn(name)), NS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
  return checked.value;
}

const numbers = fc.uniqueArray(fc.constantFrom(30, 90, 365, 0.5), { maxLength: 4 });
const texts = fc.uniqueArray(fc.constantFrom('gold', 'silver', '', 'Gold'), { maxLength: 4 });

function allowedValues<T>(values: fc.Arbitrary<T[]>, wrap: (value: T) => { string: string } | { double: number }) {
  return fc.option(
    values.map((list) => list.map((value) => ({ value: wrap(value) }))),
    { nil: undefined },
  );
}

/** Definitions of one property that differ in everything that may differ. */
export const someDefinition: fc.Arbitrary<Definition> = fc
  .record(
    {
      valueType: fc.constantFrom('string', 'number', 'date'),
      cardinality: fc.option(fc.constantFrom('SINGLE' as const, 'MULTIPLE' as const), { nil: undefined }),
      entityTypes: fc.subarray(['dataset', 'dataFlow', 'schemaField']),
      displayName: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
      description: fc.option(fc.constantFrom('one', 'two'), { nil: undefined }),
      immutable: fc.option(fc.boolean(), { nil: undefined }),
      text: allowedValues(texts, (string) => ({ string })),
      number: allowedValues(numbers, (double) => ({ double })),
    },
    { noNullPrototype: true },
  )
  .map(({ text, number, ...rest }) => {
    const allowed = rest.valueType === 'number' ? number : rest.valueType === 'string' ? text : undefined;
    const given = { ...rest, ...(allowed === undefined ? {} : { allowedValues: allowed }) };
    const present = Object.entries(given).filter(([, value]) => value !== undefined);
    return definitionOf(definitionSchema.partial().parse(Object.fromEntries(present)) as Partial<Definition>);
  });
