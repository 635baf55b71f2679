import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ListRequest, Store } from '../../../api-server/store/port.ts';
import { compareText } from '../../harness/memory-search-index.ts';
import { anyName } from '../../harness/urn-arbitraries.ts';
import { documentOf, insertAll, type OpenStore, onEmptyStore, tombstoneOf, urnOf } from './fixture.ts';

async function listed(store: Store, request: ListRequest): Promise<string[]> {
  return (await store.entities.list(request)).map(({ urn }) => urn);
}

/** All pages of a listing, one after the other. */
async function pages(store: Store, limit: number, entityType?: string): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const after = all.at(-1);
    const request = {
      limit,
      ...(after === undefined ? {} : { after }),
      ...(entityType === undefined ? {} : { entityType }),
    };
    const page = await listed(store, request);
    expect(page.length).toBeLessThanOrEqual(limit);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

export function listContract(open: OpenStore): void {
  describe('a listing', () => {
    it(
      'is in the order of code points, not of code units',
      onEmptyStore(open, async ({ store }) => {
        const names = [
          'a',
          'A',
          'á',
          'a\u0301',
          'Z',
          '_',
          '~',
          '\ud7ff',
          '\ue000',
          '\uffff',
          '😀',
          '\u{10ffff}',
          'aa',
          'a b',
          'a.b',
        ];
        await insertAll(store, ...names.map((name) => documentOf(name)));
        const expected = names.map(urnOf).sort(compareText);
        expect(await listed(store, { limit: 100 })).toEqual(expected);
        expect(await pages(store, 4)).toEqual(expected);
      }),
    );

    it(
      'finds any name, and each once',
      onEmptyStore(open, async ({ store }) => {
        const written = new Set<string>();
        await fc.assert(
          fc.asyncProperty(anyName, async (name) => {
            const document = documentOf(name);
            expect(await store.entities.insert(document)).toBe(!written.has(name));
            written.add(name);
            expect(await store.entities.get(urnOf(name))).toEqual(document);
          }),
          { numRuns: 60 },
        );
        expect(await pages(store, 7)).toEqual([...written].map(urnOf).sort(compareText));
      }),
    );

    it(
      'starts behind any text, be it a document or not',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, ...['a', 'c', 'e'].map((name) => documentOf(name)));
        expect(await listed(store, { limit: 10, after: urnOf('a') })).toEqual([urnOf('c'), urnOf('e')]);
        expect(await listed(store, { limit: 10, after: urnOf('b') })).toEqual([urnOf('c'), urnOf('e')]);
        expect(await listed(store, { limit: 1, after: urnOf('a') })).toEqual([urnOf('c')]);
        expect(await listed(store, { limit: 10, after: urnOf('e') })).toEqual([]);
      }),
    );

    it(
      'may be of one entity type, and has tombstones',
      onEmptyStore(open, async ({ store }) => {
        const flow = documentOf('b', { entityType: 'dataFlow' });
        await insertAll(store, documentOf('c'), flow, documentOf('a'));
        await store.entities.replace(tombstoneOf(documentOf('a'), 5), documentOf('a'));
        expect(await listed(store, { limit: 10, entityType: 'dataset' })).toEqual([urnOf('a'), urnOf('c')]);
        expect(await listed(store, { limit: 10, entityType: 'dataFlow' })).toEqual([urnOf('b')]);
        expect(await listed(store, { limit: 10, entityType: 'chart' })).toEqual([]);
        expect(await listed(store, { limit: 10 })).toEqual(['a', 'b', 'c'].map(urnOf));
        expect(await pages(store, 1, 'dataset')).toEqual([urnOf('a'), urnOf('c')]);
      }),
    );
  });
}
