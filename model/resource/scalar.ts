import * as z from 'zod';
import type { TypedValue } from '../typed-value.ts';

/** Longest text of a value, in characters. */
const LONGEST_TEXT = 32_768;

/** A value as people write it in YAML: `90`, `365.5`, `"gold"`, `2026-01-01`, `true`. */
export const scalarSchema = z.union([z.string().max(LONGEST_TEXT), z.number(), z.boolean()], {
  error: 'must be a single value: a text, a finite number, true or false',
});

export type Scalar = z.output<typeof scalarSchema>;

/** A number is a double; anything else is the string that it prints as. */
export function typedValueOf(scalar: Scalar): TypedValue {
  return typeof scalar === 'number' ? { double: scalar === 0 ? 0 : scalar } : { string: String(scalar) };
}
