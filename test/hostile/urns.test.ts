import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_URN_BYTES } from '../../model/limits.ts';
import { Api, entityPath, eventually } from '../harness/api.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { expectUndisturbed, onEachSiege } from '../harness/under-attack.ts';

const V3 = '/openapi/v3/entity';

/** A dataset whose URN has so many bytes; names of two, three and four bytes a character among them. */
function datasetOf(bytes: number, first: string): string {
  const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${first}${name},PROD)`;
  const left = bytes - Buffer.byteLength(urn(''));
  const name = `${'é€😀'.repeat(Math.floor(left / 9))}${'x'.repeat(left % 9)}`;
  return urn(name);
}

const nested = `${'urn:li:dataJob:('.repeat(62_000)}x`;
const closed = `${'urn:li:dataJob:('.repeat(40_000)}urn:li:dataFlow:(a,b,c)${',x)'.repeat(40_000)}`;
const opened = `urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,${'(,'.repeat(500_000)},PROD),x)`;
const HOSTILE = [
  nested,
  closed,
  opened,
  `urn:li:dataset:(${','.repeat(1_000_000)})`,
  `urn:li:tag:${'%'.repeat(1_000_000)}`,
];

/** Every door by which a new entity comes in. */
async function created(api: Api, urn: string): Promise<number[]> {
  const [, , type = ''] = urn.split(':');
  const status = { removed: false };
  const answers = [
    await api.post(entityPath('v3', urn, 'status'), status),
    await api.post(entityPath('v2', urn, 'status'), { value: status }),
    await api.patch(entityPath('v3', urn, 'status'), [{ op: 'add', path: '/removed', value: false }]),
    await api.post(`${V3}/${type}?async=false`, [{ urn, status }]),
    await api.post(`/openapi/v2/entity/${type}?async=false`, [{ urn, aspects: { status: { value: status } } }]),
    await api.patch(`${V3}/${type}?async=false`, [
      { urn, status: { patch: [{ op: 'add', path: '/removed', value: false }] } },
    ]),
    await api.post(`${V3}/generic?async=false`, { [type]: [{ urn, status }] }),
  ];
  return answers.map((answer) => answer.status);
}

await onEachSiege((siege, { newDeployment }) => {
  it('a URN that nests or repeats without end is refused by every door, and disturbs nobody', async () => {
    const statuses: number[] = [];
    const seen = await siege().during(async (api) => {
      for (const urn of HOSTILE) {
        const short = encodeURIComponent(urn.slice(0, 20_000));
        const query = 'query ($urn: String!) { dataset(urn: $urn) { urn } }';
        for (const { status, body } of [
          await api.post(`${V3}/dataset`, [{ urn, status: {} }]),
          await api.post(`${V3}/dataJob/batchGet`, [{ urn }]),
          await api.post('/openapi/v2/entity/batch/dataset', { urns: [urn, urn] }),
          await api.post(entityPath('v3', 'urn:li:tag:x', 'structuredProperties'), {
            properties: [{ propertyUrn: urn, values: [] }],
          }),
          await api.get(`${V3}/dataJob/${short}`),
          await api.post('/api/graphql', { query, variables: { urn } }),
        ]) {
          statuses.push(body?.errors === undefined ? status : 400);
        }
      }
    });
    expect(new Set(statuses.map((status) => Math.floor(status / 100)))).toEqual(new Set([4]));
    expectUndisturbed(seen);
  });

  describe('a URN of the greatest length', () => {
    const urn = datasetOf(MAX_URN_BYTES, 'greatest');
    const before = datasetOf(100, 'a');
    const after = datasetOf(100, 'z');

    beforeAll(async () => {
      for (const each of [before, after]) await siege().api.post(entityPath('v3', each, 'status'), { removed: false });
    });

    it('is taken by every door, and one byte more by none', async () => {
      expect(Buffer.byteLength(urn)).toBe(MAX_URN_BYTES);
      expect(new Set(await created(siege().api, urn))).toEqual(new Set([200]));
      expect(new Set(await created(siege().api, datasetOf(MAX_URN_BYTES + 1, 'more')))).toEqual(new Set([400]));
      const createProperty = `mutation ($id: String!) {
        createStructuredProperty(input: { id: $id, valueType: "urn:li:dataType:datahub.string", entityTypes: [] }) { urn }
      }`;
      const id = 'x'.repeat(MAX_URN_BYTES);
      const { body } = await siege().api.post('/api/graphql', { query: createProperty, variables: { id } });
      expect(body.errors[0].message).toContain(`more than ${MAX_URN_BYTES} bytes`);
    });

    it('is read by every door', async () => {
      const { api } = siege();
      expect((await api.get(entityPath('v3', urn))).body.urn).toBe(urn);
      expect((await api.get(entityPath('v2', urn))).body.urn).toBe(urn);
      expect((await api.send('HEAD', entityPath('v3', urn))).status).toBe(204);
      expect((await api.post(`${V3}/dataset/batchGet`, [{ urn }])).body[0].urn).toBe(urn);
      const query = 'query ($urn: String!) { dataset(urn: $urn) { urn } }';
      expect((await api.post('/api/graphql', { query, variables: { urn } })).body.data.dataset.urn).toBe(urn);
    });

    it('is paged past in both orders, by the listing and by the scroll', async () => {
      const { api } = siege();
      for (const sortOrder of ['ASCENDING', 'DESCENDING']) {
        for (const page of [
          (more: string) => api.get(`${V3}/dataset?count=1&sortOrder=${sortOrder}${more}`),
          (more: string) => api.post(`${V3}/scroll?count=1&sortOrder=${sortOrder}${more}`, { entities: ['dataset'] }),
        ]) {
          await eventually(async () => {
            const found: string[] = [];
            for (let more = ''; found.length < 10; ) {
              const { body } = await page(more);
              for (const each of body.entities) found.push(each.urn);
              if (body.scrollId == null) break;
              more = `&scrollId=${body.scrollId}`;
            }
            const shown = found.filter((each) => [before, urn, after].includes(each));
            expect(sortOrder === 'ASCENDING' ? shown : shown.reverse()).toEqual([before, urn, after]);
          });
        }
      }
    });

    it('goes out by an export and in again by an import', async () => {
      const text = await (await fetch(`${siege().proplane.url}/export`)).text();
      const { id } = JSON.parse(text.split('\n', 1)[0] ?? '');
      const other = await newDeployment();
      const proplane = await ProplaneProcess.start({ deployment: other, role: 'api-server' });
      try {
        const api = new Api(proplane.url);
        const headers = { 'content-type': 'application/x-ndjson' };
        const { status, body } = await api.post(`/import?id=${id}&before=0`, text, headers);
        expect([status, body]).toMatchObject([200, { state: 'finished' }]);
        expect((await api.get(entityPath('v3', urn))).body.urn).toBe(urn);
      } finally {
        await proplane.kill();
        await other.remove();
      }
    });

    it('is deleted', async () => {
      expect((await siege().api.delete(entityPath('v3', urn))).status).toBe(200);
      expect((await siege().api.get(entityPath('v3', urn))).status).toBe(404);
    });
  });
});
