import { ENTITY_TYPES } from '../../model/entity-type.ts';
import { publicFieldOf } from '../../model/search-name.ts';
import type { SystemUpdateResult } from '../../model/wire/job.ts';
import { epochOfField, propertyField } from '../catalog/indexing/index-entry.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { propertyState } from '../catalog/registry/registry.ts';
import type { SearchCondition } from '../search/port.ts';
import { allEntities } from '../store/pages.ts';
import { endedEpochs } from './ended-epochs.ts';
import { openJobs } from './job.ts';

/** A field of a property's values in the index. */
type KeptField = SystemUpdateResult['kept'][number];

/** Fields of properties that a rebuild leaves behind. */
export function removedFields(
  before: readonly string[],
  after: readonly string[],
  properties: ReadonlyMap<string, string>,
): SystemUpdateResult['removed'] {
  const remaining = new Set(after);
  return before
    .filter((field) => !remaining.has(field))
    .flatMap((field) => {
      const epoch = epochOfField(field);
      if (epoch === undefined) return [];
      const propertyUrn = properties.get(epoch);
      return [{ field, ...(propertyUrn === undefined ? {} : { propertyUrn }) }];
    });
}

/** What the index that answers holds now: entities, and fields of properties with the reason why they are there. */
export async function describeIndex(
  parts: CatalogParts,
): Promise<{ entities: number; fields: KeptField[]; epochs: string[] }> {
  const epochs = (await parts.search.fields()).map(epochOfField).filter((epoch) => epoch !== undefined);
  const states = await statesByEpoch(parts);
  const ended = await endedEpochs(parts.store);
  for await (const { body } of openJobs(parts.store)) ended.set(body.remains, body.subject);
  const fields: KeptField[] = [];
  for (const epoch of epochs) {
    const entities = await count(parts, { kind: 'exists', field: propertyField(epoch) });
    const propertyUrn = ended.get(epoch);
    const state = states.get(epoch) ?? {
      why: 'not collected yet',
      ...(propertyUrn === undefined ? {} : { propertyUrn }),
    };
    fields.push({ ...state, entities });
  }
  const name = ({ field, propertyUrn }: KeptField) => field ?? propertyUrn ?? '';
  fields.sort((one, other) => (name(one) < name(other) ? -1 : 1));
  return { entities: await count(parts, { kind: 'all' }), fields, epochs };
}

/** The definitions there are, by their epochs. */
async function statesByEpoch({ store }: CatalogParts): Promise<Map<string, Omit<KeptField, 'entities'>>> {
  const states = new Map<string, Omit<KeptField, 'entities'>>();
  for await (const document of allEntities(store, { entityType: 'structuredProperty' })) {
    const property = propertyState(document);
    if (property === undefined) continue;
    const why = property.removed ? 'soft deleted' : 'live';
    states.set(property.epoch, { propertyUrn: property.urn, field: publicFieldOf(property.definition), why });
  }
  return states;
}

async function count({ search }: CatalogParts, condition: SearchCondition): Promise<number> {
  const entityTypes = ENTITY_TYPES.map(({ name }) => name);
  const { total } = await search.search({ entityTypes, condition, includeRemoved: true, order: 'ascending', limit: 0 });
  return total;
}
