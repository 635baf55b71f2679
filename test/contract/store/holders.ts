import { describe, expect, it } from '@jest/globals';
import type { OwnersRequest, Store } from '../../../api-server/store/port.ts';
import { compareText } from '../../harness/memory-search-index.ts';
import {
  assignmentOf,
  documentOf,
  insertAll,
  markOf,
  nextOf,
  type OpenStore,
  onEmptyStore,
  propertyOf,
  tombstoneOf,
  urnOf,
} from './fixture.ts';

export function holderContract(open: OpenStore): void {
  describe('holders of a property', () => {
    it(
      'are the entities with an assignment of it, of any epoch or of one',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(
          store,
          documentOf('b', { assignments: [assignmentOf('p', 'e1'), assignmentOf('q', 'e9')] }),
          documentOf('a', { assignments: [assignmentOf('p', 'e2')] }),
          documentOf('c', { assignments: [assignmentOf('q', 'e9')] }),
          documentOf('d'),
          documentOf('flow', { entityType: 'dataFlow', assignments: [assignmentOf('p', 'e1')] }),
        );
        const propertyUrn = propertyOf('p');
        const { entities } = store;
        expect(await entities.holders({ propertyUrn, limit: 10 })).toEqual(['a', 'b', 'flow'].map(urnOf));
        expect(await entities.holders({ propertyUrn, epoch: 'e1', limit: 10 })).toEqual(['b', 'flow'].map(urnOf));
        expect(await entities.holders({ propertyUrn, epoch: 'e3', limit: 10 })).toEqual([]);
        expect(await entities.holders({ propertyUrn: propertyOf('P'), limit: 10 })).toEqual([]);
        expect(await entities.countHolders(propertyUrn)).toBe(3);
        expect(await entities.countHolders(propertyUrn, 'e1')).toBe(2);
        expect(await entities.countHolders(propertyUrn, 'e3')).toBe(0);
        expect(await entities.countHolders(propertyOf('none'))).toBe(0);
      }),
    );

    it(
      'follow what is written',
      onEmptyStore(open, async ({ store }) => {
        const held = documentOf('a', { assignments: [assignmentOf('p', 'e1')] });
        await insertAll(store, held);
        const moved = nextOf(held, { assignments: [assignmentOf('p', 'e2'), assignmentOf('q', 'e1')] });
        await store.entities.replace(moved, held);
        expect(await store.entities.countHolders(propertyOf('p'), 'e1')).toBe(0);
        expect(await store.entities.countHolders(propertyOf('p'), 'e2')).toBe(1);
        await store.entities.replace(nextOf(moved, { assignments: [] }), { incarnation: 'life9', revision: 2 });
        expect(await store.entities.countHolders(propertyOf('q'))).toBe(1);
        await store.entities.replace(tombstoneOf(moved, 5), moved);
        expect(await store.entities.holders({ propertyUrn: propertyOf('p'), limit: 10 })).toEqual([]);
        expect(await store.entities.countHolders(propertyOf('q'))).toBe(0);
      }),
    );

    it(
      'come in pages, by code point',
      onEmptyStore(open, async ({ store }) => {
        const names = ['😀', '\ue000', 'a', 'é', 'b', 'B', 'a b'];
        await insertAll(store, ...names.map((name) => documentOf(name, { assignments: [assignmentOf('p')] })));
        for (const epoch of [{}, { epoch: 'epoch1' }]) {
          const all: string[] = [];
          for (;;) {
            const last = all.at(-1);
            const request = {
              propertyUrn: propertyOf('p'),
              limit: 3,
              ...epoch,
              ...(last === undefined ? {} : { after: last }),
            };
            const page = await store.entities.holders(request);
            if (page.length === 0) break;
            all.push(...page);
          }
          expect(all).toEqual(names.map(urnOf).sort(compareText));
        }
      }),
    );
  });

  describe('owner marks', () => {
    const definition = documentOf('def', { owners: { '': markOf('def', { kind: 'StructuredProperty' }) } });
    const first = documentOf('a', {
      owners: { [propertyOf('q')]: markOf('one'), [propertyOf('p')]: markOf('two', { namespace: 'payments' }) },
    });
    const second = documentOf('b', { owners: { [propertyOf('p')]: markOf('one', { deletionPolicy: 'Retain' }) } });
    const foreign = documentOf('c', { owners: { [propertyOf('p')]: markOf('one', { source: 'cluster' }) } });

    const owned = async (store: Store, request: Partial<OwnersRequest> = {}) =>
      (await store.entities.owners({ source: 'git', limit: 100, ...request })).map(
        ({ urn, propertyUrn = '' }) => `${urn.split(',')[1]} ${propertyUrn.split(':').at(-1)}`,
      );

    it(
      'are listed with what they are on, in order, of one source',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, second, foreign, definition, first, documentOf('none'));
        expect(await store.entities.owners({ source: 'git', limit: 100 })).toEqual([
          { urn: first.urn, propertyUrn: propertyOf('p'), ...markOf('two', { namespace: 'payments' }) },
          { urn: first.urn, propertyUrn: propertyOf('q'), ...markOf('one') },
          { urn: second.urn, propertyUrn: propertyOf('p'), ...markOf('one', { deletionPolicy: 'Retain' }) },
          { urn: definition.urn, ...markOf('def', { kind: 'StructuredProperty' }) },
        ]);
        expect(await owned(store, { source: 'cluster' })).toEqual(['c p']);
        expect(await owned(store, { source: 'nobody' })).toEqual([]);
        const ofAll = await store.entities.owners({ limit: 100 });
        expect(ofAll.map(({ source }) => source)).toEqual(['git', 'git', 'git', 'cluster', 'git']);
      }),
    );

    it(
      'can be asked for by each part of a resource and by entity',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, second, foreign, definition, first);
        expect(await owned(store, { kind: 'StructuredProperty' })).toEqual(['def ']);
        expect(await owned(store, { namespace: 'payments' })).toEqual(['a p']);
        expect(await owned(store, { name: 'one' })).toEqual(['a q', 'b p']);
        expect(await owned(store, { kind: 'DatasetProperties', namespace: 'shop', name: 'one' })).toEqual([
          'a q',
          'b p',
        ]);
        expect(await owned(store, { urn: first.urn })).toEqual(['a p', 'a q']);
        expect(await owned(store, { urn: first.urn, name: 'one' })).toEqual(['a q']);
        expect(await owned(store, { name: 'one', namespace: 'payments' })).toEqual([]);
      }),
    );

    it(
      'come in pages that may end inside an entity',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, second, definition, first);
        const all: string[] = [];
        let last: OwnersRequest['after'];
        for (;;) {
          const page = await store.entities.owners({
            source: 'git',
            limit: 1,
            ...(last === undefined ? {} : { after: last }),
          });
          const [thing] = page;
          if (thing === undefined) break;
          last = { urn: thing.urn, propertyUrn: thing.propertyUrn ?? '' };
          all.push(`${thing.urn} ${last.propertyUrn}`);
        }
        expect(all).toEqual([
          `${first.urn} ${propertyOf('p')}`,
          `${first.urn} ${propertyOf('q')}`,
          `${second.urn} ${propertyOf('p')}`,
          `${definition.urn} `,
        ]);
      }),
    );

    it(
      'follow what is written',
      onEmptyStore(open, async ({ store }) => {
        await insertAll(store, first);
        const next = nextOf(first, { owners: { [propertyOf('p')]: markOf('three') } });
        await store.entities.replace(next, first);
        expect(await store.entities.owners({ source: 'git', limit: 9 })).toEqual([
          { urn: first.urn, propertyUrn: propertyOf('p'), ...markOf('three') },
        ]);
        await store.entities.replace(tombstoneOf(next, 5), next);
        expect(await owned(store)).toEqual([]);
      }),
    );
  });
}
