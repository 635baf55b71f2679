import { ENTITY_TYPES, findEntityType } from '../entity-type.ts';
import { VALUE_TYPES, type ValueType } from '../value-type.ts';
import { type AdmissionRule, celTexts } from './admission.ts';

/** Names of types in manifests: short or as a full URN, in any case. Only their last word counts. */

/** Longest name of a type, with its namespace word. */
export const LONGEST_TYPE_NAME = 256;

/** Last word of a full or short name: `number` of `urn:li:dataType:datahub.number` and of `number`. */
function lastWord(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('.'), text.lastIndexOf(':')) + 1).toLowerCase();
}

/** The same in CEL. */
export function celLastWord(expression: string): string {
  return `${expression}.lowerAscii().find('[^.:]*$')`;
}

export function valueTypeNamed(text: string): ValueType | undefined {
  return VALUE_TYPES.find((valueType) => valueType === lastWord(text));
}

export const KNOWN_VALUE_TYPE: AdmissionRule = {
  rule: `${celLastWord('self')} in ${celTexts(VALUE_TYPES)}`,
  message: `unknown value type; known are ${VALUE_TYPES.join(', ')}`,
  messageExpression: `'unknown value type ' + self + '; known are ${VALUE_TYPES.join(', ')}'`,
};

export function isEntityTypeNamed(text: string): boolean {
  return findEntityType(lastWord(text)) !== undefined;
}

export const KNOWN_ENTITY_TYPE: AdmissionRule = {
  rule: `${celLastWord('self')} in ${celTexts(ENTITY_TYPES.map(({ name }) => name.toLowerCase()))}`,
  message: `unknown entity type; known are ${ENTITY_TYPES.map(({ name }) => name).join(', ')}`,
  messageExpression: "'unknown entity type ' + self",
};
