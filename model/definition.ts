import * as z from 'zod';
import { auditStampSchema } from './audit-stamp.ts';
import { sentList } from './sent-list.ts';
import { accepted, type Checked, checkShape, withoutNulls } from './shape.ts';
import type { TypedValue } from './typed-value.ts';
import { typedValueSchema } from './typed-value-schema.ts';
import type { ParsedUrn } from './urn.ts';
import { checkValue, type ValueRule } from './value-rules.ts';
import type { ValueType } from './value-type.ts';
import { addViolation, shorten, type Violation, violation } from './violation.ts';
import {
  dataTypeUrn,
  entityTypeNameOfUrn,
  entityTypeUrn,
  readEntityType,
  readValueType,
  valueTypeOf,
} from './vocabulary.ts';

const allowedValueSchema = z
  .strictObject({
    value: typedValueSchema,
    description: z.string().optional().describe('What the value means'),
  })
  .meta({ id: 'AllowedValue', description: 'One value that a property may take' });

const VERSION = /^[0-9]{14}$/u;

/** The `propertyDefinition` aspect as it is sent. Defaults are not filled in: what was not sent is not returned. */
export const definitionSchema = z
  .strictObject({
    qualifiedName: z.string().min(1).describe('Dotted name; equals the identifier part of the URN; never changes'),
    displayName: z.string().optional().describe('Name for people'),
    description: z.string().optional().describe('Free text'),
    valueType: z
      .string()
      .describe('URN of the data type: urn:li:dataType:<ns>.string, number, date, rich_text or urn; or the short name'),
    typeQualifier: z
      .record(z.string(), sentList(z.string()))
      .optional()
      .describe('For value type urn: allowedTypes lists the entity types that a value may name'),
    cardinality: z
      .enum(['SINGLE', 'MULTIPLE'])
      .optional()
      .describe('How many values an entity may have; absent = SINGLE'),
    entityTypes: sentList(z.string()).describe('Entity types that the property may be put on: URNs or short names'),
    allowedValues: sentList(allowedValueSchema).optional().describe('Absent: any value; an empty list: none'),
    allowedPlatforms: sentList(z.string()).optional().describe('URNs of data platforms; kept, not enforced'),
    immutable: z.boolean().optional().describe('A value, once set, cannot be changed or removed; absent = false'),
    version: z
      .string()
      .meta({ pattern: VERSION.source })
      .optional()
      .describe('14 digits, yyyyMMddhhmmss; a breaking change needs a greater one'),
    searchConfiguration: z.record(z.string(), z.unknown()).optional().describe('Kept, not interpreted'),
    created: auditStampSchema.optional(),
    lastModified: auditStampSchema.optional(),
  })
  .meta({ id: 'PropertyDefinition', description: 'The definition of a structured property' });

/** A definition in canonical form: full URNs, numbers as doubles. */
export type Definition = z.output<typeof definitionSchema>;

export function valueTypeOfDefinition(definition: Definition): ValueType {
  return valueTypeOf(definition.valueType);
}

/** Canonical names of the entity types that the property may be put on. */
export function entityTypesOfDefinition(definition: Definition): string[] {
  return definition.entityTypes.map(entityTypeNameOfUrn);
}

export function valueRuleOf(definition: Definition): ValueRule {
  const allowedTypes = definition.typeQualifier?.allowedTypes?.map(entityTypeNameOfUrn);
  const valueType = valueTypeOfDefinition(definition);
  return allowedTypes === undefined ? { valueType } : { valueType, allowedTypes };
}

/**
 * Checks a definition that was sent for `urn` and brings it into canonical form. Rules on its own only: what it may
 * change in an earlier one is said by `compatibility`.
 */
export function parseDefinition(body: unknown, urn: ParsedUrn, namespaceWord: string): Checked<Definition> {
  const shape = checkShape(definitionSchema, withoutNulls(body));
  if (!shape.ok) return shape;
  const sent = shape.value;
  const violations: Violation[] = [...checkName(sent, urn)];
  if (sent.version !== undefined && !VERSION.test(sent.version)) {
    violations.push(
      violation('invalid-version', 'version', `Invalid version specified. Must match [0-9]{14}, was "${sent.version}"`),
    );
  }
  const valueType = readValueType(sent.valueType, namespaceWord);
  if (valueType === undefined)
    violations.push(violation('unknown-data-type', 'valueType', `unknown data type ${shorten(sent.valueType, 300)}`));
  const entityTypes = readEntityTypes('entityTypes', sent.entityTypes, namespaceWord, violations);
  const qualifier = { ...sent.typeQualifier };
  if (qualifier.allowedTypes !== undefined) {
    qualifier.allowedTypes = readEntityTypes(
      'typeQualifier.allowedTypes',
      qualifier.allowedTypes,
      namespaceWord,
      violations,
    );
  }
  const definition: Definition = {
    ...sent,
    entityTypes,
    valueType: dataTypeUrn(valueType ?? 'string', namespaceWord),
    ...(sent.typeQualifier === undefined ? {} : { typeQualifier: qualifier }),
  };
  if (valueType !== undefined && sent.allowedValues !== undefined) {
    definition.allowedValues = checkAllowedValues(definition, sent.allowedValues, violations);
  }
  return violations.length === 0 ? accepted(definition) : { ok: false, violations };
}

function* checkName(sent: Definition, urn: ParsedUrn): Generator<Violation> {
  if (/\s/u.test(urn.id)) yield violation('invalid-name', '', 'Urn ID cannot have spaces');
  if (/\s/u.test(sent.qualifiedName))
    yield violation('invalid-name', 'qualifiedName', 'Fully qualified name cannot have spaces');
  if (!sent.qualifiedName.isWellFormed())
    yield violation('invalid-name', 'qualifiedName', 'must be well-formed Unicode');
  if (sent.qualifiedName !== urn.id) {
    yield violation(
      'immutable-name',
      'qualifiedName',
      `Cannot change the fully qualified name: it equals the identifier of the URN, ${urn.id}, was ${sent.qualifiedName}`,
    );
  }
}

function readEntityTypes(
  path: string,
  texts: readonly string[],
  namespaceWord: string,
  violations: Violation[],
): string[] {
  return texts.map((text, index) => {
    const name = readEntityType(text, namespaceWord);
    if (name === undefined)
      addViolation(
        violations,
        violation('unknown-entity-type', `${path}[${index}]`, `unknown entity type ${shorten(text, 300)}`),
      );
    return entityTypeUrn(name ?? text, namespaceWord);
  });
}

function checkAllowedValues(
  definition: Definition,
  sent: NonNullable<Definition['allowedValues']>,
  violations: Violation[],
): NonNullable<Definition['allowedValues']> {
  const rule = valueRuleOf(definition);
  return sent.map((allowed, index) => {
    const checked = checkValue(rule, allowed.value as TypedValue);
    if ('value' in checked) return { ...allowed, value: checked.value };
    addViolation(violations, violation('wrong-type', `allowedValues[${index}].value`, checked.problem));
    return allowed;
  });
}
