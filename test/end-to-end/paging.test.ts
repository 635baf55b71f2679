import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, addProperty, entityPath, eventually, postBatch } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { Graphql } from '../harness/graphql.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sizeOf } from '../tiers.ts';

/** Pages over a catalogue that is written to all the while. */

/** The MongoDB-wire server of the tests is slow: fewer there, unless it is said. */
const SIZES = { embedded: { quick: 1_000, long: 3_000 }, servers: { quick: 250, long: 250 } };
const WRITERS = 10;
/** Of so many entities one is deleted meanwhile. */
const DELETED_OF = 10;
const PROPERTY = 'urn:li:structuredProperty:com.example.paging.rank';
const FIELD = 'structuredProperties.com_example_paging_rank';

const SCROLL = `query scroll($input: ScrollAcrossEntitiesInput!) {
  scrollAcrossEntities(input: $input) { nextScrollId searchResults { entity { urn } } }
}`;

const urnOf = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:kafka,paging.${name},PROD)`;

await onEachDeployment((newDeployment, { embedded }) => {
  const size = sizeOf('PROPLANE_PAGING_ENTITIES', embedded ? SIZES.embedded : SIZES.servers);
  const names = Array.from({ length: size }, (_, index) => String(index).padStart(7, '0'));
  const isDeleted = (index: number) => index % DELETED_OF === 3;
  const doomed = names.filter((_, index) => isDeleted(index));
  const stable = names.filter((_, index) => !isDeleted(index));
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;
  let graphql: Graphql;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({ deployment, role: 'api-server' });
    api = new Api(proplane.url);
    graphql = new Graphql(api);
    await api.post(entityPath('v3', PROPERTY, 'propertyDefinition'), {
      qualifiedName: 'com.example.paging.rank',
      valueType: 'number',
      entityTypes: ['dataset'],
    });
    for (let start = 0; start < size; start += 500) {
      const items = names.slice(start, start + 500).map((name, index) => ({
        urn: urnOf(name),
        status: { removed: false },
        structuredProperties: { properties: [{ propertyUrn: PROPERTY, values: [{ double: start + index }] }] },
      }));
      await postBatch(api, 'dataset', items);
    }
    await eventually(async () => {
      const { body } = await api.get('/openapi/v3/entity/dataset?count=0');
      expect(body.totalCount).toBe(size);
    }, 300_000);
  }, 900_000);

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  /** Changes, adds and deletes until it is told to end; every entity that stays keeps a value of the property. */
  async function write(writer: number, ended: AbortSignal, writes: Record<string, number>): Promise<void> {
    for (let round = 0; !ended.aborted; round++) {
      const name = stable[(round * 7919 + writer * 104_729) % stable.length] ?? '';
      const added = urnOf(`${name}-added-by-${writer}`);
      const victim = doomed[round * WRITERS + writer];
      await api.patch(
        entityPath('v3', urnOf(name), 'structuredProperties'),
        addProperty(PROPERTY, [{ double: -round - 1 }]),
      );
      await api.post(entityPath('v3', added, 'status'), { removed: false });
      if (round % 2 === 0) await api.delete(entityPath('v3', added));
      if (victim !== undefined) await api.delete(entityPath('v3', urnOf(victim)));
      writes[writer] = round + 1;
      await sleep(25);
    }
  }

  type Page = { readonly urns: readonly string[]; readonly next: string | undefined };

  async function listing(count: number, query: string, order: string, scrollId: string | undefined): Promise<Page> {
    const parameters = new URLSearchParams({ count: String(count), query, sortOrder: order, aspects: 'datasetKey' });
    if (scrollId !== undefined) parameters.set('scrollId', scrollId);
    const { status, body } = await api.get(`/openapi/v3/entity/dataset?${parameters}`);
    expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
    return { urns: body.entities.map(({ urn }: { urn: string }) => urn), next: body.scrollId };
  }

  async function scroll(count: number, filters: readonly object[], scrollId: string | undefined): Promise<Page> {
    const { scrollAcrossEntities } = await graphql.data(SCROLL, {
      input: { types: ['DATASET'], query: '*', count, orFilters: [{ and: filters }], scrollId: scrollId ?? null },
    });
    const urns = scrollAcrossEntities.searchResults.map(({ entity }: { entity: { urn: string } }) => entity.urn);
    return { urns, next: scrollAcrossEntities.nextScrollId ?? undefined };
  }

  /** Every page, while ten writers are at work. @returns all URNs in the order in which they came. */
  async function whileWritten(page: (scrollId: string | undefined) => Promise<Page>): Promise<string[]> {
    const ended = new AbortController();
    const writes: Record<string, number> = {};
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer, ended.signal, writes));
    const seen: string[] = [];
    try {
      let next: string | undefined;
      do {
        const { urns, next: following } = await page(next);
        seen.push(...urns);
        next = following;
      } while (next !== undefined);
    } finally {
      ended.abort();
      await Promise.all(writers);
    }
    expect(Object.keys(writes).length).toBe(WRITERS);
    return seen;
  }

  function expectAll(seen: readonly string[], order: string): void {
    const sorted = [...seen].sort();
    expect(seen).toEqual(order === 'ASCENDING' ? sorted : sorted.reverse());
    expect(new Set(seen).size).toBe(seen.length);
    const there = new Set(stable.map(urnOf));
    expect(seen.filter((urn) => there.has(urn)).sort()).toEqual([...there].sort());
  }

  describe(`pages over ${size} datasets while ${WRITERS} writers change, add and delete`, () => {
    it.each([
      [7, '*', 'ASCENDING'],
      [1000, '*', 'ASCENDING'],
      [1000, '*', 'DESCENDING'],
      [1000, `_exists_:${FIELD} AND platform:kafka`, 'ASCENDING'],
    ])(
      'HTTP, %i a page, query %s, %s: every entity that stays exactly once, in order',
      async (count, query, order) => {
        expectAll(await whileWritten((scrollId) => listing(count, query, order, scrollId)), order);
      },
      600_000,
    );

    it.each([
      [7, []],
      [1000, []],
      [1000, [{ field: 'structuredProperties.com.example.paging.rank', condition: 'EXISTS' }]],
    ])(
      'GraphQL, %i a page, filters %j: every entity that stays exactly once, in order',
      async (count, filters) => {
        expectAll(await whileWritten((scrollId) => scroll(count, filters, scrollId)), 'ASCENDING');
      },
      600_000,
    );
  });
});
