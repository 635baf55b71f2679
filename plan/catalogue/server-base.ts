import type { HttpClient } from '../../client/http-client.ts';
import { isMissingEntity } from '../../client/http-errors.ts';
import type { Definition } from '../../model/definition.ts';
import { ENTITY_TYPES } from '../../model/entity-type.ts';
import { escapeWord } from '../../model/query/print.ts';
import { publicFieldOf, searchNameOf } from '../../model/search-name.ts';
import { parseUrn } from '../../model/urn.ts';
import { createHttpCatalogue } from '../../operator/catalogue/http-catalogue.ts';
import { readMarks } from '../../operator/catalogue/read-marks.ts';
import { createHttpResourceRecords } from '../../operator/catalogue/resource-records.ts';
import { mapConcurrently } from '../../operator/runtime/map-concurrently.ts';
import type { Base } from './base.ts';

const PAGE = '1000';
/** Requests under way for one count. */
const AT_ONCE = 4;

type Entities = { entities: { urn: string }[]; totalCount?: number; scrollId?: string };

/** The catalogue of an API server as it is now. Nothing but GET is ever sent. */
export function createServerBase(http: HttpClient, source: string): Base {
  const catalogue = createHttpCatalogue(http, source);
  const get = async (path: string, query: readonly (readonly [string, string | undefined])[]) =>
    await http.send({ method: 'GET', path, query });
  let names: Promise<Map<string, string[]>> | undefined;

  /** The URNs of all properties by their search names. */
  async function readNames(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    let scrollId: string | undefined;
    do {
      const query = [
        ['count', PAGE],
        ['aspects', 'structuredPropertyKey'],
        ['includeSoftDelete', 'true'],
        ['scrollId', scrollId],
      ] as const;
      const page = (await get('/openapi/v3/entity/structuredProperty', query)) as Entities;
      for (const { urn } of page.entities) {
        const name = searchNameOf(parseUrn(urn).id);
        found.set(name, [...(found.get(name) ?? []), urn]);
      }
      scrollId = page.entities.length === 0 ? undefined : page.scrollId;
    } while (scrollId !== undefined);
    return found;
  }

  return {
    // One after the other, since reading many is a POST.
    async readProperty(urn) {
      const found = await catalogue.readProperty(urn);
      if (found === undefined) return undefined;
      const { mark: _mark, ...property } = found;
      return property;
    },

    readAssignments: async (urn) => (await catalogue.readHolder(urn))?.assignments,
    listDatasets: catalogue.listDatasets,
    marks: () => readMarks(http, []),
    records: () => createHttpResourceRecords(http, source).list(),

    async readAspects(urn, wanted) {
      const path = `/openapi/v3/entity/${parseUrn(urn).entityType.name}/${encodeURIComponent(urn)}`;
      try {
        const found = await get(
          path,
          wanted.map((name) => ['aspects', name] as const),
        );
        const aspects = found as Record<string, { value?: unknown } | undefined>;
        return Object.fromEntries(
          wanted.filter((name) => aspects[name] !== undefined).map((name) => [name, aspects[name]?.value]),
        );
      } catch (error) {
        if (isMissingEntity(error)) return {};
        throw error;
      }
    },

    async propertiesNamed(searchName) {
      names ??= readNames();
      return (await names).get(searchName) ?? [];
    },

    async countHolders(_urn, definition: Definition) {
      const query = [
        ['query', `_exists_:${escapeWord(publicFieldOf(definition))}`],
        ['count', '0'],
        ['includeSoftDelete', 'true'],
      ] as const;
      const types = ENTITY_TYPES.filter(({ holdsProperties }) => holdsProperties);
      const counts = await mapConcurrently(types, AT_ONCE, async ({ name }) => {
        const { totalCount = 0 } = (await get(`/openapi/v3/entity/${name}`, query)) as Entities;
        return { entityType: name, count: totalCount };
      });
      return { counts: counts.filter(({ count }) => count > 0) };
    },
  };
}
