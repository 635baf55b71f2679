import * as z from 'zod';
import { checkAssignments, structuredPropertiesSchema } from '../assignment.ts';
import { scalarSchema, typedValueOf } from '../resource/scalar.ts';
import { type Checked, checkShape } from '../shape.ts';
import { datasetUrn, InvalidUrnError, type ParsedUrn, parseUrn, schemaFieldUrn } from '../urn.ts';
import { addViolation, addViolations, type Violation, violation } from '../violation.ts';
import { withoutAbsent } from './without-absent.ts';

/**
 * The command line's dataset file: a YAML list of datasets (and dataFlows, by URN) with their schemas and, if wanted,
 * their structured properties.
 */

const values = z
  .record(z.string(), z.union([scalarSchema, z.array(scalarSchema)]))
  .describe('Qualified name or URN of a property to its value or list of values');

const fieldSchema = z.strictObject({
  id: z.string().optional().describe('Field path'),
  urn: z.string().optional().describe('URN of the schema field, instead of id'),
  type: z.string().optional(),
  nativeDataType: z.string().optional(),
  doc: z.string().optional(),
  description: z.string().optional(),
  nullable: z.boolean().optional(),
  structured_properties: values.optional(),
});

const entrySchema = z.strictObject({
  id: z.string().optional().describe('Name of the dataset'),
  platform: z.string().optional(),
  env: z.string().optional().describe('PROD when absent'),
  urn: z.string().optional().describe('Instead of id and platform; also of a dataFlow'),
  name: z.string().optional(),
  subtype: z.string().optional(),
  subtypes: z.array(z.string()).optional(),
  description: z.string().optional(),
  properties: z
    .record(z.string(), scalarSchema)
    .optional()
    .describe('Free properties, kept as strings; they replace all that there are'),
  schema: z.strictObject({ file: z.string().optional(), fields: z.array(fieldSchema).optional() }).optional(),
  structured_properties: values.optional(),
  downstreams: z.array(z.string()).optional().describe('Accepted; lineage is not kept'),
});

type GivenValues = z.output<typeof values>;
type Entry = z.output<typeof entrySchema>;
type Field = z.output<typeof fieldSchema>;

/** A field that a schema file adds. */
export interface SchemaFileField {
  readonly path: string;
  readonly type: string;
}

export interface EntityToSend {
  readonly urn: string;
  readonly entityType: 'dataset' | 'dataFlow' | 'schemaField';
  /** By name: the fields that the entry sets. */
  readonly aspects: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The aspect whose `name` the entry does not give itself: it is for an entity that has none. */
  readonly nameIsImplied?: 'datasetProperties' | 'dataFlowInfo';
}

type AspectsToSend = EntityToSend['aspects'];

/** What a dataset file asks for: first entities, then the fields, which need their datasets. */
export interface DatasetFile {
  readonly entities: readonly EntityToSend[];
  readonly fields: readonly EntityToSend[];
}

/**
 * Reads the document of a dataset file.
 * @param readSchemaFile the fields of a schema file that an entry names; throws when it cannot be read.
 * @returns what to send, or every violated rule with its place, except those that only the server can check.
 */
export function parseDatasetFile(
  document: unknown,
  readSchemaFile: (file: string) => readonly SchemaFileField[],
): Checked<DatasetFile> {
  const checked = checkShape(z.array(entrySchema), document);
  if (!checked.ok) return checked;
  const violations: Violation[] = [];
  const entities: EntityToSend[] = [];
  const fields: EntityToSend[] = [];
  for (const [index, entry] of checked.value.entries()) {
    try {
      const urn = urnOf(entry);
      const isFlow = urn.entityType.name === 'dataFlow';
      const fromFile = entry.schema?.file === undefined ? [] : readSchemaFile(entry.schema.file);
      const aspects = isFlow ? flowAspects(entry, urn) : datasetAspects(entry, fromFile);
      entities.push({
        urn: urn.urn,
        entityType: isFlow ? 'dataFlow' : 'dataset',
        aspects,
        ...(entry.name === undefined ? { nameIsImplied: isFlow ? 'dataFlowInfo' : 'datasetProperties' } : {}),
      });
      for (const field of entry.schema?.fields ?? []) for (const sent of fieldToSend(urn, field)) fields.push(sent);
      for (const [place, given] of givenValues(entry))
        addViolations(violations, valueViolations(`[${index}].${place}`, given));
    } catch (error) {
      const isUrn = error instanceof InvalidUrnError;
      if (!isUrn && !(error instanceof EntryProblem)) throw error;
      addViolation(violations, violation(isUrn ? 'invalid-urn' : 'wrong-shape', `[${index}]`, error.message));
    }
  }
  return violations.length > 0 ? { ok: false, violations } : { ok: true, value: { entities, fields } };
}

