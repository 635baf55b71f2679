import { canonicalJson } from '../../model/canonical-json.ts';
import { type Definition, parseDefinition } from '../../model/definition.ts';
import { tryParseUrn } from '../../model/urn.ts';

/**
 * The fields in which a wished definition differs from the one that the catalogue has, both in canonical form: names of
 * types, numbers, what is absent and what is the default do not count. A wish that the model refuses differs as a whole;
 * the server will say why. What no manifest can say, such as who created it, is not compared.
 */
export function definitionDifferences(urn: string, wished: Definition, observed: Definition): string[] {
  const parsedUrn = tryParseUrn(urn);
  const canonical = parsedUrn && parseDefinition(wished, parsedUrn, namespaceWordOf(observed));
  if (canonical?.ok !== true) return ['definition'];
  const one = comparable(canonical.value);
  const other = comparable(observed);
  return Object.keys(one).filter((field) => canonicalJson(one[field] ?? null) !== canonicalJson(other[field] ?? null));
}

/** The `<ns>` of `urn:li:dataType:<ns>.number`. */
export function namespaceWordOf({ valueType }: Definition): string {
  return /^urn:li:dataType:(.+)\.[^.]+$/u.exec(valueType)?.[1] ?? '';
}

function comparable(definition: Definition): Record<string, unknown> {
  return {
    qualifiedName: definition.qualifiedName,
    displayName: definition.displayName || undefined,
    description: definition.description || undefined,
    valueType: definition.valueType,
    typeQualifier: definition.typeQualifier?.allowedTypes?.toSorted(),
    cardinality: definition.cardinality ?? 'SINGLE',
    entityTypes: definition.entityTypes.toSorted(),
    allowedValues: definition.allowedValues?.map(({ value, description }) => [value, description || null]),
    immutable: definition.immutable ?? false,
    version: definition.version,
  };
}
