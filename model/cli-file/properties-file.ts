import * as z from 'zod';
import { scalarSchema, typedValueOf } from '../resource/scalar.ts';
import { type Checked, checkShape } from '../shape.ts';
import { withoutAbsent } from './without-absent.ts';

/**
 * The command line's definition file: a YAML list of properties in snake case, as people have it from the reference
 * catalogue.
 */

const entrySchema = z
  .strictObject({
    id: z.string().optional().describe('Qualified name; optional if urn is given'),
    urn: z.string().optional().describe('Optional if id is given'),
    qualified_name: z.string().optional().describe('Required if urn is given'),
    type: z.string().describe('string, number, date, rich_text or urn'),
    type_qualifier: z
      .strictObject({
        allowed_types: z.array(z.string()).optional().describe('Entity types that a value of type urn may name'),
        entity_types: z.array(z.string()).optional().describe('Older name of allowed_types'),
      })
      .optional(),
    cardinality: z.enum(['SINGLE', 'MULTIPLE']).optional(),
    version: z
      .union([z.string(), z.number().int().transform(String)])
      .optional()
      .describe('yyyyMMddhhmmss'),
    display_name: z.string().optional(),
    description: z.string().optional(),
    entity_types: z.array(z.string()).optional().describe('Short names or full URNs'),
    allowed_values: z.array(z.strictObject({ value: scalarSchema, description: z.string().optional() })).optional(),
    immutable: z.boolean().optional(),
  })
  .refine(({ id, urn }) => id !== undefined || urn !== undefined, { error: 'id or urn is needed' })
  .refine(({ urn, qualified_name }) => urn === undefined || qualified_name !== undefined, {
    error: 'qualified_name is needed beside urn',
    path: ['qualified_name'],
  });

/** A definition to send: its URN, and the body of the aspect `propertyDefinition`. */
export interface DefinitionToSend {
  readonly urn: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Reads the document of a definition file. @returns the definitions in order, or every violated rule with its place. */
export function parsePropertiesFile(document: unknown): Checked<DefinitionToSend[]> {
  const checked = checkShape(z.array(entrySchema), document);
  return checked.ok ? { ok: true, value: checked.value.map(toSend) } : checked;
}

function toSend(entry: z.output<typeof entrySchema>): DefinitionToSend {
  const urn = entry.urn ?? `urn:li:structuredProperty:${entry.id}`;
  const allowedTypes = entry.type_qualifier?.allowed_types ?? entry.type_qualifier?.entity_types;
  const definition = {
    qualifiedName: entry.qualified_name ?? entry.id,
    valueType: entry.type,
    entityTypes: entry.entity_types ?? [],
    displayName: entry.display_name,
    description: entry.description,
    cardinality: entry.cardinality,
    version: entry.version,
    immutable: entry.immutable,
    typeQualifier: allowedTypes === undefined ? undefined : { allowedTypes },
    allowedValues: entry.allowed_values?.map(({ value, description }) => ({
      value: typedValueOf(value),
      ...(description === undefined ? {} : { description }),
    })),
  };
  return { urn, definition: withoutAbsent(definition) };
}
