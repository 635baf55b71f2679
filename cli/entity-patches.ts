import { readEntities } from '../client/entities.ts';
import type { Entity } from '../client/entity.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { EntityToSend } from '../model/cli-file/dataset-file.ts';
import { escapeToken } from '../model/patch.ts';

/**
 * Items of a batch of patches that set what entries name, and leave the other fields of each aspect as they are. A name
 * that an entry does not give itself is only for an entity that has none, so those are asked for first.
 * @param entities of one type.
 * @throws AnyHttpError
 */
export async function entityPatches(client: HttpClient, entities: readonly EntityToSend[]): Promise<object[]> {
  const named = await namedEntities(client, entities);
  return entities.map(({ urn, aspects, nameIsImplied }) => {
    const isLeft = (aspect: string, field: string) => aspect === nameIsImplied && field === 'name' && named.has(urn);
    const patches = Object.entries(aspects).map(([aspect, fields]) => {
      const wanted = Object.entries(fields).filter(([field]) => !isLeft(aspect, field));
      return [aspect, wanted.map(([field, value]) => ({ op: 'add', path: `/${escapeToken(field)}`, value }))] as const;
    });
    const needed = patches.filter(([, patch]) => patch.length > 0);
    return { urn, ...Object.fromEntries(needed.map(([aspect, patch]) => [aspect, { patch }])) };
  });
}

/** URNs of those that have a name, or get one from another of the entries. */
async function namedEntities(client: HttpClient, entities: readonly EntityToSend[]): Promise<Set<string>> {
  const implied = entities.filter(({ nameIsImplied }) => nameIsImplied !== undefined);
  const [first] = implied;
  if (first === undefined) return new Set();
  const urns = implied.map(({ urn }) => urn);
  const found = await readEntities(client, first.entityType, urns, { aspects: [first.nameIsImplied ?? ''] });
  const given = entities.filter(({ nameIsImplied }) => nameIsImplied === undefined);
  return new Set([...found, ...given].filter(namesItself).map(({ urn }) => urn));
}

const NAMING = ['datasetProperties', 'dataFlowInfo'] as const;

function namesItself({ aspects }: Entity | EntityToSend): boolean {
  return NAMING.some((aspect) => aspects[aspect]?.name !== undefined);
}
