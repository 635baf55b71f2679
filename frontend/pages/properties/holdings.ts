import { ENTITY_TYPES, enumNameOf, typeNameOf } from '../../../model/entity-type.ts';
import { typeInWords } from '../catalogue/named-entity.ts';
import { searchFieldOf } from '../catalogue/property.ts';

/** How much there is of a property: what hiding its values would hide. */
export interface Holdings {
  readonly holders: number;
  /** Different values of each holder, all together. */
  readonly values: number;
  /** There are more different values than were counted. */
  readonly isAtLeast: boolean;
  readonly byType: readonly Counted[];
  readonly byPlatform: readonly Counted[];
  /** Each value with its holders, the most frequent first. */
  readonly byValue: readonly Counted[];
}

export interface Counted {
  readonly value: string;
  readonly count: number;
}

const VALUES_COUNTED = 10_000;

/** Of GraphQL: every type that can hold properties, whatever the definition says now. */
export const HOLDER_TYPES: readonly string[] = ENTITY_TYPES.filter(({ holdsProperties }) => holdsProperties).map(
  ({ name }) => enumNameOf(name),
);

export const HOLDINGS_QUERY = `query holdings($input: AggregateAcrossEntitiesInput!, $scroll: ScrollAcrossEntitiesInput!) {
  aggregateAcrossEntities(input: $input) { facets { field aggregations { value count } } }
  scrollAcrossEntities(input: $scroll) { total }
}`;

/** Also soft-deleted holders: their values are hidden by a hard deletion too. */
export function holderInput(name: string) {
  const exists = { field: searchFieldOf(name), condition: 'EXISTS' };
  return { types: HOLDER_TYPES, query: '*', orFilters: [{ and: [exists] }], searchFlags: { includeSoftDeleted: true } };
}

export function holdingsVariables(name: string) {
  const input = holderInput(name);
  return {
    input: {
      ...input,
      facets: ['_entityType', 'platform', searchFieldOf(name)],
      searchFlags: { ...input.searchFlags, maxAggValues: VALUES_COUNTED },
    },
    scroll: { ...input, count: 0, searchFlags: { ...input.searchFlags, skipAggregates: true } },
  };
}

export interface HoldingsAnswer {
  readonly aggregateAcrossEntities: {
    readonly facets: readonly { readonly field: string; readonly aggregations: readonly Counted[] }[];
  };
  readonly scrollAcrossEntities: { readonly total: number };
}

export function holdingsOf(answer: HoldingsAnswer, name: string): Holdings {
  const { facets } = answer.aggregateAcrossEntities;
  const counted = (field: string) => facets.find((facet) => facet.field === field)?.aggregations ?? [];
  const byValue = counted(searchFieldOf(name));
  return {
    holders: answer.scrollAcrossEntities.total,
    values: byValue.reduce((sum, { count }) => sum + count, 0),
    isAtLeast: byValue.length >= VALUES_COUNTED,
    byType: counted('_entityType').map(({ value, count }) => ({ value: typeNameOf(value), count })),
    byPlatform: counted('platform').filter(({ value }) => value.startsWith('urn:')),
    byValue,
  };
}

/** `18 values on 16 datasets and 2 schema fields`. */
export function describeHoldings({ holders, values, isAtLeast, byType }: Holdings): string {
  if (holders === 0) return 'no values';
  const amount = `${isAtLeast ? 'at least ' : ''}${counted(values, 'value')}`;
  const kinds = byType.map(({ value, count }) => counted(count, typeInWords(value)));
  return `${amount} on ${kinds.length === 0 ? counted(holders, 'holder') : inWords(kinds)}`;
}

function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

function inWords(parts: readonly string[]): string {
  return new Intl.ListFormat('en').format(parts);
}
