import { type Api, entityPath } from '../api.ts';
import { manifestOf } from './kube-bench.ts';

/** Manifests of one number and of datasets that hold it, and what of them is in a catalogue. */

export function datasetUrn(name: string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
}

/** Of the field `email`. */
export function fieldUrn(name: string): string {
  return `urn:li:schemaField:(${datasetUrn(name)},email)`;
}

export function propertyUrn(qualifiedName: string): string {
  return `urn:li:structuredProperty:${qualifiedName}`;
}

/** A StructuredProperty `name` of the property `e2e.<name>`. */
export function numberProperty(name: string, spec: object = {}, metadata: object = {}): object {
  const plain = { qualifiedName: `e2e.${name}`, valueType: 'number', entityTypes: ['dataset'] };
  return manifestOf('StructuredProperty', name, { ...plain, ...spec }, metadata);
}

/** A DatasetProperties `name` that gives the dataset `name` one value of the property of the resource `property`. */
export function numberOn(
  name: string,
  property: string,
  value: unknown,
  spec: object = {},
  metadata: object = {},
): object {
  const properties = [{ propertyRef: { name: property }, values: [value] }];
  const plain = { datasetUrn: datasetUrn(name), whenMissing: 'Create', properties };
  return manifestOf('DatasetProperties', name, { ...plain, ...spec }, metadata);
}

/** What an entity visibly holds, by qualified name. */
export async function valuesOn(api: Api, urn: string): Promise<Record<string, unknown[]>> {
  const { body } = await api.get(`${entityPath('v3', urn)}?aspects=structuredProperties`);
  const properties: { propertyUrn: string; values: object[] }[] = body.structuredProperties?.value.properties ?? [];
  const named = properties.map(({ propertyUrn: urn, values }) => [urn.slice(propertyUrn('').length), values] as const);
  return Object.fromEntries(named.map(([name, values]) => [name, values.flatMap((value) => Object.values(value))]));
}

/** The definition of `e2e.<name>`, if there is one. */
export async function definitionOf(api: Api, name: string): Promise<{ displayName?: string } | undefined> {
  const { body } = await api.get(entityPath('v3', propertyUrn(`e2e.${name}`)));
  return body.propertyDefinition?.value;
}

/** Whether the property `e2e.<name>` is soft deleted; undefined: that was never said. */
export async function isRemoved(api: Api, name: string): Promise<boolean | undefined> {
  const { body } = await api.get(entityPath('v3', propertyUrn(`e2e.${name}`)));
  return body.status?.value.removed;
}

/** Owner marks. @param query of `/owners`. */
export async function ownersOf(api: Api, query: string): Promise<{ kind: string; namespace: string; name: string }[]> {
  return (await api.get(`/owners?${query}`)).body.owners;
}
