import type { Definition } from '../../../model/definition.ts';
import type { ValueType } from '../../../model/value-type.ts';
import { entityTypeNameOfUrn, valueTypeOf } from '../../../model/vocabulary.ts';
import type { OwnedThing } from '../../../model/wire/owner-mark.ts';
import type { EntityAnswer, Stamp } from './entity-answer.ts';

/** A structured property as pages show it. */
export interface Property {
  readonly urn: string;
  /** The qualified name. */
  readonly name: string;
  /** For people: the display name where there is one. */
  readonly title: string;
  readonly definition: Definition;
  readonly valueType: ValueType;
  /** Several values on one entity. */
  readonly isMultiple: boolean;
  /** Such as `dataset`. */
  readonly entityTypes: readonly string[];
  /** Soft deleted. */
  readonly removed: boolean;
  /** Version of the aspect: what a change is conditional on. */
  readonly revision: string | undefined;
  readonly modified: Stamp | undefined;
  /** The resource that it belongs to; `null`: it belongs to none; absent: that was not asked. */
  readonly owner: OwnedThing | null | undefined;
}

/** @returns `undefined` for what has no definition. */
export function propertyOf(entity: EntityAnswer): Property | undefined {
  const aspect = entity.propertyDefinition;
  if (aspect === undefined) return undefined;
  const definition = aspect.value;
  return {
    urn: entity.urn,
    name: definition.qualifiedName,
    title: definition.displayName || definition.qualifiedName,
    definition,
    valueType: valueTypeOf(definition.valueType),
    isMultiple: definition.cardinality === 'MULTIPLE',
    entityTypes: definition.entityTypes.map(entityTypeNameOfUrn),
    removed: entity.status?.value.removed === true,
    revision: aspect.systemMetadata?.version,
    modified: aspect.systemMetadata?.aspectModified,
    owner: entity.owners && (entity.owners.find(({ propertyUrn }) => propertyUrn === undefined) ?? null),
  };
}

export function propertyUrnOf(name: string): string {
  return `urn:li:structuredProperty:${name}`;
}

/** The field by which searches, filters and facets know a property. */
export function searchFieldOf(name: string): string {
  return `structuredProperties.${name}`;
}
