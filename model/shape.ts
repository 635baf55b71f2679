import type * as z from 'zod';
import { type Violation, violation } from './violation.ts';

/** Either the checked value or every violated rule. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violations: Violation[] };

export function accepted<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function refused<T = never>(...violations: Violation[]): Checked<T> {
  return { ok: false, violations };
}

/** Checks a JSON value against a zod schema and reports every issue with its path. */
export function checkShape<S extends z.ZodType>(schema: S, input: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(input);
  return result.success ? accepted(result.data) : { ok: false, violations: violationsOf(result.error) };
}

export function violationsOf(error: z.ZodError): Violation[] {
  return error.issues.flatMap((issue) => {
    const path = printPath(issue.path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ ...violation('unknown-field', path, `unknown field "${key}"`), field: key }));
    return [violation('wrong-shape', path, issue.message)];
  });
}

/** JSON has two ways to say nothing: an object's fields that are null count as absent, as with the reference catalogue. */
export function withoutNulls(input: unknown): unknown {
  if (!isObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function printPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step)}`;
  return text;
}

/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
