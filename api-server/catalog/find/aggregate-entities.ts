import { enumNameOf } from '../../../model/entity-type.ts';
import type { SearchCondition, ValueCount } from '../../search/port.ts';
import { entityField } from '../indexing/index-entry.ts';
import type { CatalogParts } from '../parts.ts';
import type { DefinedProperty } from '../registry/registry.ts';
import { type CatalogRequest, checkDeadline, patienceOf } from '../request.ts';
import { type FilterField, resolveFilterField } from './fields.ts';
import type { EntitySelection } from './find-entities.ts';
import { printValue } from './values.ts';

/** The most values of one facet. */
export const MAX_FACET_VALUES = 10_000;

/** Facets where none are asked for, beside the properties that are marked for it. */
export const DEFAULT_FACETS = ['_entityType', 'platform', 'origin'] as const;
/** Properties marked to be shown in search filters that count as default facets: more than a person looks through. */
export const MAX_MARKED_PROPERTIES = 50;

export interface Facet {
  /** As it was asked for. */
  readonly field: string;
  /** The property, when the field is one that is not soft deleted. */
  readonly property?: DefinedProperty;
  /** The name of the entity's own field, when it is one. */
  readonly own?: string;
  readonly values: readonly FacetValue[];
}

export interface FacetValue {
  /** Of a number: decimal text that reads back as the same double. Of a date: YYYY-MM-DD. */
  readonly value: string;
  /** How many of the entities have it. */
  readonly count: number;
}

/**
 * How many of the selected entities have each value of a field: greatest counts first, at most `limit`. A field that no
 * entity has, or whose property is deleted, softly or not, has no values.
 */
export async function countFacet(
  request: CatalogRequest,
  name: string,
  selection: EntitySelection,
  limit: number,
): Promise<Facet> {
  const { parts } = request;
  checkDeadline(parts, request);
  const target = await resolveFilterField(name, await request.registry());
  const named = { field: name, ...(target.own === undefined ? {} : { own: target.own }) };
  if (target.field === undefined || target.property?.removed === true) return { ...named, values: [] };
  const counts = await parts.search.aggregate({
    entityTypes: selection.entityTypes.map((type) => type.name),
    condition: selection.condition,
    includeRemoved: selection.includeRemoved,
    patience: patienceOf(request),
    field: target.field.field,
    // Each platform is indexed under two names, of which one is shown.
    limit: target.own === 'platform' ? 2 * MAX_FACET_VALUES : limit,
  });
  const values = counts.flatMap((one) => shown(one, target)).slice(0, limit);
  return { ...named, values, ...(target.property === undefined ? {} : { property: target.property }) };
}

function shown({ value, count }: ValueCount, { own, field }: FilterField): FacetValue[] {
  if (own === 'platform') return String(value).startsWith('urn:li:') ? [{ value: String(value), count }] : [];
  if (own === '_entityType') return [{ value: enumNameOf(String(value)), count }];
  return [{ value: printValue(value, field?.type), count }];
}

/** Field names of the properties that are marked to be shown in search filters, by their names. */
export async function markedProperties(parts: CatalogParts): Promise<string[]> {
  const marked: SearchCondition = {
    kind: 'equal',
    field: entityField('showInSearchFilters'),
    value: 'true',
    fold: false,
  };
  const { hits } = await parts.search.search({
    entityTypes: ['structuredProperty'],
    condition: marked,
    includeRemoved: false,
    order: 'ascending',
    limit: MAX_MARKED_PROPERTIES,
  });
  return hits.map(({ urn }) => `structuredProperties.${urn.slice('urn:li:structuredProperty:'.length)}`);
}
