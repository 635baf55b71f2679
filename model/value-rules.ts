import type { TypedValue } from './typed-value.ts';
import { printTypedValue } from './typed-value.ts';
import { entityTypeNameOf, isUrnText } from './urn.ts';
import type { ValueType } from './value-type.ts';
import { shorten } from './violation.ts';

/** What one value has to be. Source: reference catalogue's value validator; dates are checked against the calendar. */
export interface ValueRule {
  readonly valueType: ValueType;
  /** For `urn`: the entity types (canonical names) that the URN may be of; absent = any. */
  readonly allowedTypes?: readonly string[];
}

/**
 * Checks a value and gives it its stored form: a numeric string for a number property becomes the number, -0 becomes 0.
 * @returns the value, or the sentence that says what is wrong.
 */
export function checkValue(rule: ValueRule, value: TypedValue): { value: TypedValue } | { problem: string } {
  const shown = shorten(printTypedValue(value), 200);
  switch (rule.valueType) {
    case 'number': {
      const number = 'double' in value ? value.double : parseNumber(value.string);
      if (number === undefined || !Number.isFinite(number)) return { problem: `value: ${shown} should be a number` };
      return { value: { double: number === 0 ? 0 : number } };
    }
    case 'date': {
      if ('double' in value || daysOf(value.string) === undefined) {
        return { problem: `value: ${shown} should be a date in the format YYYY-MM-DD, from 1000-01-01 to 9999-12-31` };
      }
      return { value };
    }
    case 'urn': {
      if ('double' in value || !isUrnText(value.string)) return { problem: `value: ${shown} should be a URN` };
      const type = entityTypeNameOf(value.string).toLowerCase();
      if (rule.allowedTypes !== undefined && !rule.allowedTypes.some((allowed) => allowed.toLowerCase() === type)) {
        return { problem: `value: ${shown} should be a URN of one of [${rule.allowedTypes.join(', ')}]` };
      }
      return { value };
    }
    default:
      return 'double' in value ? { problem: `value: ${shown} should be a string` } : { value };
  }
}

/** Reads a decimal number as people and Java write it; `undefined` for anything else. */
export function parseNumber(text: string): number | undefined {
  if (!/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/u.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Whole days since 1970-01-01 of a calendar date YYYY-MM-DD between 1000-01-01 and 9999-12-31, else `undefined`. */
export function daysOf(text: string): number | undefined {
  const match = /^([1-9]\d{3})-(\d{2})-(\d{2})$/u.exec(text);
  if (match === null) return undefined;
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 10) !== text) return undefined;
  return milliseconds / 86_400_000;
}
