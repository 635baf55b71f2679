import { typeNameOf } from '../../../model/entity-type.ts';
import { MAX_SEARCH_TEXT } from '../../../model/limits.ts';
import { MAX_CONDITION_NODES, type SearchCondition } from '../../search/port.ts';
import { CatalogError } from '../errors.ts';
import type { RegistryView } from '../registry/registry.ts';
import { bareFieldName, cannotFilterOn, type FilterField, resolveFilterField, type SearchField } from './fields.ts';
import { readMoment, readValue } from './values.ts';

export const FILTER_OPERATORS = [
  'CONTAIN',
  'EQUAL',
  'IEQUAL',
  'IN',
  'EXISTS',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'START_WITH',
  'END_WITH',
  'DESCENDANTS_INCL',
  'ANCESTORS_INCL',
  'RELATED_INCL',
] as const;

export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One condition on one field, as clients send it: what is null is as if it were absent. */
export interface Filter {
  /** A public name. */
  readonly field: string;
  /** EQUAL when absent. */
  readonly condition?: FilterOperator | null | undefined;
  /** One of them has to meet the condition; ranges look at the first only, EXISTS at none. */
  readonly values?: readonly string[] | null | undefined;
  /** The same as `values` with one. */
  readonly value?: string | null | undefined;
  /** The exact complement. */
  readonly negated?: boolean | null | undefined;
}

/** One of the groups has to hold, with all its filters. No groups at all, and a group without filters, hold always. */
export type FilterGroups = readonly { readonly and?: readonly Filter[] | null | undefined }[];

/**
 * The condition that filters mean by what the registry says now. Fields that no entity has match nothing.
 * @throws CatalogError `invalid` for a soft-deleted property (of all filters, so that one message names every one), and
 * `malformed` for a value that its field cannot have, naming the filter.
 */
export async function resolveFilters(groups: FilterGroups, registry: RegistryView): Promise<SearchCondition> {
  if (groups.length === 0) return { kind: 'all' };
  checkFilterSize(groups);
  const filters = groups.flatMap(({ and }) => and ?? []);
  const names = [...new Set(filters.map(({ field }) => field))];
  const targets = new Map(
    await Promise.all(names.map(async (name) => [name, await resolveFilterField(name, registry)] as const)),
  );
  const properties = [...targets.values()].flatMap(({ property }) => (property?.removed === true ? [property] : []));
  if (properties.length > 0) throw cannotFilterOn(properties);
  return {
    kind: 'or',
    of: groups.map(({ and }) => ({
      kind: 'and',
      of: (and ?? []).map((filter) => filterCondition(filter, targets.get(filter.field) ?? {})),
    })),
  };
}

/**
 * Before anything is made of the filters: the index would refuse as many.
 * @throws CatalogError `malformed` for more than MAX_CONDITION_NODES groups and values; a filter without values is one;
 * and for a text that is longer than MAX_SEARCH_TEXT.
 */
function checkFilterSize(groups: FilterGroups): void {
  const sizes = groups.map(({ and }) =>
    (and ?? []).reduce((sum, { values }) => sum + Math.max(1, values?.length ?? 0), 1),
  );
  const size = sizes.reduce((sum, inGroup) => sum + inGroup, 0);
  if (size > MAX_CONDITION_NODES) {
    throw new CatalogError('malformed', `filters: ${size} groups and values, more than ${MAX_CONDITION_NODES}`);
  }
  for (const { field, values, value } of groups.flatMap(({ and }) => and ?? [])) {
    for (const [what, { length }] of [['field', field] as const, ...textsOf(values, value)]) {
      if (length <= MAX_SEARCH_TEXT) continue;
      throw new CatalogError('malformed', `filters: a ${what} of ${length} characters, more than ${MAX_SEARCH_TEXT}`);
    }
  }
}

function textsOf(values: Filter['values'], value: Filter['value']): (readonly ['value', string])[] {
  return [...(values ?? []), ...(value == null ? [] : [value])].map((text) => ['value', text]);
}

