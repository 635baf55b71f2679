import { celText } from './admission.ts';
import { celGreaterVersion, celVersionAdvice } from './breaking-rules.ts';
import type { POLICED_KINDS } from './identity.ts';
import { MOST_ALLOWED_VALUES } from './structured-property.ts';
import { celLastWord } from './type-name.ts';

/**
 * Rules about values. A value is a bare scalar, so the schema gives it no type, and what has no type is not there for the
 * rules of a CRD. A ValidatingAdmissionPolicy sees it. Each rule mirrors one of the model, in CEL.
 */
export interface AdmissionPolicy {
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly PolicyRule[];
}

interface PolicyRule {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression?: string;
}

const NUMBER = '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$';
const URN = '^urn:li:[A-Za-z][A-Za-z0-9]*:[^\\s\\pZ]((?s:.)*[^\\s\\pZ])?$';

/** Two lists are compared element by element; CEL stops at a million steps, so the longer half of them is done apart. */
const HALF = MOST_ALLOWED_VALUES / 2;
/** As many values are named in a message, each with so many characters: a message has to be shorter than 5 kB. */
const MOST_NAMED = 10;
const LONGEST_NAMED = 80;

function isNumeral(value: string): string {
  return `(type(${value}) == int || type(${value}) == double)`;
}

function isScalar(value: string): string {
  return `(${isNumeral(value)} || type(${value}) == string || type(${value}) == bool)`;
}

/** Mirrors checkValue of model/value-rules.ts. */
function isOfType(value: string): string {
  const isText = `type(${value}) == string`;
  // What is beyond all doubles is an error of the conversion, which refuses too.
  const number = `${isNumeral(value)} || (${isText} && ${value}.trim().matches(${celText(NUMBER)}) && double(${value}.trim()) <= 1.7976931348623157e308)`;
  const date = `${isText} && ${value}.matches('^[1-9]') && !format.date().validate(${value}).hasValue()`;
  const urn = `${isText} && ${value}.matches(${celText(URN)})`;
  return `variables.type == 'number' ? (${number}) : variables.type == 'date' ? (${date}) : variables.type == 'urn' ? (${urn}) : !${isNumeral(value)}`;
}

/** A text that two values share when the model takes them for one: 30, 30.0 and, of a number, "30"; true and "true". */
function keyOf(value: string): string {
  const isNumber = `variables.type == 'number' && string(${value}).trim().matches(${celText(NUMBER)})`;
  // Minus zero is zero.
  return `${isNumber} ? string(double(string(${value}).trim()) + 0.0) : string(${value})`;
}

/** The first values of a list, for a message. */
function named(list: string): string {
  const short = `string(value).size() <= ${LONGEST_NAMED} ? string(value) : string(value).substring(0, ${LONGEST_NAMED}) + '…'`;
  const first = `${list}.transformList(index, value, index < ${MOST_NAMED}, strings.quote(${short})).join(', ')`;
  return `${first} + (${list}.size() > ${MOST_NAMED} ? ' and ' + string(${list}.size() - ${MOST_NAMED}) + ' more' : '')`;
}

function allowedValues(object: string): string {
  return `${object} != null && has(${object}.spec.allowedValues) ? ${object}.spec.allowedValues.map(allowed, allowed.value) : []`;
}

const STRUCTURED_PROPERTY: AdmissionPolicy = {
  variables: [
    { name: 'type', expression: celLastWord('object.spec.valueType') },
    { name: 'values', expression: allowedValues('object') },
    { name: 'earlier', expression: allowedValues('oldObject') },
    { name: 'wrong', expression: `variables.values.filter(value, !(${isOfType('value')}))` },
    { name: 'keys', expression: `variables.values.map(value, ${keyOf('value')})` },
    { name: 'earlierKeys', expression: `variables.earlier.map(value, ${keyOf('value')})` },
    {
      name: 'removedFirst',
      expression: `variables.earlierKeys.transformList(index, key, index < ${HALF} && !(key in variables.keys), key)`,
    },
    {
      name: 'removed',
      expression: `variables.removedFirst + variables.earlierKeys.transformList(index, key, index >= ${HALF} && !(key in variables.keys), key)`,
    },
  ],
  validations: [
    {
      expression: `variables.values.all(value, ${isScalar('value')})`,
      message: 'spec.allowedValues: each value must be a single value: a text, a finite number, true or false',
    },
    {
      expression: 'variables.wrong.size() == 0',
      message: 'spec.allowedValues: a value does not fit spec.valueType',
      messageExpression: `'spec.allowedValues: not of value type ' + variables.type + ': ' + ${named('variables.wrong')}`,
    },
    {
      expression: `oldObject == null || !has(object.spec.allowedValues) || (${celGreaterVersion('object.spec', 'oldObject.spec')}) || variables.removed.size() == 0`,
      message: 'spec.allowedValues: a value cannot be removed without a greater version',
      messageExpression: `'spec.allowedValues: cannot be removed without a greater version: ' + ${named('variables.removed')} + ${celVersionAdvice('oldObject.spec')}`,
    },
  ],
};

const LISTS = '[object.spec.properties] + object.spec.fields.map(field, field.properties)';

/** To compare each with each has a good message, and is too much for CEL from so many comparisons on. */
const MOST_COMPARISONS = 50_000;

const REFERENCE_PARTS = ['name', 'namespace', 'qualifiedName'].map(
  (part) => `(has(item.propertyRef.${part}) ? strings.quote(item.propertyRef.${part}) : '-')`,
);

const DATASET_PROPERTIES: AdmissionPolicy = {
  variables: [
    { name: 'lists', expression: LISTS },
    { name: 'comparisons', expression: 'variables.lists.map(list, list.size() * list.size()).sum()' },
    {
      // A map with two equal keys cannot be made: that is an error, which refuses and names the key.
      name: 'eachPropertyOnce',
      expression: `variables.lists.map(list, list.transformMapEntry(index, item, {${REFERENCE_PARTS.join(' + ')}: index}))`,
    },
  ],
  validations: [
    {
      expression: `variables.lists.all(assignments, assignments.all(item, type(item.values) == list ? item.values.all(value, ${isScalar('value')}) : ${isScalar('item.values')}))`,
      message: 'values must be a value or a list of values: texts, finite numbers, true or false',
    },
    {
      expression: `variables.comparisons > ${MOST_COMPARISONS} || variables.lists.all(list, list.all(item, list.exists_one(other, other.propertyRef == item.propertyRef)))`,
      message: 'spec.properties, spec.fields[].properties: a property is listed twice',
    },
    {
      expression: `variables.comparisons <= ${MOST_COMPARISONS} || variables.eachPropertyOnce.size() > 0`,
      message: 'spec.properties, spec.fields[].properties: a property is listed twice',
    },
  ],
};

export const ADMISSION_POLICIES: Readonly<Record<(typeof POLICED_KINDS)[number], AdmissionPolicy>> = {
  StructuredProperty: STRUCTURED_PROPERTY,
  DatasetProperties: DATASET_PROPERTIES,
};
