import * as z from 'zod';
import { findEntityType } from '../entity-type.ts';
import { checkValue } from '../value-rules.ts';
import { VALUE_TYPES, type ValueType } from '../value-type.ts';
import { ALWAYS } from './rules.ts';
import { scalarSchema, typedValueOf } from './scalar.ts';

/** Last word of a full or short name: `number` of `urn:li:dataType:datahub.number` and of `number`. */
function lastWord(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('.'), text.lastIndexOf(':')) + 1).toLowerCase();
}

function valueTypeNamed(text: string): ValueType | undefined {
  return VALUE_TYPES.find((valueType) => valueType === lastWord(text));
}

const entityTypeName = z.string().refine((text) => findEntityType(lastWord(text)) !== undefined, {
  error: (issue) => `unknown entity type ${String(issue.input)}`,
});

const allowedValue = z.strictObject({
  value: scalarSchema.describe('A value that the property may take'),
  description: z.string().optional().describe('What the value means'),
});

const shape = z.strictObject({
  qualifiedName: z
    .string()
    .min(1)
    .regex(/^\S+$/, { error: 'must not contain blanks' })
    .describe('Dotted name of the property; cannot be changed'),
  displayName: z.string().optional().describe('Name for people'),
  description: z.string().optional().describe('What the property means'),
  valueType: z
    .string()
    .refine((text) => valueTypeNamed(text) !== undefined, {
      error: (issue) => `unknown value type ${String(issue.input)}; known are ${VALUE_TYPES.join(', ')}`,
    })
    .describe('string, number, date, rich_text or urn; short or as a full URN'),
  typeQualifier: z
    .strictObject({
      allowedTypes: z.array(entityTypeName).min(1).describe('Entity types that a value may name'),
    })
    .optional()
    .describe('Narrows the value type urn'),
  cardinality: z.enum(['SINGLE', 'MULTIPLE']).default('SINGLE').describe('How many values an entity may have'),
  entityTypes: z.array(entityTypeName).min(1).describe('Entity types that the property may be put on'),
  allowedValues: z.array(allowedValue).optional().describe('Absent: any value'),
  immutable: z.boolean().default(false).describe('true: a value, once set, cannot be changed or removed'),
  version: z
    .string({ error: 'must be a string; put it in quotes' })
    .regex(/^[0-9]{14}$/, { error: 'must be 14 digits, yyyyMMddhhmmss' })
    .optional()
    .describe('yyyyMMddhhmmss; a breaking change needs a greater one than before'),
  removed: z.boolean().default(false).describe('true: soft deleted; false again brings the values back'),
  deletionPolicy: z
    .enum(['HardDelete', 'SoftDelete', 'Retain'])
    .default('HardDelete')
    .describe('What happens to the property, and to its values everywhere, when the resource is deleted'),
});

/** `spec` of a StructuredProperty: the definition of a property, and what becomes of it. */
export const structuredPropertySpec = shape
  .superRefine((spec, context) => {
    const valueType = typeof spec?.valueType === 'string' ? valueTypeNamed(spec.valueType) : undefined;
    if (valueType === undefined || !Array.isArray(spec.allowedValues)) return;
    for (const [index, allowed] of spec.allowedValues.entries()) {
      const scalar = scalarSchema.safeParse(allowed?.value);
      if (!scalar.success) continue;
      const checked = checkValue({ valueType }, typedValueOf(scalar.data));
      if ('problem' in checked) {
        context.addIssue({ code: 'custom', path: ['allowedValues', index, 'value'], message: checked.problem });
      }
    }
  }, ALWAYS)
  .meta({ id: 'StructuredPropertySpec', description: 'A structured property that the catalogue shall have' });

export type StructuredPropertySpec = z.output<typeof structuredPropertySpec>;
