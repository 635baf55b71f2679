import { describe, expect, it } from '@jest/globals';
import type { Fence, Store } from '../../../api-server/store/port.ts';
import { documentOf, fenceOf, nextOf, type OpenStore, onEmptyStore } from './fixture.ts';

const FENCED = { name: 'StoreError', code: 'fenced' };

export function fenceContract(open: OpenStore): void {
  describe('a fence', () => {
    it(
      'stands until one with more transitions of its Lease comes',
      onEmptyStore(open, async ({ store: { fences } }) => {
        expect(await fences.list()).toEqual([]);
        for (const transitions of [3, 3, 4, 9]) {
          await fences.raise(fenceOf(transitions));
          expect(await fences.list()).toEqual([fenceOf(transitions)]);
        }
        for (const transitions of [8, 0])
          await expect(fences.raise(fenceOf(transitions))).rejects.toMatchObject(FENCED);
        expect(await fences.list()).toEqual([fenceOf(9)]);
      }),
    );

    it(
      'of another Lease wins when that was created later, whatever their transitions are',
      onEmptyStore(open, async ({ store: { fences } }) => {
        const later = fenceOf(0, { lease: 'lease2', created: 1001 });
        await fences.raise(fenceOf(9));
        for (const created of [999, 1000]) {
          await expect(fences.raise(fenceOf(99, { lease: 'lease2', created }))).rejects.toMatchObject(FENCED);
        }
        await fences.raise(later);
        await expect(fences.raise(fenceOf(99))).rejects.toMatchObject(FENCED);
        expect(await fences.list()).toEqual([later]);
      }),
    );

    it(
      'says whose write is refused, and who leads',
      onEmptyStore(open, async ({ store: { fences } }) => {
        await fences.raise(fenceOf(2));
        await expect(fences.raise(fenceOf(1))).rejects.toThrow(
          'Another operator leads source git now (Lease lease1, transitions 2); ' +
            'a write of the one that led before (Lease lease1, transitions 1) is refused',
        );
        await fences.raise(fenceOf(2, { shard: 'b' }));
        await expect(fences.raise(fenceOf(1, { shard: 'b' }))).rejects.toThrow('leads source git, shard b, now');
      }),
    );

    it(
      'belongs to its source and shard, also when they begin alike',
      onEmptyStore(open, async ({ store: { fences } }) => {
        const all = [
          fenceOf(1),
          fenceOf(2, { shard: 'a' }),
          fenceOf(3, { shard: 'ab' }),
          fenceOf(4, { source: 'gita', shard: '' }),
          fenceOf(5, { source: 'gita', shard: 'é 😀' }),
        ];
        for (const fence of all.toReversed()) await fences.raise(fence);
        expect(await fences.list()).toEqual(all);
        await expect(fences.raise(fenceOf(1, { shard: 'a' }))).rejects.toMatchObject(FENCED);
      }),
    );

    it(
      'is never lowered by those that come at the same time',
      onEmptyStore(open, async ({ store: { fences } }) => {
        for (let round = 0; round < 5; round += 1) {
          const highest = (round + 1) * 20;
          const raised = await Promise.allSettled(
            Array.from({ length: 20 }, (_, index) => fences.raise(fenceOf(highest - ((index * 7) % 20)))),
          );
          expect(await fences.list()).toEqual([fenceOf(highest)]);
          expect(raised[0]?.status).toBe('fulfilled');
          for (const outcome of raised) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(FENCED);
        }
      }),
    );
  });

  describe('a write with a fence', () => {
    const document = documentOf('a');
    const next = nextOf(document);

    /** What is written by each kind of write, and what it gives. */
    const WRITES: Record<string, (store: Store, fence: Fence, revision: string) => Promise<unknown>> = {
      insert: (store, fence) => store.entities.insert(documentOf('b'), fence),
      replace: (store, fence) => store.entities.replace(next, document, fence),
      'new record': (store, fence) => store.records.put('kind', 'new', 1, undefined, fence),
      'next record': (store, fence, revision) => store.records.put('kind', 'id', 2, revision, fence),
      'deletion of a record': (store, fence, revision) => store.records.delete('kind', 'id', revision, fence),
    };

    const contents = async ({ entities, records, fences }: Store) => [
      await entities.list({ limit: 10 }),
      await entities.dirty(10),
      await records.list('kind', undefined, 10),
      await fences.list(),
    ];

    it.each(Object.entries(WRITES))('that is lower writes nothing: %s', (_, write) =>
      onEmptyStore(open, async ({ store }) => {
        await store.entities.insert(document);
        const revision = (await store.records.put('kind', 'id', 1, undefined)) ?? '';
        await store.fences.raise(fenceOf(2));
        const before = await contents(store);
        await expect(write(store, fenceOf(1), revision)).rejects.toMatchObject(FENCED);
        expect(await contents(store)).toEqual(before);
      })(),
    );

    it.each(Object.entries(WRITES))(
      'that stands, is higher, or is of a source without one, is done: %s',
      async (_, write) => {
        for (const fence of [fenceOf(2), fenceOf(3), fenceOf(0, { source: 'other' })]) {
          await onEmptyStore(open, async ({ store }) => {
            await store.entities.insert(document);
            const revision = (await store.records.put('kind', 'id', 1, undefined)) ?? '';
            await store.fences.raise(fenceOf(2));
            expect(await write(store, fence, revision)).toBeTruthy();
            expect(await store.fences.list()).toEqual([fenceOf(2)]);
          })();
        }
      },
    );

    it(
      'fails alone: others of the same moment are done',
      onEmptyStore(open, async ({ store: { entities, fences } }) => {
        await fences.raise(fenceOf(2));
        const outcomes = await Promise.allSettled([
          entities.insert(documentOf('a')),
          entities.insert(documentOf('b'), fenceOf(1)),
          entities.insert(documentOf('c'), fenceOf(2)),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect((await entities.list({ limit: 10 })).map(({ urn }) => urn)).toEqual(
          ['a', 'c'].map((n) => documentOf(n).urn),
        );
      }),
    );
  });
}
