import * as z from 'zod';
import { checkValue } from '../value-rules.ts';
import { VALUE_TYPES } from '../value-type.ts';
import { admission, celText } from './admission.ts';
import { BREAKING_RULES, UNCHANGED_NAME } from './breaking-rules.ts';
import { ALWAYS } from './rules.ts';
import { scalarSchema, typedValueOf } from './scalar.ts';
import {
  isEntityTypeNamed,
  KNOWN_ENTITY_TYPE,
  KNOWN_VALUE_TYPE,
  LONGEST_TYPE_NAME,
  valueTypeNamed,
} from './type-name.ts';

/** Longest qualified name, in characters. */
export const LONGEST_QUALIFIED_NAME = 512;
/** Most values that a definition may allow. */
export const MOST_ALLOWED_VALUES = 1000;

const VERSION = /^[0-9]{14}$/;
const VERSION_FORM = 'must be 14 digits, yyyyMMddhhmmss';

const entityTypeName = z
  .string()
  .max(LONGEST_TYPE_NAME)
  .refine(isEntityTypeNamed, { error: (issue) => `unknown entity type ${String(issue.input)}` })
  .meta({
    description: 'Name of an entity type, such as dataset; short or as a full URN',
    ...admission(KNOWN_ENTITY_TYPE),
  });

const entityTypes = z.array(entityTypeName).min(1).max(64);

const allowedValue = z
  .strictObject({
    value: scalarSchema.describe('A value that the property may take: a text, a number, true or false'),
    description: z.string().max(2048).optional().describe('What the value means'),
  })
  .describe('A value, and what it means');

const shape = z.strictObject({
  qualifiedName: z
    .string()
    .min(1)
    .max(LONGEST_QUALIFIED_NAME)
    .regex(/^\S+$/, { error: 'must not contain blanks' })
    .meta({
      description: 'Dotted name of the property, without blanks; cannot be changed',
      ...admission(UNCHANGED_NAME),
    }),
  displayName: z.string().max(512).optional().describe('Name for people'),
  description: z.string().max(8192).optional().describe('What the property means'),
  valueType: z
    .string()
    .max(LONGEST_TYPE_NAME)
    .refine((text) => valueTypeNamed(text) !== undefined, {
      error: (issue) => `unknown value type ${String(issue.input)}; known are ${VALUE_TYPES.join(', ')}`,
    })
    .meta({
      description: 'string, number, date, rich_text or urn; short or as a full URN',
      ...admission(KNOWN_VALUE_TYPE),
    }),
  typeQualifier: z
    .strictObject({
      allowedTypes: entityTypes.describe('Entity types that a value may name'),
    })
    .optional()
    .describe('Narrows the value type urn'),
  cardinality: z.enum(['SINGLE', 'MULTIPLE']).default('SINGLE').describe('How many values an entity may have'),
  entityTypes: entityTypes.describe('Entity types that the property may be put on'),
  allowedValues: z
    .array(allowedValue)
    .max(MOST_ALLOWED_VALUES)
    .optional()
    .describe('What values may be; absent: anything, an empty list: nothing'),
  immutable: z.boolean().default(false).describe('true: a value, once set, cannot be changed or removed'),
  version: z
    .string({ error: 'must be a string; put it in quotes' })
    .regex(VERSION, { error: VERSION_FORM })
    .max(14)
    .optional()
    .meta({
      description: '14 digits, yyyyMMddhhmmss, in quotes; a breaking change needs a greater one than before',
      ...admission({ rule: `self.matches(${celText(VERSION.source)})`, message: VERSION_FORM }),
    }),
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
  .meta({
    id: 'StructuredPropertySpec',
    description: 'A structured property that the catalogue shall have',
    ...admission(...BREAKING_RULES),
  });

export type StructuredPropertySpec = z.output<typeof structuredPropertySpec>;
