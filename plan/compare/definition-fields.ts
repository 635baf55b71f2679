import { canonicalJson } from '../../model/canonical-json.ts';
import { type Definition, entityTypesOfDefinition, valueTypeOfDefinition } from '../../model/definition.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { entityTypeNameOfUrn } from '../../model/vocabulary.ts';
import type { ObservedProperty } from '../../operator/catalogue/catalogue.ts';
import type { FieldChange } from '../plan-shape.ts';

/** The fields in which two states of a property differ, as people read them. */
export function propertyFields(
  before: ObservedProperty | undefined,
  after: ObservedProperty | undefined,
): FieldChange[] {
  const one = shown(before);
  const other = shown(after);
  const rows = [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((field) =>
    fieldChange(field, one[field], other[field]),
  );
  return [...rows, ...allowedValueRows(before, after)];
}

/** One row, or none when nothing changes. */
export function fieldChange(field: string, before: string | undefined, after: string | undefined): FieldChange[] {
  if (before === after) return [];
  return [{ field, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

export function shownValue(value: TypedValue): string {
  return 'double' in value ? String(value.double) : value.string;
}

function shown(property: ObservedProperty | undefined): Record<string, string | undefined> {
  const definition = property?.definition;
  if (property === undefined || definition === undefined) return {};
  return {
    displayName: definition.displayName || undefined,
    description: definition.description || undefined,
    valueType: valueTypeOfDefinition(definition),
    allowedTypes: definition.typeQualifier?.allowedTypes?.map(entityTypeNameOfUrn).toSorted().join(', '),
    cardinality: definition.cardinality ?? 'SINGLE',
    entityTypes: entityTypesOfDefinition(definition).toSorted().join(', '),
    immutable: definition.immutable ? 'true' : undefined,
    version: definition.version,
    removed: property.removed ? 'true' : undefined,
    ...others(definition),
  };
}

/** A row for each value that is added or taken away: of a long list nobody would see what is missing. */
function allowedValueRows(before: ObservedProperty | undefined, after: ObservedProperty | undefined): FieldChange[] {
  const [one, other] = [allowedTexts(before), allowedTexts(after)];
  if (one === undefined || other === undefined || sameSet(one, other)) {
    return fieldChange('allowedValues', listText(one), listText(other));
  }
  return [
    ...one.filter((text) => !other.includes(text)).map((text) => ({ field: 'allowedValues', before: text })),
    ...other.filter((text) => !one.includes(text)).map((text) => ({ field: 'allowedValues', after: text })),
  ];
}

function allowedTexts(property: ObservedProperty | undefined): string[] | undefined {
  return property?.definition?.allowedValues?.map(({ value, description }) => {
    return description ? `${shownValue(value)} (${description})` : shownValue(value);
  });
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).symmetricDifference(new Set(other)).size === 0;
}

function listText(texts: readonly string[] | undefined): string | undefined {
  return texts && `[${texts.join(', ')}]`;
}

/** What no manifest can say, but a client may have written: a full replace takes it away. */
function others({ allowedPlatforms, searchConfiguration }: Definition): Record<string, string | undefined> {
  return {
    allowedPlatforms: allowedPlatforms?.join(', '),
    searchConfiguration: searchConfiguration === undefined ? undefined : canonicalJson(searchConfiguration),
  };
}
