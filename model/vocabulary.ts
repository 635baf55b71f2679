import { findEntityType } from './entity-type.ts';
import { VALUE_TYPES, type ValueType } from './value-type.ts';

/** The fixed namespace word `<ns>` in the URNs of data types and entity types, unless configured otherwise. */
export const DEFAULT_NAMESPACE_WORD = 'datahub';

export function dataTypeUrn(valueType: ValueType, namespaceWord: string): string {
  return `urn:li:dataType:${namespaceWord}.${valueType}`;
}

export function entityTypeUrn(entityTypeName: string, namespaceWord: string): string {
  return `urn:li:entityType:${namespaceWord}.${entityTypeName}`;
}

/**
 * Reads a value type as people and clients write it: `number`, `NUMBER`, `urn:li:dataType:number`,
 * `urn:li:dataType:<ns>.number`. `undefined` for anything else.
 */
export function readValueType(text: string, namespaceWord: string): ValueType | undefined {
  const name = withoutPrefix(withoutPrefix(text, 'urn:li:dataType:'), `${namespaceWord}.`).toLowerCase();
  return VALUE_TYPES.find((valueType) => valueType === name);
}

/**
 * Reads an entity type: `dataset`, `dataflow`, `urn:li:entityType:<ns>.dataset`. The URN form needs the namespace word,
 * as with the reference catalogue. `undefined` for anything else.
 */
export function readEntityType(text: string, namespaceWord: string): string | undefined {
  const urnPrefix = `urn:li:entityType:${namespaceWord}.`;
  if (text.startsWith('urn:') && !text.toLowerCase().startsWith(urnPrefix.toLowerCase())) return undefined;
  return findEntityType(withoutPrefix(withoutPrefix(text, urnPrefix), `${namespaceWord}.`))?.name;
}

/** The last word of a canonical data type URN, as {@link dataTypeUrn} makes it. */
export function valueTypeOf(dataType: string): ValueType {
  const name = dataType.slice(dataType.lastIndexOf('.') + 1);
  return VALUE_TYPES.find((valueType) => valueType === name) ?? 'string';
}

/** The last word of a canonical entity type URN, as {@link entityTypeUrn} makes it. */
export function entityTypeNameOfUrn(urn: string): string {
  return urn.slice(urn.lastIndexOf('.') + 1);
}

function withoutPrefix(text: string, prefix: string): string {
  return text.toLowerCase().startsWith(prefix.toLowerCase()) ? text.slice(prefix.length) : text;
}
