import type { AssignedProperty } from '../../../model/assignment.ts';
import { valueRuleOf } from '../../../model/definition.ts';
import type { DatasetPropertiesSpec, PropertyRef } from '../../../model/resource/dataset-properties.ts';
import { typedValueOf } from '../../../model/resource/scalar.ts';
import type { TypedValue } from '../../../model/typed-value.ts';
import { checkValue } from '../../../model/value-rules.ts';
import type { ResourceTable } from '../../table/object-table.ts';
import { propertyUrnOf, propertyUrnOfResource } from '../property-urn.ts';

/** One assignment that a spec asks for, on the dataset itself or on a field of it. */
export interface Listed {
  readonly fieldPath: string | undefined;
  readonly reference: PropertyRef;
  /** As the manifest writes them. */
  readonly values: readonly TypedValue[];
  /** Where the spec asks for it, such as `spec.fields[0].properties[1]`. */
  readonly path: string;
}

/** The same with the property that the reference means. */
export interface Wanted extends Listed {
  readonly propertyUrn: string;
}

/** All assignments that a spec lists, references unresolved. */
export function listedIn({ properties, fields }: DatasetPropertiesSpec): Listed[] {
  const list = (fieldPath: string | undefined, items: typeof properties, path: string): Listed[] =>
    items.map(({ propertyRef, values }, index) => ({
      fieldPath,
      reference: propertyRef,
      values: (Array.isArray(values) ? values : [values]).map(typedValueOf),
      path: `${path}[${index}]`,
    }));
  return [
    ...list(undefined, properties, 'spec.properties'),
    ...fields.flatMap((field, index) => list(field.fieldPath, field.properties, `spec.fields[${index}].properties`)),
  ];
}

/** The URN that a reference means, as far as the resources tell; `undefined`: there is no such resource. */
export function resolveReference(reference: PropertyRef, namespace: string, index: ResourceTable): string | undefined {
  if (reference.qualifiedName !== undefined) return propertyUrnOf(reference.qualifiedName);
  const entry = index.property(reference.namespace ?? namespace, reference.name ?? '');
  return entry === undefined || entry.deleting ? undefined : propertyUrnOfResource(entry);
}

/** The values in the form in which the catalogue stores them; values that break a rule stay as they are. */
export function storedForm(values: readonly TypedValue[], { definition }: AssignedProperty): TypedValue[] {
  const rule = valueRuleOf(definition);
  return values.map((value) => {
    const checked = checkValue(rule, value);
    return 'value' in checked ? checked.value : value;
  });
}
