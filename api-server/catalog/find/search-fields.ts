import { valueTypeOfDefinition } from '../../../model/definition.ts';
import { ENTITY_FIELDS } from '../../../model/entity-fields.ts';
import { type PublicField, publicFieldOf } from '../../../model/search-name.ts';
import type { ValueType } from '../../../model/value-type.ts';
import { type CatalogError, refusedBy } from '../errors.ts';
import { entityField, propertyField } from '../indexing/index-entry.ts';
import type { DefinedProperty, RegistryView } from '../registry/registry.ts';

/** A field of the index, as a public name means it at this moment. */
export interface SearchField {
  /** Physical. */
  readonly field: string;
  readonly type: ValueType;
}

/** A field of the entity itself; `undefined` when there is none of the name. */
export function entitySearchField(name: string): SearchField | undefined {
  const known = ENTITY_FIELDS.find((field) => field === name);
  return known === undefined ? undefined : { field: entityField(known), type: 'string' };
}

export function propertySearchField({ epoch, definition }: DefinedProperty): SearchField {
  return { field: propertyField(epoch), type: valueTypeOfDefinition(definition) };
}

/**
 * The property that a name under `structuredProperties.` means: by its present name, or, when it is soft deleted, by any
 * that it could have. Names that are older, hard deleted or never defined mean none.
 */
export async function propertyByPublicField(
  requested: PublicField,
  registry: RegistryView,
): Promise<DefinedProperty | undefined> {
  const property = await registry.propertyBySearchName(requested.searchName);
  if (property === undefined || property.removed) return property;
  return publicFieldOf(property.definition) === requested.field ? property : undefined;
}

/** The words are those that clients of the reference catalogue match on. */
export function cannotFilterOn(properties: readonly DefinedProperty[]): CatalogError {
  const urns = properties.map(({ urn }) => urn).join(', ');
  return refusedBy('soft-deleted', `Cannot filter on deleted Structured Property [${urns}]`);
}
