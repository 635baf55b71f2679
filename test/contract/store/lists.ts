import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ListRequest, READ_BYTES, type Store } from '../../../api-server/store/port.ts';
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
  sizedDocument,
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
        const { documents, reached } = await store.entities.getMany(names.map(urnOf), Number.POSITIVE_INFINITY);
        expect(reached).toBe(1_100);
        expect(documents.map(({ urn }) => urn)).toEqual(names.map(urnOf));
        expect(await store.entities.versions(names.map(urnOf))).toHaveLength(1_100);
        await cleanAll(store);
        expect(await store.entities.countDirty()).toBe(0);
      }),
    );

    it(
      'ends early with the document that reaches its bytes; all pages together are the whole',
      onEmptyStore(open, async ({ store }) => {
        const sizes = [10, 3_000, 3_000, 10, 10, 9_000, 10, 10, 2_000, 10];
        const documents = sizes.map((size, index) => sizedDocument(`d${index}`, size));
        await insertAll(store, ...documents);
        const names = documents.map(({ urn }) => urn);
        const bySize = async (maxBytes: number) => {
          const all: string[][] = [[]];
          while (all.at(-1) !== undefined) {
            const after = all.at(-1)?.at(-1);
            const page = await listed(store, { limit: 4, maxBytes, ...(after === undefined ? {} : { after }) });
            if (page.length === 0) break;
            all.push(page);
          }
          return all.slice(1);
        };
        expect((await bySize(1)).map(({ length }) => length)).toEqual(Array(10).fill(1));
        expect((await bySize(5_000)).map(({ length }) => length)).toEqual([3, 3, 4]);
        for (const maxBytes of [1, 2_500, 5_000, 1_000_000]) expect((await bySize(maxBytes)).flat()).toEqual(names);
      }),
    );

    it(
      'of documents by their URNs ends early in the order in which they are named, and says how far it came',
      onEmptyStore(open, async ({ store }) => {
        const large = sizedDocument('large', 4_000);
        await insertAll(store, large, ...['a', 'b', 'z'].map((name) => documentOf(name)));
        const asked = ['z', 'none', 'large', 'a', 'b'].map(urnOf);
        const { documents, bytes, reached } = await store.entities.getMany(asked, 3_000);
        expect(documents).toEqual([documentOf('z'), large]);
        expect(reached).toBe(3);
        expect(bytes).toBeGreaterThanOrEqual(4_000);
        const rest = await store.entities.getMany(asked.slice(reached), 3_000);
        expect(rest).toMatchObject({ documents: [documentOf('a'), documentOf('b')], reached: 2 });
        expect(await store.entities.getMany(asked, 1)).toMatchObject({ documents: [documentOf('z')], reached: 1 });
      }),
    );

    it(
      'of versions tells lives and tombstones without the documents',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, documentOf('a'), documentOf('b'));
        await store.entities.replace(tombstoneOf(documentOf('b'), 5), documentOf('b'));
        const found = await store.entities.versions(['a', 'b', 'c'].map(urnOf));
        expect(found.toSorted((one, other) => compareText(one.urn, other.urn))).toEqual([
          { urn: urnOf('a'), incarnation: 'life1', revision: 1 },
          { urn: urnOf('b'), incarnation: 'life1', revision: 2, deleted: 5 },
        ]);
      }),
    );

    it(
      'of the outbox and of records ends early as well',
      onEmptyStore(open, async ({ store }) => {
        const half = READ_BYTES / 2 + 1_000;
        const names = ['a', 'b', 'c'];
        await insertAll(store, ...names.map((name) => sizedDocument(name, half)));
        for (const id of names) await store.records.put('kind', id, 'x'.repeat(half), undefined);
        expect((await store.entities.dirty(10)).map(({ urn }) => urn)).toEqual(['a', 'b'].map(urnOf));
        expect((await store.records.list('kind', undefined, 10)).map(({ id }) => id)).toEqual(['a', 'b']);
        expect((await store.records.list('kind', 'b', 10)).map(({ id }) => id)).toEqual(['c']);
        expect((await store.records.list('kind', undefined, 10, 1)).map(({ id }) => id)).toEqual(['a']);
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
