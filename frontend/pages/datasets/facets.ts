import type { Property } from '../catalogue/property.ts';
import { searchFieldOf } from '../catalogue/property.ts';
import type { DatasetSearch } from './dataset-search.ts';
import { type AndFilter, orFiltersOf, queryTextOf } from './graphql-filters.ts';

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface Facet {
  readonly field: string;
  readonly title: string;
  readonly values: readonly FacetValue[];
}

/** Of properties that nobody has asked to count. */
const MOST_USUAL_PROPERTIES = 4;
const VALUES_COUNTED = 100;

/** What is counted beside every search: platforms, environments, properties with a list of values, and what was asked for. */
export function facetFields(search: DatasetSearch, properties: readonly Property[]): string[] {
  const usual = properties
    .filter(
      ({ definition, entityTypes, removed }) => !removed && isChoice(definition) && entityTypes.includes('dataset'),
    )
    .slice(0, MOST_USUAL_PROPERTIES)
    .map(({ name }) => searchFieldOf(name));
  return [...new Set(['platform', 'origin', ...usual, ...(search.count ?? []), ...Object.keys(search.in ?? {})])];
}

/**
 * One GraphQL query for all facets. A field of which values are chosen is counted as if none were, so that its other
 * values can be chosen beside them.
 */
export function facetsQuery(
  search: DatasetSearch,
  fields: readonly string[],
): { readonly query: string; readonly variables: Readonly<Record<string, unknown>> } {
  const chosen = fields.filter((field) => search.in?.[field] !== undefined);
  const others = fields.filter((field) => search.in?.[field] === undefined);
  const groups = [
    ...(others.length === 0 ? [] : [{ facets: others, orFilters: orFiltersOf(search) }]),
    ...chosen.map((field) => ({ facets: [field], orFilters: orFiltersOf(search, field) })),
  ];
  const inputs = groups.map(({ facets, orFilters }) => aggregateInput(search, facets, orFilters));
  const declared = inputs.map((_, index) => `$i${index}: AggregateAcrossEntitiesInput!`).join(', ');
  const asked = inputs.map(
    (_, index) =>
      `a${index}: aggregateAcrossEntities(input: $i${index}) { facets { field displayName aggregations { value count } } }`,
  );
  return {
    query: `query facets(${declared}) { ${asked.join(' ')} }`,
    variables: Object.fromEntries(inputs.map((input, index) => [`i${index}`, input])),
  };
}

interface FacetsAnswer {
  readonly [alias: string]: {
    readonly facets: readonly {
      readonly field: string;
      readonly displayName: string;
      readonly aggregations: readonly FacetValue[];
    }[];
  };
}

/**
 * The facets in the order of their fields, without those that have no values, unless they were asked for. A value that is
 * chosen is there, also when nothing has it.
 */
export function facetsOf(answer: FacetsAnswer, fields: readonly string[], search: DatasetSearch): Facet[] {
  const facets = new Map(
    Object.values(answer).flatMap(({ facets: some }) => some.map((facet) => [facet.field, facet] as const)),
  );
  const shown = fields.map((field) => {
    const { displayName = field, aggregations = [] } = facets.get(field) ?? {};
    const missing = (search.in?.[field] ?? []).filter((value) => !aggregations.some((each) => each.value === value));
    return {
      field,
      title: displayName,
      values: [...aggregations, ...missing.map((value) => ({ value, count: 0 }))],
    };
  });
  return shown.filter(({ field, values }) => values.length > 0 || search.count?.includes(field));
}

function aggregateInput(search: DatasetSearch, facets: readonly string[], orFilters: readonly AndFilter[]) {
  return {
    types: ['DATASET'],
    query: queryTextOf(search),
    facets,
    orFilters,
    searchFlags: { maxAggValues: VALUES_COUNTED },
  };
}

function isChoice({ allowedValues }: Property['definition']): boolean {
  return allowedValues !== undefined && allowedValues.length > 0;
}
