import type { HttpClient } from '../client/http-client.ts';
import type { Definition } from '../model/definition.ts';
import type { ParsedUrn } from '../model/urn.ts';
import { type Entity, isRemoved, listEntities, readEntity } from './entities.ts';

/** A structured property that has a definition. */
export interface DefinedProperty {
  readonly urn: string;
  readonly definition: Definition;
  /** Soft deleted. */
  readonly removed: boolean;
}

const ASPECTS = ['propertyDefinition', 'status'];

/** @returns `undefined` when it has no definition. */
export async function readProperty(client: HttpClient, urn: ParsedUrn): Promise<DefinedProperty | undefined> {
  const entity = await readEntity(client, urn, ASPECTS);
  return entity === undefined ? undefined : definedProperty(entity);
}

/** All that have a definition, by URN. */
export async function listProperties(client: HttpClient, includeRemoved: boolean): Promise<DefinedProperty[]> {
  const entities = await Array.fromAsync(
    listEntities(client, 'structuredProperty', { aspects: ASPECTS, includeRemoved }),
  );
  return entities.map(definedProperty).filter((property) => property !== undefined);
}

function definedProperty(entity: Entity): DefinedProperty | undefined {
  const definition = entity.aspects.propertyDefinition as Definition | undefined;
  return definition === undefined ? undefined : { urn: entity.urn, definition, removed: isRemoved(entity) };
}
