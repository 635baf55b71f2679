import type { Condition, DatasetSearch } from './dataset-search.ts';
import { meaningOf } from './operators.ts';

/** `FacetFilterInput` of the GraphQL schema. */
export interface FacetFilter {
  readonly field: string;
  readonly condition: string;
  readonly values?: readonly string[];
  readonly negated?: true;
}

/** `AndFilterInput`: all of them have to hold. */
export interface AndFilter {
  readonly and: readonly FacetFilter[];
}

/**
 * The filters of a search, in the shape of GraphQL: one of the groups has to hold.
 * @param except a field whose chosen facet values are left out: a facet counts what its other values would find.
 */
export function orFiltersOf(search: DatasetSearch, except?: string): AndFilter[] {
  const chosen = Object.entries(search.in ?? {})
    .filter(([field]) => field !== except)
    .map(([field, values]): FacetFilter => ({ field, condition: 'EQUAL', values }));
  const conditions = (search.where ?? []).filter(isComplete).map(filterOf);
  if (search.any && conditions.length > 0) return conditions.map((condition) => ({ and: [condition, ...chosen] }));
  const all = [...conditions, ...chosen];
  return all.length === 0 ? [] : [{ and: all }];
}

/** The text of a search, in the shape of GraphQL. */
export function queryTextOf({ q }: DatasetSearch): string {
  return q ?? '*';
}

/** A condition that still lacks its value restricts nothing. */
export function isComplete({ is, values }: Condition): boolean {
  return meaningOf(is).values === 'none' || values.some((value) => value !== '');
}

function filterOf({ field, is, values }: Condition): FacetFilter {
  const { condition, negated, values: takes } = meaningOf(is);
  const present = values.filter((value) => value !== '');
  return {
    field,
    condition,
    ...(takes === 'none' ? {} : { values: takes === 'one' ? present.slice(0, 1) : present }),
    ...(negated ? { negated } : {}),
  };
}
