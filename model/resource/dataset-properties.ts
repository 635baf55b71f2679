import * as z from 'zod';
import { tryParseUrn } from '../urn.ts';
import { admission, celText, mapListBy, SET_LIST } from './admission.ts';
import { ALWAYS, exactlyOneOf, noDuplicates } from './rules.ts';
import { scalarSchema } from './scalar.ts';
import { LONGEST_QUALIFIED_NAME } from './structured-property.ts';

const MOST_DATASETS = 1000;
const MOST_PROPERTIES = 256;
const MOST_FIELDS = 1000;
const MOST_VALUES = 1000;

/** Longest URN of a dataset, in characters. Twice as long, and a list of them costs more than an API server allows. */
const LONGEST_URN = 1024;
/** The texts that are URNs of datasets, for CEL, which cannot parse them. */
const DATASET_URN = '^urn:li:dataset:[(]urn:li:dataPlatform:[^\\s\\pZ,]+,(?s:.)+,[A-Za-z0-9_-]+[)]$';
const URN_FORM = 'is no dataset URN: urn:li:dataset:(urn:li:dataPlatform:<platform>,<name>,<environment>)';

const datasetUrn = z
  .string()
  .max(LONGEST_URN)
  .refine((text) => tryParseUrn(text)?.entityType.name === 'dataset', {
    error: (issue) => `${String(issue.input)} ${URN_FORM}`,
  })
  .meta({
    description: 'URN of a dataset',
    ...admission({
      rule: `self.matches(${celText(DATASET_URN)})`,
      message: URN_FORM,
      messageExpression: `self + ' ${URN_FORM}'`,
    }),
  });

const oneProperty = exactlyOneOf('name', 'qualifiedName');
const NAMESPACE_ALONE = 'namespace goes with name';

const propertyRef = z
  .strictObject({
    name: z.string().min(1).max(253).optional().describe('Name of a StructuredProperty resource'),
    namespace: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .describe("Namespace of that resource; absent = this resource's own"),
    qualifiedName: z
      .string()
      .min(1)
      .max(LONGEST_QUALIFIED_NAME)
      .optional()
      .describe('Or the qualified name of a property, wherever it is defined'),
  })
  .refine(...oneProperty.refine)
  .refine((reference) => reference?.namespace === undefined || reference.name !== undefined, {
    ...ALWAYS,
    error: NAMESPACE_ALONE,
  })
  .meta(
    admission(oneProperty.admission, {
      // `namespace` is a reserved word of CEL.
      rule: '!has(self.__namespace__) || has(self.name)',
      message: NAMESPACE_ALONE,
    }),
  );

const assignment = z
  .strictObject({
    propertyRef: propertyRef.describe('Which property'),
    values: z
      .union([z.array(scalarSchema).min(1, { error: 'at least one value is needed' }).max(MOST_VALUES), scalarSchema], {
        error: 'must be a value or a list of values: texts, finite numbers, true or false',
      })
      .describe('Its values, in the order in which they are kept; one value may stand alone'),
  })
  .describe('The values of one property');

const assignments = z
  .array(assignment)
  .max(MOST_PROPERTIES)
  .superRefine(noDuplicates('the property is listed twice', 'propertyRef'), ALWAYS);

const field = z
  .strictObject({
    fieldPath: z
      .string()
      .min(1)
      .max(2048)
      .regex(/^\S(?:[\s\S]*\S)?$/, { error: 'must have no blanks around it' })
      .refine((path) => path.isWellFormed(), { error: 'must be well-formed Unicode' })
      .describe('Path of a field of the schema'),
    properties: assignments.describe('Properties of the field'),
  })
  .describe('A schema field, and the values of its properties');

const fields = z
  .array(field)
  .max(MOST_FIELDS)
  .superRefine(noDuplicates('the field is listed twice', 'fieldPath'), ALWAYS)
  .meta(mapListBy('fieldPath'));

const EMPTY_SELECTOR = 'at least one of platform, environment, namePattern is needed';

const datasetSelector = z
  .strictObject({
    platform: z.string().min(1).max(512).optional().describe('Data platform: short name or URN'),
    environment: z.string().min(1).max(64).optional().describe('Environment, such as PROD'),
    namePattern: z.string().min(1).max(1024).optional().describe('Pattern of the name: * is any text, ? one character'),
  })
  .refine((selector) => Object.values(selector).some((part) => part !== undefined), { error: EMPTY_SELECTOR })
  .meta(
    admission({
      rule: 'has(self.platform) || has(self.environment) || has(self.namePattern)',
      message: EMPTY_SELECTOR,
    }),
  );

const datasetUrns = z
  .array(datasetUrn)
  .min(1)
  .max(MOST_DATASETS)
  .superRefine(noDuplicates('the dataset is listed twice'), ALWAYS)
  .meta(SET_LIST);

const oneTarget = exactlyOneOf('datasetUrn', 'datasetUrns', 'datasetSelector');

/** `spec` of a DatasetProperties: values of properties on one or more datasets and their fields. */
export const datasetPropertiesSpec = z
  .strictObject({
    datasetUrn: datasetUrn.optional().describe('One dataset'),
    datasetUrns: datasetUrns.optional().describe('Or several datasets'),
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
  .refine(...oneTarget.refine)
  .meta({
    id: 'DatasetPropertiesSpec',
    description: 'Values of properties that datasets shall have',
    ...admission(oneTarget.admission),
  });

export type DatasetPropertiesSpec = z.output<typeof datasetPropertiesSpec>;
export type PropertyRef = DatasetPropertiesSpec['properties'][number]['propertyRef'];
export type DatasetSelector = NonNullable<DatasetPropertiesSpec['datasetSelector']>;
