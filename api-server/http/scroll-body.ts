import * as z from 'zod';
import { type EntityTypeInfo, SEARCHED_TYPES } from '../../model/entity-type.ts';
import { FILTER_OPERATORS, type FilterGroups } from '../catalog/find/resolve-filters.ts';
import { requireEntityType } from './request-context.ts';

const rule = z.strictObject({
  field: z.string(),
  values: z.array(z.string()).optional(),
  value: z.string().optional().describe('The same as values with one'),
  condition: z.enum(FILTER_OPERATORS).default('EQUAL'),
  negated: z.boolean().default(false),
});

/** Body of a scroll over entity types, as the reference catalogue's clients send it. */
export const scrollRequest = z.strictObject({
  entities: z.array(z.string()).nullish().describe('Names of entity types; the searchable ones when absent'),
  aspects: z.array(z.string()).nullish().describe('Aspects to return; none when absent, all when empty'),
  filter: z
    .strictObject({
      and: z
        .array(z.strictObject({ criteria: z.array(rule) }))
        .describe('Groups of conditions: one of the groups has to hold, with all its criteria'),
    })
    .nullish(),
  sortCriteria: z
    .array(
      z.strictObject({
        field: z.literal('urn', { error: 'entities are sorted by urn' }),
        order: z.enum(['ASCENDING', 'DESCENDING']).optional(),
      }),
    )
    .nullish()
    .describe('Wins over the parameter sortOrder'),
});

export type ScrollRequest = z.output<typeof scrollRequest>;

/** @throws CatalogError for a name that is no entity type. */
export function scrolledTypes({ entities }: ScrollRequest): readonly EntityTypeInfo[] {
  return entities == null || entities.length === 0 ? SEARCHED_TYPES : entities.map(requireEntityType);
}

export function scrollFilters({ filter }: ScrollRequest): FilterGroups {
  return (filter?.and ?? []).map(({ criteria }) => ({
    and: criteria.map(({ value, values, ...rest }) => ({
      ...rest,
      values: values ?? (value === undefined ? [] : [value]),
    })),
  }));
}
