import { valueTypeOfDefinition } from '../../../model/definition.ts';
import { ENTITY_FIELDS } from '../../../model/entity-fields.ts';
import { type PublicField, publicFieldOf, readPublicField, searchNameOf } from '../../../model/search-name.ts';
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

/** What the name of a field in a filter or a facet means. */
export interface FilterField {
  /** Absent: no entity has such a field. */
  readonly field?: SearchField;
  /** When it is a property, soft deleted or not. */
  readonly property?: DefinedProperty;
  /** The name of the entity's own field. */
  readonly own?: string;
}

const PREFIX = 'structuredProperties.';
/** Names of the reference catalogue for ways of indexing a field; here they are the field itself. */
const SUFFIX = /\.(?:keyword|delimited)$/u;
const ALIASES: Readonly<Record<string, string>> = { env: 'origin' };

/** The name without a suffix that says how the reference catalogue indexes the field. */
export function bareFieldName(name: string): string {
  return name.replace(SUFFIX, '');
}

/**
 * Resolves the name of a field as GraphQL has them: `structuredProperties.<qualified name>` is the live definition,
 * whatever its version; the names of the query string are understood too, and those of the entity's own fields. Nothing
 * is refused: a name that means nothing has no field.
 */
export async function resolveFilterField(name: string, registry: RegistryView): Promise<FilterField> {
  const bare = bareFieldName(name);
  if (!name.startsWith(PREFIX)) {
    const own = ALIASES[bare] ?? bare;
    const field = entitySearchField(own);
    return field === undefined ? {} : { field, own };
  }
  const requested = readPublicField(bare);
  const property =
    (await propertyByName(name, registry)) ??
    (await propertyByName(bare, registry)) ??
    (requested && (await propertyByPublicField(requested, registry)));
  return property === undefined ? {} : { field: propertySearchField(property), property };
}

/** The property with exactly this qualified name behind the prefix. */
async function propertyByName(name: string, registry: RegistryView): Promise<DefinedProperty | undefined> {
  const qualifiedName = name.slice(PREFIX.length);
  const property = await registry.propertyBySearchName(searchNameOf(qualifiedName));
  return property?.definition.qualifiedName === qualifiedName ? property : undefined;
}
