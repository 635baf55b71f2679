import { describe, expect, it } from '@jest/globals';
import {
  assignmentOf,
  documentOf,
  insertAll,
  markOf,
  nextOf,
  type OpenStore,
  onEmptyStore,
  tombstoneOf,
  urnOf,
} from './fixture.ts';

export function writeContract(open: OpenStore): void {
  describe('a document', () => {
    it(
      'is returned as it was stored',
      onEmptyStore(open, async ({ store }) => {
        const stamp = { time: 1_700_000_000_123, actor: 'urn:li:corpuser:ada' };
        const odd = {
          'a.b': 1,
          $set: { $gt: '' },
          '': 'empty',
          '10': [0.1, 1e300, -1.5, 9_007_199_254_740_991],
          text: 'é e\u0301 😀 \ue000 "\\\n\u2028',
          nothing: null,
          deep: [[[{ er: {} }]], []],
        };
        const document = documentOf('a', {
          aspects: { datasetProperties: { value: odd, version: 3, created: stamp, modified: stamp } },
          assignments: [{ ...assignmentOf('p.q/r~s'), values: [{ double: 30 }, { double: 0.1 }, { string: '' }] }],
          definitionState: { epoch: 'e', greatestVersion: '20240614080000' },
          parentIncarnation: 'life0',
          owners: { 'urn:li:structuredProperty:p.q/r~s': markOf('x') },
          batches: [{ id: 'b', at: 5 }],
        });
        expect(await store.entities.insert(document)).toBe(true);
        expect(await store.entities.get(document.urn)).toEqual(document);
        expect((await store.entities.getMany([document.urn], 1)).documents).toEqual([document]);
        expect(await store.entities.list({ limit: 10 })).toEqual([document]);
        expect(await store.entities.dirty(10)).toEqual([document]);
      }),
    );

    it(
      'of many megabytes is kept',
      onEmptyStore(open, async ({ store }) => {
        const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };
        const value = { text: 'ä'.repeat(5_500_000) };
        const document = documentOf('a', {
          aspects: { status: { value, version: 1, created: stamp, modified: stamp } },
        });
        await store.entities.insert(document);
        expect((await store.entities.get(document.urn))?.aspects.status?.value).toEqual(value);
      }),
    );

    it(
      'that does not exist is undefined, or left out of many',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, documentOf('a'), documentOf('b'));
        expect(await store.entities.get(urnOf('z'))).toBeUndefined();
        const nothing = { documents: [], bytes: 0, reached: 0 };
        expect(await store.entities.getMany([], 1)).toEqual(nothing);
        const { documents, reached } = await store.entities.getMany(['b', 'z', 'a', 'y'].map(urnOf), 1_000_000);
        expect(documents).toEqual([documentOf('b'), documentOf('a')]);
        expect(reached).toBe(4);
        expect(await store.entities.versions(['b', 'z', 'a', 'b'].map(urnOf))).toHaveLength(2);
      }),
    );

    it(
      'is inserted once, and not over a tombstone',
      onEmptyStore(open, async ({ store }) => {
        const first = documentOf('a');
        expect(await store.entities.insert(first)).toBe(true);
        expect(await store.entities.insert({ ...first, incarnation: 'life2' })).toBe(false);
        expect(await store.entities.get(first.urn)).toEqual(first);
        expect(await store.entities.replace(tombstoneOf(first, 5), first)).toBe(true);
        expect(await store.entities.insert({ ...first, incarnation: 'life2' })).toBe(false);
        expect(await store.entities.get(first.urn)).toEqual(tombstoneOf(first, 5));
      }),
    );

    it(
      'is replaced only in the expected revision of the expected incarnation',
      onEmptyStore(open, async ({ store }) => {
        const first = documentOf('a', { revision: 5 });
        await insertAll(store, first);
        const next = nextOf(first, { batches: [{ id: 'x', at: 1 }] });
        for (const expected of [
          { incarnation: 'life1', revision: 4 },
          { incarnation: 'life1', revision: 6 },
          { incarnation: 'life2', revision: 5 },
        ]) {
          expect(await store.entities.replace(next, expected)).toBe(false);
        }
        expect(await store.entities.get(first.urn)).toEqual(first);
        expect(await store.entities.replace(next, first)).toBe(true);
        expect(await store.entities.get(first.urn)).toEqual(next);
        expect(await store.entities.replace(next, first)).toBe(false);
        expect(await store.entities.replace(documentOf('z'), documentOf('z'))).toBe(false);
        expect(await store.entities.get(urnOf('z'))).toBeUndefined();
      }),
    );

    it(
      'gets a new life over its tombstone, and no write of the old one succeeds then',
      onEmptyStore(open, async ({ store }) => {
        const first = documentOf('a');
        await insertAll(store, first);
        const tombstone = tombstoneOf(first, 5);
        await store.entities.replace(tombstone, first);
        const { deleted: _deleted, ...rest } = nextOf(tombstone);
        const second = { ...rest, incarnation: 'life2' };
        expect(await store.entities.replace(second, tombstone)).toBe(true);
        expect(await store.entities.replace(nextOf(first), first)).toBe(false);
        expect(await store.entities.replace(nextOf(first), { incarnation: 'life1', revision: 3 })).toBe(false);
        expect(await store.entities.get(first.urn)).toEqual(second);
      }),
    );
  });

  describe('writers at the same time', () => {
    it(
      'insert one document',
      onEmptyStore(open, async ({ store }) => {
        const lives = Array.from({ length: 30 }, (_, index) => documentOf('a', { incarnation: `life${index}` }));
        const outcomes = await Promise.all(lives.map((document) => store.entities.insert(document)));
        expect(outcomes.filter(Boolean)).toHaveLength(1);
        expect(await store.entities.get(urnOf('a'))).toEqual(lives[outcomes.indexOf(true)]);
      }),
    );

    it(
      'replace a document once for each revision',
      onEmptyStore(open, async ({ store }) => {
        let current = documentOf('a');
        await insertAll(store, current);
        for (let round = 0; round < 5; round += 1) {
          const nexts = Array.from({ length: 30 }, (_, index) =>
            nextOf(current, { batches: [{ id: `w${index}`, at: round }] }),
          );
          const outcomes = await Promise.all(nexts.map((next) => store.entities.replace(next, current)));
          expect(outcomes.filter(Boolean)).toHaveLength(1);
          const stored = await store.entities.get(current.urn);
          expect(stored).toEqual(nexts[outcomes.indexOf(true)]);
          current = stored ?? current;
        }
      }),
    );

    it(
      'lose nothing when each tries again',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, documentOf('a'));
        const add = async (id: string) => {
          for (;;) {
            const current = await store.entities.get(urnOf('a'));
            if (current === undefined) throw new Error('gone');
            const next = nextOf(current, { batches: [...current.batches, { id, at: 0 }] });
            if (await store.entities.replace(next, current)) return;
          }
        };
        const ids = Array.from({ length: 20 }, (_, index) => `w${index}`);
        await Promise.all(ids.map(add));
        const stored = await store.entities.get(urnOf('a'));
        expect(stored?.revision).toBe(21);
        expect(stored?.batches.map(({ id }) => id).sort()).toEqual([...ids].sort());
      }),
    );

    it(
      "write different documents without getting in each other's way",
      onEmptyStore(open, async ({ store }) => {
        // Fewer writers than a store has connections, so that on a slow server none waits long for one.
        const writers = Array.from({ length: 40 }, (_, writer) =>
          [0, 1, 2, 3, 4].map((index) => documentOf(`d${writer}-${index}`)),
        );
        const outcomes = await Promise.all(
          writers.map(async (documents) => {
            const inserted: boolean[] = [];
            for (const document of documents) inserted.push(await store.entities.insert(document));
            return inserted;
          }),
        );
        expect(outcomes.flat().every(Boolean)).toBe(true);
        expect(await store.entities.list({ limit: 1000 })).toHaveLength(200);
      }),
    );
  });
}
