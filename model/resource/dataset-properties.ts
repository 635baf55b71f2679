import * as z from 'zod';
import { tryParseUrn } from '../urn.ts';
import { ALWAYS, exactlyOneOf, noDuplicates } from './rules.ts';
import { scalarSchema } from './scalar.ts';

const datasetUrn = z.string().refine((text) => tryParseUrn(text)?.entityType.name === 'dataset', {
  error: (issue) =>
    `${String(issue.input)} is no dataset URN: urn:li:dataset:(urn:li:dataPlatform:<platform>,<name>,<environment>)`,
});

const propertyRef = z
  .strictObject({
    name: z.string().min(1).optional().describe('Name of a StructuredProperty resource'),
    namespace: z.string().min(1).optional().describe("Namespace of that resource; absent = this resource's own"),
    qualifiedName: z.string().min(1).optional().describe('Or the qualified name of a property, wherever it is defined'),
  })
  .refine(...exactlyOneOf('name', 'qualifiedName'))
  .refine((reference) => reference?.namespace === undefined || reference.name !== undefined, {
    ...ALWAYS,
    error: 'namespace goes with name',
  });

const assignment = z.strictObject({
  propertyRef: propertyRef.describe('Which property'),
  values: z
    .union([z.array(scalarSchema).min(1, { error: 'at least one value is needed' }), scalarSchema], {
      error: 'must be a value or a list of values: texts, finite numbers, true or false',
    })
    .describe('Its values, in the order in which they are kept; one value may stand alone'),
});

const assignments = z.array(assignment).superRefine(
  noDuplicates((item) => item.propertyRef, 'propertyRef', 'the property is listed twice'),
  ALWAYS,
);

const field = z.strictObject({
  fieldPath: z
    .string()
    .min(1)
    .refine((path) => path.trim() === path && path.isWellFormed(), { error: 'must have no blanks around it' })
    .describe('Path of a field of the schema'),
  properties: assignments.describe('Properties of the field'),
});

const fields = z.array(field).superRefine(
  noDuplicates((item) => item.fieldPath, 'fieldPath', 'the field is listed twice'),
  ALWAYS,
);

const datasetSelector = z
  .strictObject({
    platform: z.string().min(1).optional().describe('Data platform: short name or URN'),
    environment: z.string().min(1).optional().describe('Environment, such as PROD'),
    namePattern: z.string().min(1).optional().describe('Pattern of the name: * is any text, ? one character'),
  })
  .refine((selector) => Object.values(selector).some((part) => part !== undefined), {
    error: 'at least one of platform, environment, namePattern is needed',
  });

/** `spec` of a DatasetProperties: values of properties on one or more datasets and their fields. */
export const datasetPropertiesSpec = z
  .strictObject({
    datasetUrn: datasetUrn.optional().describe('One dataset'),
    datasetUrns: z.array(datasetUrn).min(1).optional().describe('Or several datasets'),
    datasetSelector: datasetSelector.optional().describe('Or all datasets that match'),
    properties: assignments.default([]).describe('Properties of the dataset itself'),
    fields: fields.default([]).describe('Properties of its schema fields'),
    whenMissing: z
      .enum(['Wait', 'Create'])
      .default('Wait')
      .describe('A dataset that does not exist: wait for it, or create it; what was created is never deleted later'),
    ownership: z
      .enum(['Merge', 'Replace'])
      .default('Merge')
      .describe('Merge: only the listed properties are managed; Replace: the dataset holds exactly this list'),
    deletionPolicy: z
      .enum(['Remove', 'Retain'])
      .default('Remove')
      .describe('What happens to the values when the resource is deleted'),
  })
  .refine(...exactlyOneOf('datasetUrn', 'datasetUrns', 'datasetSelector'))
  .meta({ id: 'DatasetPropertiesSpec', description: 'Values of properties that datasets shall have' });

export type DatasetPropertiesSpec = z.output<typeof datasetPropertiesSpec>;
export type PropertyRef = DatasetPropertiesSpec['properties'][number]['propertyRef'];
export type DatasetSelector = NonNullable<DatasetPropertiesSpec['datasetSelector']>;
