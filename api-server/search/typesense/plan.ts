import type { Range } from './text-order.ts';

/**
 * What a filter of the engine can say. Negation is only there at the leaves: `terms` holds for entities that have one of
 * them or, negated, none of them; `ranges` for those with a number of the column in one of the ranges.
 */
export type Plan =
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'terms'; readonly terms: ReadonlySet<string>; readonly negated: boolean }
  | { readonly kind: 'ranges'; readonly column: string; readonly ranges: readonly Range[] }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Plan[] };

export const ALL: Plan = { kind: 'all' };
export const NONE: Plan = { kind: 'none' };

export function someTerm(terms: Iterable<string>, negated = false): Plan {
  const set = new Set(terms);
  if (set.size === 0) return negated ? ALL : NONE;
  return { kind: 'terms', terms: set, negated };
}

/**
 * `and` or `or` of plans, with as few parts as can be: a list may be of any length, while the number of parts is limited.
 * One of two lists is one list; so is none of two lists.
 */
export function combine(kind: 'and' | 'or', plans: readonly Plan[]): Plan {
  const [neutral, decisive] = kind === 'and' ? [ALL, NONE] : [NONE, ALL];
  const parts = plans
    .flatMap((plan) => (plan.kind === kind ? plan.of : [plan]))
    .filter((plan) => plan.kind !== neutral.kind);
  if (parts.some((plan) => plan.kind === decisive.kind)) return decisive;
  const isMerged = (plan: Plan) => plan.kind === 'terms' && plan.negated === (kind === 'and');
  const lists = parts.filter(isMerged).flatMap((plan) => (plan.kind === 'terms' ? [...plan.terms] : []));
  const merged = lists.length === 0 ? [] : [someTerm(lists, kind === 'and')];
  const of = [...merged, ...parts.filter((plan) => !isMerged(plan))];
  return of.length > 1 ? { kind, of } : (of[0] ?? neutral);
}

/** How many conditions, operators and brackets its filter has. */
export function sizeOf(plan: Plan): number {
  if (plan.kind !== 'and' && plan.kind !== 'or') return 1;
  return plan.of.reduce((size, part) => size + sizeOf(part) + 1, 1);
}

/** The filter's text; it holds nothing but names of columns, hex digits and integers. `all` is empty. */
export function filterOf(plan: Plan): string {
  switch (plan.kind) {
    case 'all':
      return '';
    case 'none':
      throw new Error('Nothing meets this: the engine need not be asked');
    case 'terms':
      // each term is one word: the quick test for a word is exact
      return `terms:${plan.negated ? '!=' : ''}[${[...plan.terms].join()}]`;
    case 'ranges':
      return `${plan.column}:[${plan.ranges.map(([from, to]) => `${from}..${to}`).join()}]`;
    default:
      return `(${plan.of.map(filterOf).join(plan.kind === 'and' ? ' && ' : ' || ')})`;
  }
}
