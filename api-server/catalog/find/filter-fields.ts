import { readPublicField, searchNameOf } from '../../../model/search-name.ts';
import type { DefinedProperty, RegistryView } from '../registry/registry.ts';
import { entitySearchField, propertyByPublicField, propertySearchField, type SearchField } from './search-fields.ts';

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
