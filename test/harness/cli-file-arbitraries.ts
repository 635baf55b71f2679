import fc from 'fast-check';
import type { PrintedEntity } from '../../model/cli-file/print-dataset-file.ts';
import type { Definition } from '../../model/definition.ts';
import { datasetUrn, parseUrn, schemaFieldUrn } from '../../model/urn.ts';
import { definitionOf } from './definitions.ts';
import { pairedName, plainName, platform, word } from './urn-arbitraries.ts';

/** Texts that YAML has to write with care. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '30',
    '1e3',
    'true',
    'null',
    '~',
    '2026-01-31',
    '- a',
    'a: b',
    '# no',
    "'",
    '"',
    '|',
    'é\u2028',
  ),
  fc.constantFrom(
    'one\ntwo',
    'one\n\n two \n',
    '\n',
    '\ttab',
    'a\r\nb',
    '\u0085',
    '\ufeff',
    'x'.repeat(300),
    'long words '.repeat(30),
  ),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const qualifiedName = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,12}$/u);
const types = fc.subarray(['dataset', 'dataFlow', 'schemaField', 'corpuser']);

/** Definitions with everything that the definition file has a place for. */
export const fileDefinition: fc.Arbitrary<Definition> = fc
  .record({
    qualifiedName,
    valueType: fc.constantFrom(
      'string' as const,
      'number' as const,
      'date' as const,
      'rich_text' as const,
      'urn' as const,
    ),
    cardinality: optional(fc.constantFrom('SINGLE' as const, 'MULTIPLE' as const)),
    entityTypes: types,
    displayName: optional(text),
    description: optional(text),
    immutable: optional(fc.boolean()),
    version: optional(fc.stringMatching(/^[0-9]{14}$/u)),
    meaning: optional(text),
    strings: optional(fc.array(text, { maxLength: 3 })),
    doubles: optional(fc.array(double, { maxLength: 3 })),
    allowedTypes: optional(types),
  })
  .map(({ meaning, strings, doubles, allowedTypes, ...rest }) => {
    const described = meaning === undefined ? {} : { description: meaning };
    const values = { string: strings?.map((string) => ({ string })), number: doubles?.map((double) => ({ double })) };
    const allowed = values[rest.valueType as keyof typeof values]?.map((value) => ({ value, ...described }));
    return definitionOf(
      present({
        ...rest,
        allowedValues: allowed,
        typeQualifier: rest.valueType === 'urn' && allowedTypes !== undefined ? { allowedTypes } : undefined,
      }),
    );
  });

const values = fc.oneof(
  fc.array(
    text.map((string) => ({ string })),
    { maxLength: 3 },
  ),
  fc.array(
    double.map((value) => ({ double: value })),
    { maxLength: 3 },
  ),
);
const propertyName = fc.oneof(qualifiedName, plainName, fc.constantFrom('7', '007', '__proto__', 'urn:li:x', 'é'));
const structuredProperties = fc
  .uniqueArray(fc.tuple(propertyName, values), { maxLength: 5, selector: ([name]) => name })
  .map((pairs) => ({
    properties: pairs.map(([name, some]) => ({ propertyUrn: `urn:li:structuredProperty:${name}`, values: some })),
  }));

const field = fc.record({
  path: plainName,
  type: text,
  nullable: fc.boolean(),
  description: optional(text),
  described: fc.boolean(),
  properties: optional(structuredProperties),
});

/** Datasets with everything that the dataset file has a place for. */
export const fileDataset: fc.Arbitrary<PrintedEntity> = fc
  .record({
    platform,
    name: pairedName.filter((name) => name === name.trim()),
    env: word,
    shown: optional(text),
    description: optional(text),
    customProperties: optional(fc.dictionary(fc.constantFrom('a', '7', 'b c', ''), text, { noNullPrototype: true })),
    typeNames: optional(fc.array(text, { minLength: 1, maxLength: 2 })),
    hasSchemaName: fc.boolean(),
    properties: optional(structuredProperties),
    fields: fc.uniqueArray(field, { maxLength: 4, selector: ({ path }) => path }),
  })
  .map((given) => {
    const urn = parseUrn(datasetUrn(given.platform, given.name, given.env));
    const schema = given.fields.filter(({ described }) => described);
    // Without a name, and with another name of the schema, is what an entry by URN makes.
    const named = given.shown !== undefined || given.hasSchemaName ? { name: given.shown ?? given.name } : {};
    const schemaName = given.hasSchemaName ? given.name : 'schema';
    const aspects = present({
      datasetProperties: present({
        ...named,
        description: given.description,
        customProperties: given.customProperties,
      }),
      subTypes: given.typeNames === undefined ? undefined : { typeNames: given.typeNames },
      schemaMetadata:
        schema.length === 0 ? undefined : { schemaName, version: 0, hash: '', fields: schema.map(schemaField) },
      structuredProperties: given.properties,
    });
    const withValues = given.fields.filter(({ properties }) => properties !== undefined);
    return {
      urn,
      aspects,
      fields: withValues.map(({ path, properties }) => ({
        urn: parseUrn(schemaFieldUrn(urn.urn, path)),
        aspects: { structuredProperties: properties ?? {} },
      })),
    };
  });

function schemaField({
  path,
  type,
  nullable,
  description,
}: {
  path: string;
  type: string;
  nullable: boolean;
  description: string | undefined;
}) {
  return present({ fieldPath: path, nativeDataType: type, nullable, description });
}

// biome-ignore lint/suspicious/noExplicitAny: the fields that have a value, of whatever they are
function present(fields: Record<string, unknown>): any {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
