import * as z from 'zod';
import { parseDefinition } from '../definition.ts';
import { scalarSchema, typedValueOf } from '../resource/scalar.ts';
import { type Checked, checkShape } from '../shape.ts';
import { tryParseUrn } from '../urn.ts';
import { type Violation, violation } from '../violation.ts';
import { DEFAULT_NAMESPACE_WORD } from '../vocabulary.ts';
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

type Entry = z.output<typeof entrySchema>;

/**
 * Reads the document of a definition file.
 * @returns the definitions in order, or every violated rule with its place, except those that only the server can check.
 */
export function parsePropertiesFile(document: unknown): Checked<DefinitionToSend[]> {
  const checked = checkShape(z.array(entrySchema), document);
  if (!checked.ok) return checked;
  const violations = checked.value.flatMap((entry, index) =>
    violationsOf(entry).map((each) => ({ ...each, path: `[${index}]${each.path === '' ? '' : `.${each.path}`}` })),
  );
  return violations.length > 0 ? { ok: false, violations } : { ok: true, value: checked.value.map(toSend) };
}

/** By place in the entry. */
function violationsOf(entry: Entry): Violation[] {
  const { urn: text, definition } = toSend(entry);
  const urn = tryParseUrn(text);
  if (urn?.entityType.name !== 'structuredProperty') {
    const path = entry.urn === undefined ? 'id' : 'urn';
    return [violation('invalid-urn', path, `${text} is no URN of a structured property`)];
  }
  const checked = parseDefinition(definition, urn, namespaceWordIn(entry));
  return checked.ok ? [] : checked.violations.map((each) => ({ ...each, path: pathInEntry(each.path, entry) }));
}

/** The server's word is not known here; an entry that writes one out is taken at it. */
function namespaceWordIn({ type = '', entity_types = [], type_qualifier }: Entry): string {
  const words = [type, ...entity_types, ...allowedTypesOf(type_qualifier)].map(
    (text) => /^(?:urn:li:(?:dataType|entityType):)?([^.:]+)\./iu.exec(text)?.[1],
  );
  return words.find((word) => word !== undefined) ?? DEFAULT_NAMESPACE_WORD;
}

/** `allowedValues[0].value` of a definition is `allowed_values[0].value` of its entry. */
function pathInEntry(path: string, entry: Entry): string {
  if (path === 'valueType') return 'type';
  if (path === 'qualifiedName' && entry.qualified_name === undefined) return 'id';
  return path.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function allowedTypesOf(qualifier: Entry['type_qualifier']): readonly string[] {
  return qualifier?.allowed_types ?? qualifier?.entity_types ?? [];
}

function toSend(entry: Entry): DefinitionToSend {
  const urn = entry.urn ?? `urn:li:structuredProperty:${entry.id}`;
  const allowedTypes = entry.type_qualifier && allowedTypesOf(entry.type_qualifier);
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
