import { describe, expect, it } from '@jest/globals';
import type { IndexChange, IndexedVersion } from '../../../api-server/search/port.ts';
import { equal, everything, exists, find, type OpenIndex, onEmptyIndex, put, sharedIndex, urnOf } from './fixture.ts';

const field = 'p:string';
const version = (name: string, incarnation: string, revision: number): IndexedVersion => ({
  urn: urnOf(name),
  incarnation,
  revision,
});
/** A put of `x` whose value tells which it is. */
const putX = (incarnation: string, revision: number): IndexChange =>
  put('x', [{ field, type: 'string', values: [`${incarnation}.${revision}`] }], { incarnation, revision });
const dropX = (incarnation: string, revision: number): IndexChange => ({
  kind: 'drop',
  ...version('x', incarnation, revision),
});

/** What is left of `x` after changes; undefined: nothing. */
const orders: [what: string, changes: IndexChange[], left: string | undefined][] = [
  ['a first put is taken', [putX('a', 5)], 'a.5'],
  ['a later revision replaces', [putX('a', 1), putX('a', 2)], 'a.2'],
  ['an earlier revision is ignored', [putX('a', 2), putX('a', 1)], 'a.2'],
  ['a revision is compared as a number', [putX('a', 9), putX('a', 10)], 'a.10'],
  ['another incarnation replaces, whatever its revision', [putX('a', 7), putX('b', 1)], 'b.1'],
  ['a later drop removes', [putX('a', 1), dropX('a', 2)], undefined],
  ['a drop of an earlier revision is ignored', [putX('a', 3), dropX('a', 2)], 'a.3'],
  ['a drop of the indexed revision is ignored', [putX('a', 3), dropX('a', 3)], 'a.3'],
  ['a drop of another incarnation removes', [putX('a', 3), dropX('b', 1)], undefined],
  ['a drop of nothing is nothing', [dropX('a', 3)], undefined],
  ['a new life after a drop is taken', [putX('a', 1), dropX('a', 2), putX('b', 1)], 'b.1'],
];

export function changeContract(open: OpenIndex): void {
  describe.each(orders)('%s', (_what, changes, left) => {
    it.each([
      ['in one call', [changes]],
      ['call by call', changes.map((change) => [change])],
    ])('%s', async (_how, calls) => {
      await onEmptyIndex(open, async (index) => {
        await index.apply([put('y', [{ field, type: 'string', values: ['y'] }])]);
        for (const call of calls) await index.apply(call);
        expect(await find(index, exists(field))).toEqual(left === undefined ? ['y'] : ['x', 'y']);
        if (left !== undefined) expect(await find(index, equal(field, left))).toEqual(['x']);
      })();
    });
  });

  it(
    'ignores a put of the indexed revision with other content',
    onEmptyIndex(open, async (index) => {
      await index.apply([put('x', [{ field, type: 'string', values: ['first'] }])]);
      await index.apply([put('x', [{ field, type: 'string', values: ['second'] }], { removed: true })]);
      expect(await find(index, equal(field, 'first'))).toEqual(['x']);
    }),
  );

  it(
    'replaces the whole entry: values, type of entity and soft deletion',
    onEmptyIndex(open, async (index) => {
      const first = [
        { field, type: 'string' as const, values: ['a', 'b'] },
        { field: 'p:number', type: 'number' as const, values: [1] },
      ];
      await index.apply([put('x', first, { removed: true })]);
      await index.apply([
        put('x', [{ field, type: 'string', values: ['b'] }], { revision: 2, entityType: 'dataFlow' }),
      ]);
      const flows = { entityTypes: ['dataFlow'] };
      expect(await find(index, { kind: 'all' }, { includeRemoved: true })).toEqual([]);
      expect(await find(index, equal(field, 'a'), flows)).toEqual([]);
      expect(await find(index, exists('p:number'), flows)).toEqual([]);
      expect(await find(index, equal(field, 'b'), flows)).toEqual(['x']);
    }),
  );

  it(
    'takes no changes, repeated ones and large revisions',
    onEmptyIndex(open, async (index) => {
      await index.apply([]);
      await index.apply([putX('a', 1), putX('a', 1), putX('a', Number.MAX_SAFE_INTEGER)]);
      await index.apply([putX('a', Number.MAX_SAFE_INTEGER - 1)]);
      expect(await index.versions([urnOf('x')])).toEqual([version('x', 'a', Number.MAX_SAFE_INTEGER)]);
    }),
  );

  it(
    'answers requests that are made at once, a search with what was applied before it',
    onEmptyIndex(open, async (index) => {
      const changes = Array.from({ length: 200 }, (_, at) => putX('a', at + 1));
      const applied = index.apply(changes);
      await applied;
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => index.search(everything)),
        index.search({ ...everything, condition: equal(field, 'a.200') }),
      ]);
      expect(answers.map((answer) => answer.total)).toEqual(Array.from({ length: 21 }, () => 1));
    }),
  );

  describe('lists what it holds', () => {
    const names = ['A', 'a', 'aa', 'b', '\uffee', '😀'];
    const index = sharedIndex(open, [
      ...names.toReversed().map((name, at) => put(name, [], { incarnation: `life of ${name}`, revision: at + 1 })),
      put('gone', [], { removed: true }),
      put('flow', [], { urn: 'urn:li:dataFlow:x', entityType: 'dataFlow' }),
    ]);
    const all = ['urn:li:dataFlow:x', ...['A', 'a', 'aa', 'b', 'gone', '\uffee', '😀'].map(urnOf)];

    it('of given URNs, leaving out those it does not know', async () => {
      expect(await index().versions([])).toEqual([]);
      const found = await index().versions([urnOf('😀'), urnOf('unknown'), urnOf('gone'), urnOf('b')]);
      expect(found.toSorted((one, other) => (one.urn < other.urn ? -1 : 1))).toEqual([
        version('b', 'life of b', 3),
        version('gone', 'life1', 1),
        version('😀', 'life of 😀', 1),
      ]);
    });

    it('page by page, soft-deleted entities of all types included', async () => {
      const urns = async (after: string | undefined, limit: number) =>
        (await index().scan(after, limit)).map((hit) => hit.urn);
      expect(await urns(undefined, 100)).toEqual(all);
      expect(await urns(undefined, 3)).toEqual(all.slice(0, 3));
      expect(await urns(all[2], 3)).toEqual(all.slice(3, 6));
      expect(await urns(all.at(-1), 3)).toEqual([]);
    });

    it('answers a ping', async () => {
      await expect(index().ping()).resolves.toBeUndefined();
    });
  });
}