/** Something is wrong with one entry; the message says what. */
export class EntryProblem extends Error {}

function urnOf(entry: Entry): ParsedUrn {
  if (entry.urn !== undefined) {
    const urn = parseUrn(entry.urn);
    if (['dataset', 'dataFlow'].includes(urn.entityType.name)) return urn;
    throw new EntryProblem(`${entry.urn} is neither a dataset nor a dataFlow`);
  }
  if (entry.id === undefined || entry.platform === undefined)
    throw new EntryProblem('urn, or id and platform, are needed');
  return parseUrn(datasetUrn(entry.platform.replace(/^urn:li:dataPlatform:/u, ''), entry.id, entry.env ?? 'PROD'));
}

function datasetAspects(entry: Entry, fromFile: readonly SchemaFileField[]): AspectsToSend {
  const typeNames = entry.subtypes ?? (entry.subtype === undefined ? undefined : [entry.subtype]);
  const fields = schemaFields(entry, fromFile);
  return withoutAbsent({
    datasetProperties: withoutAbsent({
      name: entry.name ?? entry.id,
      description: entry.description,
      customProperties: customProperties(entry),
    }),
    subTypes: typeNames === undefined ? undefined : { typeNames },
    schemaMetadata:
      fields.length === 0 ? undefined : { schemaName: entry.id ?? 'schema', version: 0, hash: '', fields },
    structuredProperties: assignmentsOf(entry.structured_properties),
  });
}

function flowAspects(entry: Entry, urn: ParsedUrn): AspectsToSend {
  return withoutAbsent({
    dataFlowInfo: withoutAbsent({
      name: entry.name ?? entry.id ?? urn.key[1],
      description: entry.description,
      customProperties: customProperties(entry),
    }),
    structuredProperties: assignmentsOf(entry.structured_properties),
  });
}

function schemaFields(entry: Entry, fromFile: readonly SchemaFileField[]): object[] {
  const described = (entry.schema?.fields ?? []).filter(({ id }) => id !== undefined);
  const known = new Set(described.map(({ id }) => id));
  return [
    ...fromFile
      .filter(({ path }) => !known.has(path))
      .map(({ path, type }) => ({ fieldPath: path, nativeDataType: type, nullable: true })),
    ...described.map((field) =>
      withoutAbsent({
        fieldPath: field.id,
        nativeDataType: field.nativeDataType ?? field.type ?? 'unknown',
        nullable: field.nullable ?? true,
        description: field.doc ?? field.description,
      }),
    ),
  ];
}

function fieldToSend(parent: ParsedUrn, field: Field): EntityToSend[] {
  const structuredProperties = assignmentsOf(field.structured_properties);
  if (structuredProperties === undefined) return [];
  if (field.urn === undefined && field.id === undefined) throw new EntryProblem('schema.fields: id or urn is needed');
  const { urn, entityType } = parseUrn(field.urn ?? schemaFieldUrn(parent.urn, field.id ?? ''));
  if (entityType.name !== 'schemaField') throw new EntryProblem(`${urn} is no schemaField`);
  return [{ urn, entityType: 'schemaField', aspects: { structuredProperties } }];
}

function assignmentsOf(given: GivenValues | undefined): Record<string, unknown> | undefined {
  if (given === undefined) return undefined;
  const properties = Object.entries(given).map(([name, value]) => ({
    propertyUrn: name.startsWith('urn:li:') ? name : `urn:li:structuredProperty:${name}`,
    values: (Array.isArray(value) ? value : [value]).map(typedValueOf),
  }));
  return { properties };
}

/** Each map of values of an entry, and where it is. */
function* givenValues({ structured_properties, schema }: Entry): Generator<[place: string, given: GivenValues]> {
  if (structured_properties !== undefined) yield ['structured_properties', structured_properties];
  for (const [index, field] of (schema?.fields ?? []).entries()) {
    const given = field.structured_properties;
    if (given !== undefined) yield [`schema.fields[${index}].structured_properties`, given];
  }
}

/** The rules that hold of values whatever the definitions are: those only the server has. */
function valueViolations(place: string, given: GivenValues): Violation[] {
  const shape = checkShape(structuredPropertiesSchema, assignmentsOf(given));
  const property = () => undefined;
  const context = { entityType: 'dataset', property, standing: property, entityTypesCheck: 'enforce' } as const;
  const found = shape.ok ? checkAssignments(shape.value.properties, context).violations : shape.violations;
  const names = Object.keys(given);
  return found
    .filter(({ code }) => code !== 'unknown-property')
    .map((each) => ({ ...each, path: `${place}.${names[Number(/\d+/u.exec(each.path))]}` }));
}

function customProperties(entry: Entry): Record<string, string> | undefined {
  if (entry.properties === undefined) return undefined;
  return Object.fromEntries(Object.entries(entry.properties).map(([name, value]) => [name, String(value)]));
}
