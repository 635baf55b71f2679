import { countHolders, listEntities, readEntity } from '../../client/entities.ts';
import type { HttpClient } from '../../client/http-client.ts';
import { readMarks } from '../../client/owner-marks.ts';
import { ENTITY_TYPES } from '../../model/entity-type.ts';
import { searchNameOf } from '../../model/search-name.ts';
import { parseUrn } from '../../model/urn.ts';
import { createHttpCatalogue } from '../../operator/catalogue/http-catalogue.ts';
import { createHttpResourceRecords } from '../../operator/catalogue/resource-records.ts';
import { mapConcurrently } from '../../operator/runtime/map-concurrently.ts';
import type { Base } from './base.ts';

/** Requests under way for one count. */
const AT_ONCE = 4;

/** The catalogue of an API server as it is now. Nothing is sent that changes anything. */
export function createServerBase(http: HttpClient, source: string): Base {
  const catalogue = createHttpCatalogue(http, source);
  let names: Promise<Map<string, string[]>> | undefined;

  /** The URNs of all properties by their search names. */
  async function readNames(): Promise<Map<string, string[]>> {
    const options = { aspects: ['structuredPropertyKey'], includeRemoved: true };
    const properties = await Array.fromAsync(listEntities(http, 'structuredProperty', options), ({ urn }) => urn);
    return Map.groupBy(properties, (urn) => searchNameOf(parseUrn(urn).id));
  }

  return {
    async readProperty(urn) {
      const found = await catalogue.readProperty(urn);
      if (found === undefined) return undefined;
      const { mark: _mark, ...property } = found;
      return property;
    },

    readAssignments: async (urn) => (await catalogue.readHolder(urn))?.assignments,
    listDatasets: catalogue.listDatasets,
    marks: () => readMarks(http, {}),
    records: () => createHttpResourceRecords(http, source).list(),

    async readAspects(urn, wanted) {
      const found = await readEntity(http, urn, { aspects: wanted });
      return Object.fromEntries(Object.entries(found?.aspects ?? {}).filter(([name]) => wanted.includes(name)));
    },

    async propertiesNamed(searchName) {
      names ??= readNames();
      return (await names).get(searchName) ?? [];
    },

    async countHolders(_urn, definition) {
      const types = ENTITY_TYPES.filter(({ holdsProperties }) => holdsProperties);
      const counts = await mapConcurrently(types, AT_ONCE, async ({ name }) => {
        const count = await countHolders(http, definition, { entityTypes: [name], includeRemoved: true });
        return { entityType: name, count };
      });
      return { counts: counts.filter(({ count }) => count > 0) };
    },
  };
}
