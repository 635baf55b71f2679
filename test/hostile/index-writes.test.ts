import { describe, expect, it } from '@jest/globals';
import { addProperty, entityPath, eventually } from '../harness/api.ts';
import { expectUndisturbed, onEachSiege } from '../harness/under-attack.ts';

const urnOf = (at: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,wordy${at},PROD)`;
/** Words that no other text has. */
const wordsOf = (at: number, count: number) =>
  Array.from({ length: count }, (_, word) => `w${at}x${((word * 48_271) % 2_147_483_647).toString(36)}`);

await onEachSiege((siege) => {
  describe('writing the index', () => {
    const find = async (query: string): Promise<number> => {
      const path = `/openapi/v3/entity/dataset?count=0&query=${encodeURIComponent(query)}`;
      return (await siege().api.get(path)).body.totalCount;
    };

    it('of descriptions with a million words each disturbs nobody', async () => {
      const seen = await siege().during(async (api) => {
        for (let at = 0; at < 2; at++) {
          const description = wordsOf(at, 800_000).join(' ').slice(0, 8_000_000);
          const answer = await api.post(entityPath('v3', urnOf(at), 'datasetProperties'), { description });
          expect(answer.status).toBe(200);
        }
        await eventually(async () => expect(await find('w1x0')).toBe(1));
      });
      expectUndisturbed(seen);
    });

    it('of many more values of a property than are indexed disturbs nobody', async () => {
      const property = 'urn:li:structuredProperty:com.example.many';
      const definition = {
        qualifiedName: 'com.example.many',
        valueType: 'string',
        cardinality: 'MULTIPLE',
        entityTypes: ['dataset'],
      };
      expect((await siege().api.post(entityPath('v3', property, 'propertyDefinition'), definition)).status).toBe(200);
      const values = wordsOf(9, 20_000).map((string) => ({ string }));
      const seen = await siege().during(async (api) => {
        const answer = await api.patch(
          entityPath('v3', urnOf(0), 'structuredProperties'),
          addProperty(property, values),
        );
        expect(answer.status).toBe(200);
        await eventually(async () => expect(await find('structuredProperties.com_example_many:w9x0')).toBe(1));
      });
      expectUndisturbed(seen);
    });
  });
});
