import { describe, expect, it } from '@jest/globals';
import {
  assignmentOf,
  documentOf,
  fenceOf,
  insertAll,
  markOf,
  nextOf,
  type OpenStore,
  onEmptyStore,
  propertyOf,
  tombstoneOf,
  urnOf,
} from './fixture.ts';

export function durabilityContract(open: OpenStore): void {
  describe('a store that is opened again', () => {
    it(
      'has everything that was answered',
      onEmptyStore(open, async ({ store, reopen }) => {
        const held = documentOf('a', {
          assignments: [assignmentOf('p')],
          owners: { [propertyOf('p')]: markOf('one') },
        });
        const gone = documentOf('b');
        await insertAll(store, held, gone, documentOf('c'));
        await store.entities.clean([held, documentOf('c')]);
        await store.entities.replace(tombstoneOf(gone, 5), gone);
        const revision = await store.records.put('kind', 'id', { x: 1 }, undefined);
        await store.fences.raise(fenceOf(2));
        const again = await reopen();
        expect(await again.entities.list({ limit: 10 })).toEqual([held, tombstoneOf(gone, 5), documentOf('c')]);
        expect(await again.entities.dirty(10)).toEqual([tombstoneOf(gone, 5)]);
        expect(await again.entities.countHolders(propertyOf('p'))).toBe(1);
        expect(await again.entities.owners({ source: 'git', limit: 10 })).toHaveLength(1);
        expect(await again.records.get('kind', 'id')).toEqual({ id: 'id', revision, body: { x: 1 } });
        expect(await again.fences.list()).toEqual([fenceOf(2)]);
      }),
    );

    it(
      'goes on where it was',
      onEmptyStore(open, async ({ store, reopen }) => {
        await insertAll(store, documentOf('z'), documentOf('a'));
        const revision = await store.records.put('kind', 'id', 1, undefined);
        const again = await reopen();
        await again.entities.insert(documentOf('m'));
        expect((await again.entities.dirty(10)).map(({ urn }) => urn)).toEqual(['z', 'a', 'm'].map(urnOf));
        expect(await again.entities.replace(nextOf(documentOf('z')), documentOf('z'))).toBe(true);
        expect(await again.records.put('kind', 'id', 2, revision)).toEqual(expect.any(String));
      }),
    );

    it(
      'has what was being written when it was closed, or refused it',
      onEmptyStore(open, async ({ store, reopen }) => {
        const writes = Array.from({ length: 20 }, (_, index) =>
          store.entities.insert(documentOf(`d${index}`)).catch(() => false),
        );
        const again = await reopen();
        const outcomes = await Promise.all(writes);
        for (const [index, done] of outcomes.entries()) {
          if (done) expect(await again.entities.get(urnOf(`d${index}`))).toEqual(documentOf(`d${index}`));
        }
      }),
    );

    it(
      'answers a ping while it is open',
      onEmptyStore(open, async ({ store, reopen }) => {
        await store.ping();
        const again = await reopen();
        await again.ping();
        await again.close();
        await again.close();
        await expect(again.ping()).rejects.toThrow();
      }),
    );
  });
}
