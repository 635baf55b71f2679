import type * as z from 'zod';
import { MORE } from './sent-list.ts';
import { addViolation, shorten, type Violation, violation } from './violation.ts';

/** Either the checked value or every violated rule. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violations: Violation[] };

export function accepted<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function refused<T = never>(found: Violation): Checked<T> {
  return { ok: false, violations: [found] };
}

/** Checks a JSON value against a zod schema and reports every issue with its path. */
export function checkShape<S extends z.ZodType>(schema: S, input: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(input);
  return result.success ? accepted(result.data) : { ok: false, violations: violationsOf(result.error) };
}

export function violationsOf(error: z.ZodError): Violation[] {
  const violations: Violation[] = [];
  for (const issue of error.issues) {
    const path = printPath(issue.path);
    if (issue.code === 'unrecognized_keys') {
      for (const field of issue.keys) {
        const message = `unknown field "${shorten(field, 300)}"`;
        addViolation(violations, { ...violation('unknown-field', path, message), field });
      }
    } else {
      const more = issue.code === 'custom' ? Number(issue.params?.[MORE] ?? 0) : 0;
      addViolation(violations, { ...violation('wrong-shape', path, issue.message), ...(more > 0 ? { more } : {}) });
    }
  }
  return violations;
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