/** Whether a filter speaks of soft deletion itself, so that soft-deleted entities must not be left out before. */
export function isAboutRemoved(groups: FilterGroups): boolean {
  return groups.some(({ and }) => and?.some(({ field }) => bareFieldName(field) === 'removed') === true);
}

function filterCondition(filter: Filter, target: FilterField): SearchCondition {
  const condition = target.field === undefined ? NOTHING : fieldCondition(filter, target.field, target.own);
  return filter.negated === true ? { kind: 'not', of: condition } : condition;
}

const NOTHING: SearchCondition = { kind: 'none' };

function fieldCondition(filter: Filter, { field, type }: SearchField, own: string | undefined): SearchCondition {
  const condition = filter.condition ?? 'EQUAL';
  const values = filter.values ?? (filter.value == null ? [] : [filter.value]);
  if (condition === 'EXISTS') return { kind: 'exists', field };
  if (isRange(condition)) {
    const [first] = values;
    if (first === undefined) return NOTHING;
    const bound = readBound(condition, first, type, filter);
    return { kind: 'range', field, fold: false, ...bound };
  }
  const one = (value: string): SearchCondition => {
    if (isPattern(condition)) return patternCondition(condition, field, value, type, filter);
    const sought = own === '_entityType' ? typeNameOf(value) : soughtValue(value, type, filter);
    return sought === undefined ? NOTHING : { kind: 'equal', field, value: sought, fold: condition === 'IEQUAL' };
  };
  const [single, ...more] = values.map(one);
  if (single === undefined) return NOTHING;
  return more.length === 0 ? single : { kind: 'or', of: [single, ...more] };
}

type RangeOperator = Extract<FilterOperator, `${string}_THAN${string}`>;
type PatternOperator = 'CONTAIN' | 'START_WITH' | 'END_WITH';

function isRange(condition: FilterOperator): condition is RangeOperator {
  return condition.includes('_THAN');
}

function isPattern(condition: FilterOperator): condition is PatternOperator {
  return condition === 'CONTAIN' || condition === 'START_WITH' || condition === 'END_WITH';
}

/** Wildcards in the value are literal text; without regard to case. */
function patternCondition(
  condition: PatternOperator,
  field: string,
  value: string,
  type: SearchField['type'],
  filter: Filter,
): SearchCondition {
  if (type === 'number' || type === 'date') throw refusal(filter, `a ${type} is compared with EQUAL or a range`);
  const literal = value === '' ? [] : [{ literal: value }];
  const pattern = [
    ...(condition === 'START_WITH' ? [] : ['*' as const]),
    ...literal,
    ...(condition === 'END_WITH' ? [] : ['*' as const]),
  ];
  return { kind: 'like', field, pattern, fold: true };
}

/** @returns `undefined` for a moment that no date has: none of them begins then. */
function soughtValue(text: string, type: SearchField['type'], filter: Filter): string | number | undefined {
  if (type !== 'date') return readValue(text, type, (reason) => refusal(filter, reason));
  const days = readMoment(text, (reason) => refusal(filter, reason));
  return Number.isInteger(days) ? days : undefined;
}

function readBound(condition: RangeOperator, text: string, type: SearchField['type'], filter: Filter) {
  const inclusive = condition.endsWith('_OR_EQUAL_TO');
  const isLower = condition.startsWith('GREATER');
  const refuse = (reason: string) => refusal(filter, reason);
  const value =
    type === 'date'
      ? // Between two days: what is later than noon is later than this day, and not earlier than the next.
        (isLower === inclusive ? Math.ceil : Math.floor)(readMoment(text, refuse))
      : readValue(text, type, refuse);
  const bound = { value, inclusive };
  return isLower ? { lower: bound } : { upper: bound };
}

function refusal({ field, condition }: Filter, reason: string): CatalogError {
  return new CatalogError('malformed', `filter ${condition ?? 'EQUAL'} on ${field}: ${reason}`);
}
