import type { AdmissionRule } from './admission.ts';
import { celLastWord } from './type-name.ts';

/**
 * The rules of model/compatibility.ts, as far as one look at the old and the new spec tells, for the API server of
 * Kubernetes. That the version is greater than *every* earlier one is known to the metadata server alone.
 */

/** CEL: whether the version of `now` allows a breaking change of `before`. */
export function celGreaterVersion(now: string, before: string): string {
  return `has(${now}.version) && (!has(${before}.version) || ${now}.version > ${before}.version)`;
}

/** CEL: what to do instead of a breaking change. */
export function celVersionAdvice(before: string): string {
  const greater = `(has(${before}.version) ? ' greater than ' + ${before}.version : '')`;
  return `': undo the change, or set version to 14 digits (yyyyMMddhhmmss)' + ${greater} + ', which hides all values that are there'`;
}

const GREATER = celGreaterVersion('self', 'oldSelf');
const ADVICE = celVersionAdvice('oldSelf');

export const UNCHANGED_NAME: AdmissionRule = {
  rule: 'self == oldSelf',
  message: 'cannot be changed: undo the change, and make a new resource for the new name',
  reason: 'FieldValueForbidden',
};

/** For the spec of a StructuredProperty. A removed allowed value is the admission policy's business. */
export const BREAKING_RULES: readonly AdmissionRule[] = [
  {
    rule: `${celLastWord('self.valueType')} == ${celLastWord('oldSelf.valueType')} || (${GREATER})`,
    message: 'valueType cannot be changed without a greater version',
    messageExpression: `'valueType cannot be changed from ' + oldSelf.valueType + ' to ' + self.valueType + ' without a greater version' + ${ADVICE}`,
    fieldPath: '.valueType',
    reason: 'FieldValueForbidden',
  },
  {
    rule: `oldSelf.cardinality != 'MULTIPLE' || self.cardinality == 'MULTIPLE' || (${GREATER})`,
    message: 'cardinality cannot be changed from MULTIPLE to SINGLE without a greater version',
    messageExpression: `'cardinality cannot be changed from MULTIPLE to SINGLE without a greater version' + ${ADVICE}`,
    fieldPath: '.cardinality',
    reason: 'FieldValueForbidden',
  },
  {
    rule: `has(oldSelf.allowedValues) || !has(self.allowedValues) || (${GREATER})`,
    message: 'allowedValues cannot be introduced without a greater version',
    messageExpression: `'allowedValues cannot be introduced without a greater version, since any value was allowed before' + ${ADVICE}`,
    fieldPath: '.allowedValues',
    reason: 'FieldValueForbidden',
  },
];
