import type { DatasetPropertiesSpec, PropertyRef } from '../../model/resource/dataset-properties.ts';

/** Text of what is referred to: a resource by namespace and name or, without a namespace, a qualified name. */
export function referenceKey(namespace: string | undefined, name: string): string {
  return namespace === undefined ? `qualified/${name}` : `resource/${namespace}/${name}`;
}

/** What a reference in a resource of `ownNamespace` refers to. */
export function referenceKeyOf(reference: PropertyRef, ownNamespace: string): string {
  if (reference.qualifiedName !== undefined) return referenceKey(undefined, reference.qualifiedName);
  return referenceKey(reference.namespace ?? ownNamespace, reference.name ?? '');
}

/** Everything that a spec refers to, once. */
export function referenceKeysOf(spec: DatasetPropertiesSpec, ownNamespace: string): Set<string> {
  const assignments = [...spec.properties, ...spec.fields.flatMap((field) => field.properties)];
  return new Set(assignments.map(({ propertyRef }) => referenceKeyOf(propertyRef, ownNamespace)));
}
