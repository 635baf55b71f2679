import type * as z from 'zod';

/** Rules between fields. They run also when a field has the wrong shape, so that all violations are told at once. */
export const ALWAYS = { when: () => true } as const;

/** The rule that exactly one of the fields is there: arguments for `.refine`. */
export function exactlyOneOf(...fields: readonly string[]) {
  const test = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    fields.filter((field) => (value as Record<string, unknown>)[field] !== undefined).length === 1;
  return [test, { ...ALWAYS, error: `exactly one of ${fields.join(', ')} is needed` }] as const;
}

/**
 * The rule that no two items of a list are about the same thing, since which of the two is meant cannot be known:
 * argument for `.superRefine`. Items of which `identify` makes nothing are left to the other rules.
 */
export function noDuplicates(identify: (item: Record<string, unknown>) => unknown, path: string, error: string) {
  return (items: unknown, context: z.core.$RefinementCtx<unknown>): void => {
    const seen = new Set<string>();
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      const identity = typeof item === 'object' && item !== null ? identify(item) : undefined;
      if (identity === undefined) continue;
      const text = JSON.stringify(identity);
      if (seen.has(text)) context.addIssue({ code: 'custom', path: [index, path], message: error });
      seen.add(text);
    }
  };
}
