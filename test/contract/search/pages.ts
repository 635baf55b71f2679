import { describe, expect, it } from '@jest/globals';
import type { SearchIndex, SearchRequest } from '../../../api-server/search/port.ts';
import { equal, everything, exists, find, type OpenIndex, put, sharedIndex, urnOf } from './fixture.ts';

/** In code-point order, which is neither that of a dictionary nor that of UTF-16. */
const NAMES = [
  ...['!', '%2F', '(urn:li:dataPlatform:hive,a,PROD)', '(urn:li:dataPlatform:hive,a.b,PROD)', '10', '9', 'A', 'B', '_'],
  ...['a', 'a b', 'a-b', 'aB', 'aa', 'b', 'z'.repeat(400), `${'z'.repeat(400)}a`, 'é', '日本', '\uffee', '😀', '😀a'],
];

async function pages(index: SearchIndex, request: SearchRequest): Promise<string[][]> {
  const found: string[][] = [];
  for (let after: string | undefined; found.length < 100; ) {
    const { hits, total } = await index.search({ ...request, ...(after !== undefined && { after }) });
    expect(total).toBe(NAMES.length);
    if (hits.length === 0) break;
    found.push(hits.map((hit) => hit.urn));
    after = hits.at(-1)?.urn;
  }
  return found;
}

export function pageContract(open: OpenIndex): void {
  const urns = NAMES.map(urnOf);
  const values = [{ field: 'p:string', type: 'string' as const, values: ['x'] }];

  describe('gives pages', () => {
    const index = sharedIndex(open, [
      ...NAMES.toReversed().map((name) => put(name, values)),
      put('gone', values, { removed: true }),
      put('x', values, { urn: 'urn:li:dataFlow:x', entityType: 'dataFlow' }),
    ]);

    it.each([1, 4, 7, 1_000])('of %i that hold each URN once, in order, with the total', async (limit) => {
      const size = Math.min(limit, NAMES.length);
      const ascending = await pages(index(), { ...everything, limit });
      expect(ascending.flat()).toEqual(urns);
      expect(ascending[0]).toHaveLength(size);
      const descending = await pages(index(), { ...everything, limit, order: 'descending' });
      expect(descending.flat()).toEqual(urns.toReversed());
      expect(descending[0]).toHaveLength(size);
    });

    it('of a condition as well', async () => {
      const request = { ...everything, condition: equal('p:string', 'x'), limit: 5 };
      expect((await pages(index(), request)).flat()).toEqual(urns);
    });

    it('behind a URN that is not there', async () => {
      const after = urnOf('a+');
      const ascending = await index().search({ ...everything, after });
      expect(ascending.hits.map((hit) => hit.urn)).toEqual(urns.slice(NAMES.indexOf('a-b')));
      const descending = await index().search({ ...everything, after, order: 'descending', limit: 2 });
      expect(descending.hits.map((hit) => hit.urn)).toEqual([urnOf('a b'), urnOf('a')]);
      expect(descending.total).toBe(NAMES.length);
    });

    it('of nothing but the total', async () => {
      expect(await index().search({ ...everything, limit: 0 })).toEqual({ hits: [], total: NAMES.length });
    });

    it('with incarnation and revision of each hit', async () => {
      const { hits } = await index().search({ ...everything, limit: 1 });
      expect(hits).toEqual([{ urn: urns[0], incarnation: 'life1', revision: 1 }]);
    });
  });

  describe('leaves out of a search', () => {
    const index = sharedIndex(open, [
      put('there', values),
      put('gone', values, { removed: true }),
      put('flow', values, { urn: 'urn:li:dataFlow:flow', entityType: 'dataFlow' }),
      put('job', values, { urn: 'urn:li:dataJob:job', entityType: 'dataJob' }),
    ]);
    const urnsFound = async (rest: Partial<SearchRequest>) =>
      (await index().search({ ...everything, ...rest })).hits.map((hit) => hit.urn);

    it('soft-deleted entities, unless it asks for them', async () => {
      expect(await find(index(), exists('p:string'))).toEqual(['there']);
      expect(await find(index(), exists('p:string'), { includeRemoved: true })).toEqual(['gone', 'there']);
    });

    it('entities of types that it does not name', async () => {
      expect(await urnsFound({ entityTypes: ['dataFlow'] })).toEqual(['urn:li:dataFlow:flow']);
      expect(await urnsFound({ entityTypes: ['dataset', 'dataJob'] })).toEqual(['urn:li:dataJob:job', urnOf('there')]);
      expect(await urnsFound({ entityTypes: ['chart'] })).toEqual([]);
    });

    it('both also under a negation', async () => {
      expect(await find(index(), { kind: 'not', of: { kind: 'none' } })).toEqual(['there']);
    });
  });
}
