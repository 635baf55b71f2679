import type { QueryKey } from '@tanstack/react-query';
import type { Definition } from '../../../model/definition.ts';
import { pathOf, requestApi } from '../api/request.ts';
import { propertyUrnOf } from '../catalogue/property.ts';

/** Defines a property that is not there yet. @throws ApiError also when it is */
export async function defineProperty(definition: Definition): Promise<void> {
  const urn = propertyUrnOf(definition.qualifiedName);
  await requestApi(pathOf`/openapi/v3/entity/structuredProperty/${urn}/propertyDefinition?createIfNotExists=true`, {
    method: 'POST',
    body: { value: definition },
  });
}

/**
 * Changes a definition as a whole, unless somebody else has changed it meanwhile.
 * @param revision of the definition that the change was made from
 * @throws ApiError with status 412 when there is another one now
 */
export async function changeDefinition(
  urn: string,
  definition: Definition,
  revision: string | undefined,
): Promise<void> {
  await requestApi(pathOf`/openapi/v3/entity/structuredProperty/${urn}/propertyDefinition`, {
    method: 'POST',
    body: { value: definition, ...(revision === undefined ? {} : { headers: { 'If-Version-Match': revision } }) },
  });
}

/** Deletes it softly, or brings it back. */
export async function setRemoved(urn: string, removed: boolean): Promise<void> {
  await requestApi(pathOf`/openapi/v3/entity/structuredProperty/${urn}/status`, { method: 'POST', body: { removed } });
}

/** Deletes it with all its values, for ever. */
export async function deleteProperty(urn: string): Promise<void> {
  await requestApi(pathOf`/openapi/v3/entity/structuredProperty/${urn}`, { method: 'DELETE' });
}

/** What has been read and is another thing once a property has changed, by the keys of its queries. */
export function changedWith(name: string): QueryKey[] {
  return [['properties'], ['property', name], ['holdings', name]];
}
