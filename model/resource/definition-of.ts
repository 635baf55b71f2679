import type { Definition } from '../definition.ts';
import { typedValueOf } from './scalar.ts';
import type { StructuredPropertySpec } from './structured-property.ts';

/** The `propertyDefinition` body that a spec asks for. Names of types go as they were written; the server reads both. */
export function definitionOf(spec: StructuredPropertySpec): Definition {
  return {
    qualifiedName: spec.qualifiedName,
    valueType: spec.valueType,
    cardinality: spec.cardinality,
    entityTypes: [...spec.entityTypes],
    immutable: spec.immutable,
    ...(spec.displayName === undefined ? {} : { displayName: spec.displayName }),
    ...(spec.description === undefined ? {} : { description: spec.description }),
    ...(spec.typeQualifier === undefined
      ? {}
      : { typeQualifier: { allowedTypes: [...spec.typeQualifier.allowedTypes] } }),
    ...(spec.version === undefined ? {} : { version: spec.version }),
    ...(spec.allowedValues === undefined
      ? {}
      : {
          allowedValues: spec.allowedValues.map(({ value, description }) => ({
            value: typedValueOf(value),
            ...(description === undefined ? {} : { description }),
          })),
        }),
  };
}
