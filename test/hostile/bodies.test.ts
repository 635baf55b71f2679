import { describe, expect, it } from '@jest/globals';
import { type Answer, type Api, entityPath } from '../harness/api.ts';
import { expectUndisturbed, onEachSiege } from '../harness/under-attack.ts';

const BODY = 15_800_000;
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,attacked,PROD)';
const values = entityPath('v3', DATASET, 'structuredProperties');
const opaque = entityPath('v3', DATASET, 'datasetProperties');

/** As many of `part` as fit into a body, between two texts. */
function filled(before: string, part: string, after: string, bytes = BODY): string {
  return `${before}${`${part},`.repeat(Math.floor(bytes / (part.length + 1)) - 1)}${part}${after}`;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`).join();

/** Bodies that are more than one request may have. */
const TOO_MUCH: [string, 'POST' | 'PATCH', string, string][] = [
  ['a batch of 8,000,000 zeros', 'POST', '/openapi/v3/entity/dataset', filled('[', '0', ']')],
  ['a batch of 5,000,000 empty objects', 'POST', '/openapi/v3/entity/dataset', filled('[', '{}', ']')],
  ['a batch of zeros of version 2', 'POST', '/openapi/v2/entity/dataset', filled('[', '0', ']')],
  ['a batch over types of zeros', 'POST', '/openapi/v3/entity/generic', filled('{"dataset":[', '0', ']}')],
  ['properties that are zeros', 'POST', values, filled('{"properties":[', '0', ']}')],
  ['values that are zeros', 'POST', values, filled('{"properties":[{"propertyUrn":"x","values":[', '0', ']}]}')],
  ['a patch of zeros', 'PATCH', values, filled('[', '0', ']')],
  ['a query with 8,000,000 variables', 'POST', '/api/graphql', filled('{"query":"{ __typename }","x":[', '0', ']}')],
  ['1,000,000 names', 'POST', opaque, `{${names(1_000_000)}}`],
  ['lists inside one another', 'POST', opaque, `{"a":${'['.repeat(7_900_000)}${']'.repeat(7_900_000)}}`],
];

const definition = entityPath('v3', 'urn:li:structuredProperty:x', 'propertyDefinition');
const definitionOf = '{"qualifiedName":"x","valueType":"string","entityTypes":["dataset"],"allowedValues":[';

/** Bodies that are about as much as one request may have, and wrong. */
const WRONG: [string, 'POST' | 'PATCH', string, string][] = [
  ['a batch of zeros', 'POST', '/openapi/v3/entity/dataset', filled('[', '0', ']', 39_000)],
  ['a batch of wrong URNs', 'POST', '/openapi/v3/entity/dataset', filled('[', '{"urn":"x"}', ']', 239_000)],
  ['properties that are zeros', 'POST', values, filled('{"properties":[', '0', ']}', 990_000)],
  ['empty properties', 'POST', values, filled('{"properties":[', '{}', ']}', 1_490_000)],
  [
    'wrong values',
    'POST',
    values,
    filled('{"properties":[{"propertyUrn":"x","values":[', '{"a":1}', ']}]}', 1_900_000),
  ],
  ['operations that are zeros', 'PATCH', values, filled('[', '0', ']', 39_000)],
  ['wrong allowed values', 'POST', definition, filled(definitionOf, '0', ']}', 900_000)],
  [
    'allowed values of another type',
    'POST',
    definition,
    filled(definitionOf, '{"value":{"double":1}}', ']}', 3_400_000),
  ],
];

const ofProperty = (index: number) => ({
  propertyUrn: `urn:li:structuredProperty:a.${index}`,
  values: [{ double: 1 }],
});
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Bodies that are about as much as one request may have, on an entity that is as large as one may be. */
const FINE: [string, 'POST' | 'PATCH', string, unknown][] = [
  ['properties that there are not', 'POST', values, { properties: many(80_000, ofProperty) }],
  [
    'values',
    'POST',
    values,
    { properties: [{ propertyUrn: 'x', values: many(240_000, (index) => ({ double: index })) }] },
  ],
  ['insertions into a list', 'PATCH', opaque, many(20_000, () => ({ op: 'add', path: '/list/0', value: 1 }))],
  ['tests of a list', 'PATCH', opaque, many(20_000, () => ({ op: 'test', path: '/list', value: [0, 0, 0] }))],
  ['additions', 'PATCH', opaque, many(20_000, (index) => ({ op: 'add', path: `/a${index}`, value: {} }))],
  ['objects', 'POST', opaque, { list: many(160_000, (index) => ({ a: index, b: 'x' })) }],
  ['names', 'POST', opaque, JSON.parse(`{${names(48_000)}}`)],
];

await onEachSiege((siege) => {
  describe('a body', () => {
    it('of more than a request may have is refused before it is read', async () => {
      const answers: unknown[] = [];
      const seen = await siege().during(async (api) => {
        for (const [what, method, path, body] of TOO_MUCH)
          answers.push([what, (await sent(api, method, path, body)).status]);
      });
      expect(answers).toEqual(
        TOO_MUCH.map(([what, , path]) => [what, path === opaque && what.startsWith('lists') ? 400 : 413]),
      );
      expectUndisturbed(seen);
    });

    it.each(WRONG)('of %s is told a hundred mistakes, and how many more', async (_what, method, path, body) => {
      let answer: Answer | undefined;
      const seen = await siege().during(async (api) => {
        answer = await sent(api, method, path, body);
      });
      expect(answer).toMatchObject({ status: 400, body: { moreViolations: expect.any(Number) } });
      expect(answer?.body.violations).toHaveLength(100);
      expectUndisturbed(seen);
    });

    it.each(FINE)('of %s disturbs nobody', async (_what, method, path, body) => {
      const text = JSON.stringify(body);
      await siege().api.post(opaque, { list: Array(400_000).fill(0) });
      expectUndisturbed(await siege().during((api) => sent(api, method, path, text)));
    });
  });
});

function sent(api: Api, method: 'POST' | 'PATCH', path: string, body: string) {
  return method === 'POST' ? api.post(path, body) : api.patch(path, body);
}
