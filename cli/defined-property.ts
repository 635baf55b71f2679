import { listEntities, readEntity } from '../client/entities.ts';
import type { Entity } from '../client/entity.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { Definition } from '../model/definition.ts';
import type { ParsedUrn } from '../model/urn.ts';

/** A structured property that has a definition. */
export type DefinedProperty = Entity & { readonly definition: Definition };

const aspects = ['propertyDefinition', 'status'];

/** @returns `undefined` when it has no definition. */
export async function readProperty(client: HttpClient, { urn }: ParsedUrn): Promise<DefinedProperty | undefined> {
  const entity = await readEntity(client, urn, { aspects });
  return entity !== undefined && isDefined(entity) ? entity : undefined;
}

/** All that have a definition, by URN. */
export async function listProperties(client: HttpClient, includeRemoved: boolean): Promise<DefinedProperty[]> {
  const listed = listEntities(client, 'structuredProperty', { aspects, includeRemoved });
  return (await Array.fromAsync(listed)).filter(isDefined);
}

function isDefined(entity: Entity): entity is DefinedProperty {
  return entity.definition !== undefined;
}
