import { printDouble } from '../../../model/typed-value.ts';
import { daysOf, parseNumber } from '../../../model/value-rules.ts';
import type { ValueType } from '../../../model/value-type.ts';

/** Values of fields as people write them: decimal numbers, dates YYYY-MM-DD, texts; the index has days since 1970-01-01. */

const MILLISECONDS_OF_A_DAY = 86_400_000;

/** Makes the error for a text that is no value of the field. */
export type Refuse = (reason: string) => Error;

/** @throws what `refuse` makes. */
export function readValue(text: string, type: ValueType, refuse: Refuse): string | number {
  if (type === 'date') {
    const days = daysOf(text);
    if (days === undefined) throw refuse(`a date YYYY-MM-DD is expected, not ${text}`);
    return days;
  }
  if (type !== 'number') return text;
  const number = parseNumber(text);
  if (number === undefined) throw refuse(`a number is expected, not ${text}`);
  return number === 0 ? 0 : number;
}

/**
 * Days since 1970-01-01, from a date or from milliseconds, as the reference catalogue has them; not always whole.
 * @throws what `refuse` makes.
 */
export function readMoment(text: string, refuse: Refuse): number {
  if (/^[+-]?\d{1,15}$/u.test(text)) return Number(text) / MILLISECONDS_OF_A_DAY;
  const days = daysOf(text);
  if (days !== undefined) return days;
  throw refuse(`a date YYYY-MM-DD, or milliseconds since 1970-01-01, is expected, not ${text}`);
}

/** A value of the index as it is read. */
export function printValue(value: string | number, type: ValueType | undefined): string {
  if (typeof value === 'string') return value;
  return type === 'date' ? new Date(value * MILLISECONDS_OF_A_DAY).toISOString().slice(0, 10) : printDouble(value);
}
