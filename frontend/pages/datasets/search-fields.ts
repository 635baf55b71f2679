import type { Definition } from '../../../model/definition.ts';
import { valueTypeOf } from '../../../model/vocabulary.ts';
import { nameEntity } from '../catalogue/named-entity.ts';
import { type Property, searchFieldOf } from '../catalogue/property.ts';
import { textOfCounted } from '../catalogue/value-texts.ts';

/** Something that datasets can be searched by: a property, or what every dataset has. */
export interface SearchableField {
  readonly field: string;
  readonly title: string;
  readonly hint: string;
  /** How its values are written and compared. */
  readonly definition: Definition;
}

const OWN_FIELDS = [
  ['name', 'Name', 'Of the dataset'],
  ['description', 'Description', 'Of the dataset'],
  ['platform', 'Platform', 'Such as postgres'],
  ['origin', 'Environment', 'Such as PROD'],
  ['typeNames', 'Subtype', 'Such as Table'],
  ['fieldPaths', 'Schema field', 'Path of a field of the schema'],
] as const;

/** The properties first: they are what people look for. A soft-deleted one cannot be searched by. */
export function searchFieldsOf(properties: readonly Property[]): SearchableField[] {
  const own = OWN_FIELDS.map(([field, title, hint]) => ({ field, title, hint, definition: textDefinition(field) }));
  const others = properties
    .filter(({ removed, entityTypes }) => !removed && entityTypes.includes('dataset'))
    .map(({ name, title, definition }) => ({ field: searchFieldOf(name), title, hint: name, definition }));
  return [...others, ...own];
}

/** The field that a condition names; one that is not known is looked into as text. */
export function searchFieldNamed(fields: readonly SearchableField[], field: string): SearchableField {
  return (
    fields.find((each) => each.field === field) ?? { field, title: field, hint: '', definition: textDefinition(field) }
  );
}

/** A value of a facet, as people read it. */
export function labelOfFacetValue({ field, definition }: SearchableField, value: string): string {
  return field === 'platform' ? nameEntity(value).name : textOfCounted(value, valueTypeOf(definition.valueType));
}

function textDefinition(qualifiedName: string): Definition {
  return { qualifiedName, valueType: 'urn:li:dataType:datahub.string', entityTypes: [] };
}
