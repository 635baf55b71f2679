import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../harness/api.ts';
import { onEachDeployment } from '../harness/deployments.ts';
import {
  HDFS,
  HIVE,
  InterfaceService,
  OF_THIS_FILE,
  RETENTION,
  RETENTION_FIELD,
  retention,
  WORDS,
  words,
} from './fixture.ts';

const NUMBER = `structuredProperties.${retention.qualifiedName}`;
const TEXT = `structuredProperties.${words.qualifiedName}`;

await onEachDeployment((_newDeployment, kind) => {
  let service: InterfaceService;
  beforeAll(async () => {
    service = await InterfaceService.shared(kind);
    await service.define(retention);
    await service.define(words);
    await service.set(HIVE, [
      { propertyUrn: RETENTION, values: [{ double: 30 }, { double: 60 }] },
      { propertyUrn: WORDS, values: [{ string: 'foo2' }] },
    ]);
    await service.set(HDFS, [{ propertyUrn: RETENTION, values: [{ double: 365 }, { double: 60 }] }]);
    await eventually(async () => expect(await service.find(`_exists_:${RETENTION_FIELD}`)).toEqual([HDFS, HIVE]));
  });

  const ask = (query: string) => service.api.post('/api/graphql', { query });

  /** URNs that a filter finds, written as the interface document writes it. */
  async function scroll(filter: string): Promise<string[]> {
    const { status, body } = await ask(`{
      scrollAcrossEntities(input: {
        types: DATASET, count: 10, query: "*", orFilters: { and: [{ ${filter} }] }
      }) { searchResults { entity { urn type } } }
    }`);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    return body.data.scrollAcrossEntities.searchResults.map(({ entity }: { entity: { urn: string } }) => entity.urn);
  }

  describe('scrollAcrossEntities', () => {
    it('scrollAcrossEntities finds entities of the types, a page of count', async () => {
      const page = async (count: number, scrollId?: string) => {
        const after = scrollId === undefined ? '' : `, scrollId: "${scrollId}"`;
        const { body } =
          await ask(`{ scrollAcrossEntities(input: { types: DATASET, count: ${count}, query: "/q ${OF_THIS_FILE}"${after} })
          { nextScrollId searchResults { entity { urn type } } } }`);
        return body.data.scrollAcrossEntities;
      };
      const first = await page(1);
      expect(first.searchResults).toEqual([{ entity: { urn: HDFS, type: 'DATASET' } }]);
      const second = await page(1, first.nextScrollId);
      expect(second.searchResults).toEqual([{ entity: { urn: HIVE, type: 'DATASET' } }]);
      const flows = await ask(
        '{ scrollAcrossEntities(input: { types: [DATA_FLOW], count: 5, query: "*" }) { searchResults { entity { type } } } }',
      );
      const types = flows.body.data.scrollAcrossEntities.searchResults.map(
        ({ entity }: { entity: { type: string } }) => entity.type,
      );
      expect([...new Set(types)]).toEqual(['DATA_FLOW']);
    });

    it('the condition GREATER_THAN', async () => {
      expect(await scroll(`field: "${NUMBER}", condition: GREATER_THAN, values: ["60.0"]`)).toEqual([HDFS]);
      expect(await scroll(`field: "${NUMBER}", condition: GREATER_THAN, values: ["29"]`)).toEqual([HDFS, HIVE]);
    });

    it('the condition EXISTS, without values', async () => {
      expect(await scroll(`field: "${TEXT}", condition: EXISTS`)).toEqual([HIVE]);
      expect(await scroll(`field: "${NUMBER}", condition: EXISTS`)).toEqual([HDFS, HIVE]);
    });

    it('the condition EQUAL', async () => {
      expect(await scroll(`field: "${TEXT}", condition: EQUAL, values: ["foo2"]`)).toEqual([HIVE]);
      expect(await scroll(`field: "${NUMBER}", condition: EQUAL, values: ["365", "1"]`)).toEqual([HDFS]);
    });
  });

  describe('aggregateAcrossEntities', () => {
    async function facets(maxAggValues: number) {
      const { body } = await ask(`{
        aggregateAcrossEntities(input: {
          types: [], facets: ["${NUMBER}", "${TEXT}"], query: "*", orFilters: [],
          searchFlags: { maxAggValues: ${maxAggValues} }
        }) { facets { field aggregations { value count } } }
      }`);
      return body;
    }

    it('aggregateAcrossEntities counts the values of each facet', async () => {
      expect((await facets(100)).data.aggregateAcrossEntities.facets).toEqual([
        {
          field: NUMBER,
          aggregations: [
            { value: '60.0', count: 2 },
            { value: '30.0', count: 1 },
            { value: '365.0', count: 1 },
          ],
        },
        { field: TEXT, aggregations: [{ value: 'foo2', count: 1 }] },
      ]);
    });

    it('maxAggValues bounds the values of a facet', async () => {
      const [number] = (await facets(1)).data.aggregateAcrossEntities.facets;
      expect(number.aggregations).toEqual([{ value: '60.0', count: 2 }]);
    });

    it('an answer has data and extensions', async () => {
      const body = await facets(100);
      expect(Object.keys(body).sort()).toEqual(['data', 'extensions']);
      expect(body.extensions).toEqual({});
    });
  });
});
