import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Api, entityPath, eventually } from '../harness/api.ts';
import { expectUndisturbed, onEachSiege } from '../harness/under-attack.ts';

/** Each a value in which a pattern of the same letter almost fits, everywhere. */
const LONG_VALUES = 30;
const urnOf = (at: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,long${at},PROD)`;

const contains = (...values: string[]) => ({
  entities: ['dataset'],
  filter: { and: [{ criteria: [{ field: 'description', condition: 'CONTAIN', values }] }] },
});
const scroll = (api: Api, body: object) => api.post('/openapi/v3/entity/scroll?count=1', body);
const list = (api: Api, query: string) =>
  api.get(`/openapi/v3/entity/dataset?count=1&query=${encodeURIComponent(query)}`);

/** Refused for what it is, or put off. */
function expectTold({ status, body, headers }: Answer): void {
  expect([200, 400, 503]).toContain(status);
  if (status === 503) expect(headers.get('retry-after')).not.toBeNull();
  if (status !== 200) expect(body.message).toEqual(expect.any(String));
}

await onEachSiege((siege) => {
  describe('patterns', () => {
    beforeAll(async () => {
      const { api } = siege();
      const huge = { description: 'a'.repeat(3_000_000) };
      expect((await api.post(entityPath('v3', urnOf(0), 'datasetProperties'), huge)).status).toBe(200);
      const long = { description: 'a'.repeat(30_000) };
      for (let at = 1; at < LONG_VALUES; at++) {
        expect((await api.post(entityPath('v3', urnOf(at), 'datasetProperties'), long)).status).toBe(200);
      }
      await eventually(async () => {
        expect((await list(api, 'description:aaaaaaaaaaaaaaaa*')).body.totalCount).toBe(LONG_VALUES);
      });
    });

    it('of a megabyte are refused', async () => {
      const seen = await siege().during(async (api) => {
        const answer = await scroll(api, contains(`${'a'.repeat(1_000_000)}b`));
        expect([answer.status, answer.body.message]).toEqual([
          400,
          'filters: a value of 1000001 characters, more than 16384',
        ]);
      });
      expectUndisturbed(seen);
    });

    it('as long as they may be, many at once, on the values that they like least, disturb nobody', async () => {
      const needles = Array.from({ length: 300 }, (_, at) => `${'a'.repeat(16_000 - at)}b`);
      const queries = ['?a'.repeat(4_000), 'a?'.repeat(4_000), '*a'.repeat(240), '?'.repeat(8_000)];
      const seen = await siege().during((api) =>
        Promise.all([
          ...[1, 2].map(async () => expectTold(await scroll(api, contains(...needles)))),
          ...queries.map(async (query, at) => {
            const pattern = `*${query}b*`;
            return expectTold(
              await list(api, at % 2 === 0 ? `description:${pattern}` : `words:${pattern} OR ${pattern}`),
            );
          }),
          ...[1, 2, 3].map(async () => expect((await api.get('/ready')).status).toBe(200)),
        ]),
      );
      expectUndisturbed(seen);
      expect((await list(siege().api, 'description:*aaaaaaaa*')).body.totalCount).toBe(LONG_VALUES);
    });
  });
});
