import { checkFilterSize, type FilterGroups, type FilterOperator } from '../catalog/find/resolve-filters.ts';

export interface AndFilterInput {
  readonly and?: readonly FacetFilterInput[] | null;
}

export interface FacetFilterInput {
  readonly field: string;
  readonly value?: string | null;
  readonly values?: readonly string[] | null;
  readonly negated?: boolean | null;
  readonly condition?: FilterOperator | null;
}

/**
 * Filters as the catalogue has them: what is null or left out in GraphQL gets its meaning.
 * @throws CatalogError `malformed` for too many of them.
 */
export function filterGroups(orFilters: readonly AndFilterInput[] | null | undefined): FilterGroups {
  checkFilterSize(orFilters ?? []);
  return (orFilters ?? []).map(({ and }) => ({
    and: (and ?? []).map(({ field, value, values, negated, condition }) => ({
      field,
      values: values ?? (value == null ? [] : [value]),
      negated: negated ?? false,
      condition: condition ?? 'EQUAL',
    })),
  }));
}
