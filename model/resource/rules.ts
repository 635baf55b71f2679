import type * as z from 'zod';

/** Rules between fields. They run also when a field has the wrong shape, so that all violations are told at once. */
export const ALWAYS = { when: () => true } as const;

/** The rule that exactly one of the fields is there: arguments for `.refine`, and the same rule at admission. */
export function exactlyOneOf(...fields: readonly string[]) {
  const test = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    fields.filter((field) => (value as Record<string, unknown>)[field] !== undefined).length === 1;
  const error = `exactly one of ${fields.join(', ')} is needed`;
  const present = fields.map((field) => `has(self.${field})`);
  return {
    refine: [test, { ...ALWAYS, error }] as const,
    admission: { rule: `[${present.join(', ')}].exists_one(given, given)`, message: error },
  };
}

/**
 * The rule that no two items of a list are about the same thing, since which of the two is meant cannot be known:
 * argument for `.superRefine`. What an item is about is in its `field`; without a field it is the item itself. Items
 * that say nothing of it are left to the other rules.
 */
export function noDuplicates(error: string, field?: string) {
  return (items: unknown, context: z.core.$RefinementCtx<unknown>): void => {
    const seen = new Set<string>();
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      const identity = field === undefined ? item : (item as Record<string, unknown> | null)?.[field];
      if (identity === undefined) continue;
      const text = JSON.stringify(identity);
      const path = field === undefined ? [index] : [index, field];
      if (seen.has(text)) context.addIssue({ code: 'custom', path, message: error });
      seen.add(text);
    }
  };
}
