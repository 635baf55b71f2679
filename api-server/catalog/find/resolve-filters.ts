import { daysOf, parseNumber } from '../../../model/value-rules.ts';
import { MAX_CONDITION_NODES, type SearchCondition } from '../../search/port.ts';
import { CatalogError } from '../errors.ts';
import type { RegistryView } from '../registry/registry.ts';
import { typeNameOf } from './entity-type-names.ts';
import { bareFieldName, type FilterField, resolveFilterField } from './filter-fields.ts';
import { cannotFilterOn, type SearchField } from './search-fields.ts';

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

/** One condition on one field, as GraphQL has it. */
export interface Filter {
  /** A public name. */
  readonly field: string;
  /** EQUAL when absent. */
  readonly condition?: FilterOperator;
  /** One of them has to meet the condition; ranges look at the first only, EXISTS at none. */
  readonly values?: readonly string[];
  /** The exact complement. */
  readonly negated?: boolean;
}

/** One of the groups has to hold, with all its filters. No groups at all, and a group without filters, hold always. */
export type FilterGroups = readonly { readonly and: readonly Filter[] }[];

const MILLISECONDS_OF_A_DAY = 86_400_000;

/**
 * The condition that filters mean by what the registry says now. Fields that no entity has match nothing.
 * @throws CatalogError `invalid` for a soft-deleted property (of all filters, so that one message names every one), and
 * `malformed` for a value that its field cannot have, naming the filter.
 */
export async function resolveFilters(groups: FilterGroups, registry: RegistryView): Promise<SearchCondition> {
  if (groups.length === 0) return { kind: 'all' };
  checkFilterSize(groups);
  const filters = groups.flatMap(({ and }) => and);
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
      of: and.map((filter) => filterCondition(filter, targets.get(filter.field) ?? {})),
    })),
  };
}

/** Filters of which only the number is looked at, whatever else they are. */
type CountedGroups = readonly { readonly and?: readonly { readonly values?: readonly unknown[] | null }[] | null }[];

/**
 * Before anything is made of the filters: the index would refuse as many.
 * @throws CatalogError `malformed` for more than MAX_CONDITION_NODES groups and values; a filter without values is one.
 */
export function checkFilterSize(groups: CountedGroups): void {
  const inGroup = (and: CountedGroups[number]['and']) =>
    (and ?? []).reduce((sum, { values }) => sum + Math.max(1, values?.length ?? 0), 0);
  const size = groups.reduce((sum, { and }) => sum + 1 + inGroup(and), 0);
  if (size <= MAX_CONDITION_NODES) return;
  throw new CatalogError('malformed', `filters: ${size} groups and values, more than ${MAX_CONDITION_NODES}`);
}

/** Whether a filter speaks of soft deletion itself, so that soft-deleted entities must not be left out before. */
export function isAboutRemoved(groups: FilterGroups): boolean {
  return groups.some(({ and }) => and.some(({ field }) => bareFieldName(field) === 'removed'));
}

function filterCondition(filter: Filter, target: FilterField): SearchCondition {
  const condition = target.field === undefined ? NOTHING : fieldCondition(filter, target.field, target.own);
  return filter.negated === true ? { kind: 'not', of: condition } : condition;
}

const NOTHING: SearchCondition = { kind: 'none' };

function fieldCondition(filter: Filter, { field, type }: SearchField, own: string | undefined): SearchCondition {
  const condition = filter.condition ?? 'EQUAL';
  const values = filter.values ?? [];
  if (condition === 'EXISTS') return { kind: 'exists', field };
  if (isRange(condition)) {
    const [first] = values;
    if (first === undefined) return NOTHING;
    const bound = readBound(condition, first, type, filter);
    return { kind: 'range', field, fold: false, ...bound };
  }
  const one = (value: string): SearchCondition => {
    if (isPattern(condition)) return patternCondition(condition, field, value, type, filter);
    const sought = own === '_entityType' ? typeNameOf(value) : readValue(value, type, filter);
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
function readValue(text: string, type: SearchField['type'], filter: Filter): string | number | undefined {
  if (type === 'number') return readNumber(text, filter);
  if (type !== 'date') return text;
  const days = readDays(text, filter);
  return Number.isInteger(days) ? days : undefined;
}

function readBound(condition: RangeOperator, text: string, type: SearchField['type'], filter: Filter) {
  const inclusive = condition.endsWith('_OR_EQUAL_TO');
  const isLower = condition.startsWith('GREATER');
  let value: string | number = text;
  if (type === 'number') value = readNumber(text, filter);
  // Between two days: what is later than noon is later than this day, and not earlier than the next.
  else if (type === 'date') value = (isLower === inclusive ? Math.ceil : Math.floor)(readDays(text, filter));
  const bound = { value, inclusive };
  return isLower ? { lower: bound } : { upper: bound };
}

function readNumber(text: string, filter: Filter): number {
  const number = parseNumber(text);
  if (number === undefined) throw refusal(filter, `a number is expected, not ${text}`);
  return number === 0 ? 0 : number;
}

/** Days since 1970-01-01, from a date or from milliseconds, as the reference catalogue has them; not always whole. */
function readDays(text: string, filter: Filter): number {
  if (/^[+-]?\d{1,15}$/u.test(text)) return Number(text) / MILLISECONDS_OF_A_DAY;
  const days = daysOf(text);
  if (days === undefined) {
    throw refusal(filter, `a date YYYY-MM-DD, or milliseconds since 1970-01-01, is expected, not ${text}`);
  }
  return days;
}

function refusal({ field, condition = 'EQUAL' }: Filter, reason: string): CatalogError {
  return new CatalogError('malformed', `filter ${condition} on ${field}: ${reason}`);
}
