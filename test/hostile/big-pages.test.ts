import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityDocument } from '../../api-server/store/port.ts';
import { MAX_ANSWER_BYTES } from '../../model/limits.ts';
import { eventually } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { expectUndisturbed, Siege } from '../harness/under-attack.ts';

const MIB = 1024 * 1024;
/** Of each entity; an entity may have 12 MiB. */
const LARGE = 8 * MIB;
/** A page ends with the entity that fills it, and what was read with that. */
const LARGEST_PAGE = MAX_ANSWER_BYTES + 2 * LARGE;

const ALL = '/openapi/v3/entity/dataset?count=1000&query=platform:large';
const SCROLL = '/openapi/v3/entity/scroll?count=1000&query=platform:large';
const SEARCH = `query ($scrollId: String) {
  scrollAcrossEntities(input: {types: [DATASET], count: 1000, query: "/q platform:large", scrollId: $scrollId}) {
    count total nextScrollId searchResults { entity { urn ... on Dataset { properties { qualifiedName } } } }
  }
}`;

function largeDocument(urn: string): EntityDocument {
  const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };
  const value = { name: urn, qualifiedName: 'x'.repeat(LARGE) };
  const aspects = { datasetProperties: { value, version: 1, created: stamp, modified: stamp } };
  const rest = { assignments: [], owners: {}, batches: [] };
  return { urn, entityType: 'dataset', incarnation: urn, revision: 1, aspects, ...rest };
}

/** Entities as large as they may be, more of them than there is memory for. */
await onEachDeployment((newDeployment, { embedded }) => {
  const count = embedded ? 12 : 5;
  const urns = Array.from(
    { length: count },
    (_, index) => `urn:li:dataset:(urn:li:dataPlatform:large,t${100 + index},PROD)`,
  );
  let deployment: Deployment;
  let siege: Siege;

  beforeAll(async () => {
    deployment = await newDeployment();
    // By HTTP this would take a minute.
    const { store, close } = await deployment.open();
    for (const urn of urns) await store.entities.insert(largeDocument(urn));
    await close();
    siege = await Siege.lay(deployment);
    await eventually(async () => {
      expect((await siege.api.get(ALL.replace('count=1000', 'count=0'))).body.totalCount).toBe(count);
    }, 60_000);
  }, 120_000);

  afterAll(async () => {
    await siege?.lift();
    await deployment?.remove();
  });

  /** URNs of all pages, one after the other. */
  async function pages(next: (scrollId: string | undefined) => Promise<[urns: string[], scrollId?: string | null]>) {
    const seen: string[] = [];
    let scrollId: string | null | undefined;
    do {
      const [page, behind] = await next(scrollId ?? undefined);
      seen.push(...page);
      scrollId = behind;
    } while (scrollId);
    return seen;
  }

  async function bytesOf(path: string, body?: object): Promise<[status: number, bytes: number]> {
    const answer = await fetch(`${siege.proplane.url}${path}`, {
      ...(body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    let bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += (chunk as Uint8Array).length;
    return [answer.status, bytes];
  }

  const urnsOf = (entities: { urn: string }[]) => entities.map(({ urn }) => urn);

  describe('end a page early', () => {
    it('of a listing and of a scroll, and all pages together are the whole', async () => {
      const seen = await siege.during(async (api) => {
        const listed = await pages(async (scrollId) => {
          const { body } = await api.get(`${ALL}${scrollId === undefined ? '' : `&scrollId=${scrollId}`}`);
          expect(body.totalCount).toBe(count);
          return [urnsOf(body.entities), body.scrollId];
        });
        const scrolled = await pages(async (scrollId) => {
          const path = `${SCROLL}${scrollId === undefined ? '' : `&scrollId=${scrollId}`}`;
          const { body } = await api.post(path, { entities: ['dataset'], aspects: ['datasetProperties'] });
          return [urnsOf(body.entities), body.scrollId];
        });
        expect(listed).toEqual(urns);
        expect(scrolled).toEqual(urns);
      });
      expectUndisturbed(seen);
    });

    it('of a search of GraphQL, whose count tells it', async () => {
      const seen = await siege.during(async (api) => {
        const found = await pages(async (scrollId) => {
          const { body } = await api.post('/api/graphql', { query: SEARCH, variables: { scrollId } });
          const { searchResults, nextScrollId, count: shown } = body.data.scrollAcrossEntities;
          expect(shown).toBe(searchResults.length);
          return [searchResults.map(({ entity }: { entity: { urn: string } }) => entity.urn), nextScrollId];
        });
        expect(found).toEqual(urns);
      });
      expectUndisturbed(seen);
    });
  });

  it('are refused where all of them are asked for, with the number that fits', async () => {
    const seen = await siege.during(async (api) => {
      const batch = await api.post(
        '/openapi/v3/entity/dataset/batchGet',
        urns.map((urn) => ({ urn })),
      );
      expect(batch.status).toBe(413);
      const fits = Number(/Only the first (\d+) of/u.exec(batch.body.message)?.[1]);
      const some = urns.slice(0, fits).map((urn) => ({ urn }));
      const answer = await api.post('/openapi/v3/entity/dataset/batchGet', some);
      expect(urnsOf(answer.body)).toEqual(urns.slice(0, fits));
      const one = await api.post(
        '/openapi/v3/entity/dataset/batchGet',
        Array.from({ length: 1000 }, () => ({ urn: urns[0] })),
      );
      expect(one.status).toBe(413);
      const variables = { urns };
      const query = 'query ($urns: [String!]!) { entities(urns: $urns) { urn } }';
      const { body } = await api.post('/api/graphql', { query, variables });
      expect(body.errors[0].message).toContain(String(MAX_ANSWER_BYTES));
    });
    expectUndisturbed(seen);
  });

  it('are answered to several at a time, and exported meanwhile', async () => {
    const seen = await siege.during(async () => {
      const [exported, ...answers] = await Promise.all([
        bytesOf('/export'),
        ...Array.from({ length: 4 }, () => bytesOf(ALL)),
        ...Array.from({ length: 3 }, () => bytesOf('/api/graphql', { query: SEARCH })),
      ]);
      expect(exported[1]).toBeGreaterThan(count * LARGE);
      for (const [status, bytes] of answers) {
        expect(status).toBe(200);
        expect(bytes).toBeLessThanOrEqual(LARGEST_PAGE);
      }
    });
    expectUndisturbed(seen);
  });
});
