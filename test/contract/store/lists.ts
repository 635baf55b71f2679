import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ListRequest, Store } from '../../../api-server/store/port.ts';
import { compareText } from '../../harness/memory-search-index.ts';
import { anyName } from '../../harness/urn-arbitraries.ts';
import {
  assignmentOf,
  cleanAll,
  documentOf,
  insertAll,
  markOf,
  type OpenStore,
  onEmptyStore,
  propertyOf,
  tombstoneOf,
  urnOf,
} from './fixture.ts';

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
      'is counted from behind any text, with tombstones',
      onEmptyStore(open, async ({ store }) => {
        expect(await store.entities.count()).toBe(0);
        await insertAll(store, ...['a', 'c', '\uffff', '😀'].map((name) => documentOf(name)));
        await store.entities.replace(tombstoneOf(documentOf('c'), 5), documentOf('c'));
        expect(await store.entities.count()).toBe(4);
        expect(await store.entities.count(urnOf('a'))).toBe(3);
        expect(await store.entities.count(urnOf('b'))).toBe(3);
        expect(await store.entities.count(urnOf('\uffff'))).toBe(1);
        expect(await store.entities.count(urnOf('😀'))).toBe(0);
      }),
    );

    it(
      'of nothing is empty, whatever it is a listing of',
      onEmptyStore(open, async ({ store }) => {
        const held = documentOf('a', {
          assignments: [assignmentOf('p')],
          owners: { [propertyOf('p')]: markOf('one') },
        });
        await insertAll(store, held, documentOf('b'));
        await store.records.put('kind', 'id', 1, undefined);
        expect(await listed(store, { limit: 0 })).toEqual([]);
        expect(await store.entities.dirty(0)).toEqual([]);
        expect(await store.entities.holders({ propertyUrn: propertyOf('p'), limit: 0 })).toEqual([]);
        expect(await store.entities.owners({ limit: 0 })).toEqual([]);
        expect(await store.records.list('kind', undefined, 0)).toEqual([]);
        await store.entities.replace(tombstoneOf(held, 5), held);
        await cleanAll(store);
        expect(await store.entities.purge(10, 0)).toBe(0);
        expect(await store.entities.count()).toBe(2);
      }),
    );

    it(
      'finds more than a thousand documents by their URNs',
      onEmptyStore(open, async ({ store }) => {
        const names = Array.from({ length: 1_100 }, (_, index) => `d${index}`);
        for (let from = 0; from < names.length; from += 50) {
          await Promise.all(names.slice(from, from + 50).map((name) => store.entities.insert(documentOf(name))));
        }
        const found = await store.entities.getMany(names.map(urnOf));
        expect(new Set(found.map(({ urn }) => urn))).toEqual(new Set(names.map(urnOf)));
        await cleanAll(store);
        expect(await store.entities.countDirty()).toBe(0);
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
