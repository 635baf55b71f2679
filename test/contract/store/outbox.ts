import { describe, expect, it } from '@jest/globals';
import type { Store } from '../../../api-server/store/port.ts';
import {
  cleanAll,
  documentOf,
  insertAll,
  nextOf,
  type OpenStore,
  onEmptyStore,
  tombstoneOf,
  urnOf,
} from './fixture.ts';

const dirtyNames = async (store: Store, limit = 100) =>
  (await store.entities.dirty(limit)).map(({ urn }) => urn.split(',')[1]);

export function outboxContract(open: OpenStore): void {
  describe('the outbox', () => {
    it(
      'has what was written and not yet indexed, longest waiting first',
      onEmptyStore(open, async ({ store }) => {
        const names = ['c', 'a', 'd', 'b'];
        for (const name of names) await store.entities.insert(documentOf(name));
        expect(await dirtyNames(store)).toEqual(names);
        expect(await dirtyNames(store, 2)).toEqual(['c', 'a']);
        expect(await store.entities.countDirty()).toBe(4);
        await store.entities.clean((await store.entities.dirty(2)).toReversed());
        expect(await dirtyNames(store)).toEqual(['d', 'b']);
        await store.entities.replace(nextOf(documentOf('c')), documentOf('c'));
        await store.entities.insert(documentOf('e'));
        expect(await dirtyNames(store)).toEqual(['d', 'b', 'c', 'e']);
        expect(await store.entities.countDirty()).toBe(4);
      }),
    );

    it(
      'is empty when everything is indexed',
      onEmptyStore(open, async ({ store }) => {
        expect(await store.entities.dirty(10)).toEqual([]);
        expect(await store.entities.countDirty()).toBe(0);
        await store.entities.clean([]);
        await insertAll(store, documentOf('a'), documentOf('b'));
        await cleanAll(store);
        expect(await store.entities.dirty(10)).toEqual([]);
        expect(await store.entities.countDirty()).toBe(0);
        expect(await store.entities.get(urnOf('a'))).toEqual(documentOf('a'));
      }),
    );

    it(
      'keeps a document that was written again while it was being indexed',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, documentOf('a'), documentOf('b'));
        const indexed = await store.entities.dirty(10);
        await store.entities.replace(nextOf(documentOf('a')), documentOf('a'));
        await store.entities.clean(indexed);
        expect(await store.entities.dirty(10)).toEqual([nextOf(documentOf('a'))]);
        await store.entities.clean([{ urn: urnOf('a'), incarnation: 'life2', revision: 2 }]);
        await store.entities.clean([{ urn: urnOf('z'), incarnation: 'life1', revision: 2 }]);
        expect(await store.entities.countDirty()).toBe(1);
        await store.entities.clean([{ urn: urnOf('a'), incarnation: 'life1', revision: 2 }]);
        expect(await store.entities.countDirty()).toBe(0);
      }),
    );

    it(
      'does not get what was refused',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, documentOf('a'));
        await cleanAll(store);
        await store.entities.insert(documentOf('a'));
        await store.entities.replace(nextOf(documentOf('a')), { incarnation: 'life1', revision: 9 });
        expect(await store.entities.countDirty()).toBe(0);
      }),
    );

    it(
      'has tombstones',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, documentOf('a'));
        await cleanAll(store);
        await store.entities.replace(tombstoneOf(documentOf('a'), 5), documentOf('a'));
        expect(await store.entities.dirty(10)).toEqual([tombstoneOf(documentOf('a'), 5)]);
      }),
    );
  });

  describe('purging', () => {
    /** Three deletions, at 10, 20 and 30, and a live document. */
    const deletions = async (store: Store) => {
      for (const [index, name] of ['x', 'y', 'z'].entries()) {
        await store.entities.insert(documentOf(name));
        await store.entities.replace(tombstoneOf(documentOf(name), 10 * (index + 1)), documentOf(name));
      }
      await store.entities.insert(documentOf('live'));
    };

    it(
      'removes tombstones of earlier deletions that the index knows',
      onEmptyStore(open, async ({ store }) => {
        await deletions(store);
        await cleanAll(store);
        expect(await store.entities.purge(20, 100)).toBe(1);
        expect(await store.entities.get(urnOf('x'))).toBeUndefined();
        expect(await store.entities.get(urnOf('y'))).toEqual(tombstoneOf(documentOf('y'), 20));
        expect(await store.entities.purge(20, 100)).toBe(0);
        expect(await store.entities.purge(1000, 100)).toBe(2);
        expect(await store.entities.list({ limit: 10 })).toEqual([documentOf('live')]);
        expect(await store.entities.insert(documentOf('x', { incarnation: 'life2' }))).toBe(true);
      }),
    );

    it(
      'leaves those that the index does not know',
      onEmptyStore(open, async ({ store }) => {
        await deletions(store);
        expect(await store.entities.purge(1000, 100)).toBe(0);
        await store.entities.clean([{ urn: urnOf('y'), incarnation: 'life1', revision: 2 }]);
        expect(await store.entities.purge(1000, 100)).toBe(1);
        expect(await store.entities.get(urnOf('y'))).toBeUndefined();
        expect(await store.entities.countDirty()).toBe(3);
      }),
    );

    it(
      'stops at its limit',
      onEmptyStore(open, async ({ store }) => {
        await deletions(store);
        await cleanAll(store);
        expect(await store.entities.purge(1000, 2)).toBe(2);
        expect(await store.entities.purge(1000, 2)).toBe(1);
      }),
    );
  });
}
