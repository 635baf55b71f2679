import { type Definition, entityTypesOfDefinition, valueTypeOfDefinition } from '../definition.ts';
import { structuredPropertyUrn } from '../urn.ts';
import { entityTypeNameOfUrn } from '../vocabulary.ts';
import { withoutAbsent } from './without-absent.ts';

/**
 * A definition as an entry of the definition file, with short names: what `parsePropertiesFile` reads back to the same
 * definition. The file has no place for `allowedPlatforms`, `searchConfiguration` and stamps.
 */
export function definitionEntry(definition: Definition): Record<string, unknown> {
  const { qualifiedName, cardinality, version, displayName, description, immutable } = definition;
  return withoutAbsent({
    id: qualifiedName,
    type: valueTypeOfDefinition(definition),
    type_qualifier: typeQualifier(definition, entityTypeNameOfUrn),
    cardinality,
    version,
    display_name: displayName,
    description,
    entity_types: entityTypesOfDefinition(definition),
    immutable,
    allowed_values: definition.allowedValues?.map(({ value, description: meaning }) =>
      withoutAbsent({ value: 'double' in value ? value.double : value.string, description: meaning }),
    ),
  });
}

/** A definition as `proplane properties get` shows it: full URNs, each allowed value as text. */
export function shownDefinition(definition: Definition): Record<string, unknown> {
  const { qualifiedName, valueType, description, displayName, entityTypes, cardinality, version, immutable } =
    definition;
  return withoutAbsent({
    urn: structuredPropertyUrn(qualifiedName),
    qualified_name: qualifiedName,
    type: valueType,
    type_qualifier: typeQualifier(definition, (type) => type),
    description,
    display_name: displayName,
    entity_types: entityTypes,
    cardinality: cardinality ?? 'SINGLE',
    version,
    immutable,
    allowed_values: definition.allowedValues?.map(({ value, description: meaning }) =>
      withoutAbsent({ value: String('double' in value ? value.double : value.string), description: meaning }),
    ),
  });
}

function typeQualifier(
  { typeQualifier: given }: Definition,
  printType: (urn: string) => string,
): { readonly allowed_types: readonly string[] } | undefined {
  return given?.allowedTypes === undefined ? undefined : { allowed_types: given.allowedTypes.map(printType) };
}
