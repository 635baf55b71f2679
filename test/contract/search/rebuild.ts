import { describe, expect, it } from '@jest/globals';
import type { IndexChange, IndexEntries, Rebuild, SearchIndex } from '../../../api-server/search/port.ts';
import { equal, everything, exists, find, type OpenIndex, onEmptyIndex, put, urnOf } from './fixture.ts';

const field = 'p:string';
/** A put of `name` whose value tells the revision. */
const revised = (name: string, revision: number): IndexChange =>
  put(name, [{ field, type: 'string', values: [`r${revision}`] }], { revision });
const drop = (name: string, revision: number): IndexChange => ({
  kind: 'drop',
  urn: urnOf(name),
  incarnation: 'life1',
  revision,
});

/** What is held, as `name.revision`. */
async function held(entries: IndexEntries): Promise<string[]> {
  const versions = await entries.scan(undefined, 1_000);
  return versions.map(({ urn, revision }) => `${urn.slice(urnOf('').length)}.${revision}`);
}

async function expectEnded(rebuild: Rebuild): Promise<void> {
  await expect(rebuild.apply([revised('late', 1)])).rejects.toThrow();
  await expect(rebuild.versions([urnOf('x')])).rejects.toThrow();
  await expect(rebuild.scan(undefined, 1)).rejects.toThrow();
  await expect(rebuild.fields()).rejects.toThrow();
}

export function rebuildContract(open: OpenIndex): void {
  describe('rebuilds:', () => {
    it(
      'a rebuild begins empty, and what is put into it is not found',
      onEmptyIndex(open, async (index) => {
        await index.apply([revised('x', 1), revised('y', 1)]);
        const rebuild = await index.rebuild('first');
        expect(rebuild.state).toBe('begun');
        expect(await held(rebuild)).toEqual([]);
        expect(await rebuild.fields()).toEqual([]);
        await rebuild.apply([revised('x', 1), revised('z', 3)]);
        expect(await held(rebuild)).toEqual(['x.1', 'z.3']);
        expect(await rebuild.versions([urnOf('z'), urnOf('y')])).toEqual([
          { urn: urnOf('z'), incarnation: 'life1', revision: 3 },
        ]);
        expect(await held(index)).toEqual(['x.1', 'y.1']);
        expect(await find(index, exists(field))).toEqual(['x', 'y']);
        expect(await index.versions([urnOf('z')])).toEqual([]);
      }),
    );

    it(
      'a rebuild that is asked for again is resumed with what it has',
      onEmptyIndex(open, async (index) => {
        const begun = await index.rebuild('first');
        await begun.apply([revised('x', 1)]);
        const resumed = await index.rebuild('first');
        expect(resumed.state).toBe('resumed');
        expect(await held(resumed)).toEqual(['x.1']);
        await begun.apply([revised('y', 1)]);
        expect(await held(resumed)).toEqual(['x.1', 'y.1']);
      }),
    );

    it(
      'finished, it answers in the place of the former index, and nothing of that is left',
      onEmptyIndex(open, async (index) => {
        await index.apply([revised('x', 1), revised('former', 1)]);
        const rebuild = await index.rebuild('first');
        await rebuild.apply([revised('x', 2), revised('z', 1)]);
        await rebuild.finish();
        expect(await held(index)).toEqual(['x.2', 'z.1']);
        expect(await find(index, exists(field))).toEqual(['x', 'z']);
        expect(await find(index, equal(field, 'r2'))).toEqual(['x']);
        expect(await index.aggregate({ ...everything, field })).toEqual([
          { value: 'r1', count: 1 },
          { value: 'r2', count: 1 },
        ]);
        await index.apply([revised('x', 3), drop('z', 2)]);
        expect(await find(index, exists(field))).toEqual(['x']);
      }),
    );

    it(
      'finished, it takes no more, finishes once more without harm, and says so when it is asked for again',
      onEmptyIndex(open, async (index) => {
        const rebuild = await index.rebuild('first');
        await rebuild.apply([revised('x', 1)]);
        await rebuild.finish();
        await expectEnded(rebuild);
        await rebuild.finish();
        const again = await index.rebuild('first');
        expect(again.state).toBe('finished');
        await expectEnded(again);
        await again.finish();
        await index.abandonRebuild('first');
        expect(await held(index)).toEqual(['x.1']);
      }),
    );

    it(
      'rebuilds follow one another',
      onEmptyIndex(open, async (index) => {
        for (const [at, id] of ['one', 'two', 'three'].entries()) {
          const rebuild = await index.rebuild(id);
          expect(rebuild.state).toBe('begun');
          await rebuild.apply([revised(id, at + 1)]);
          await rebuild.finish();
          expect(await held(index)).toEqual([`${id}.${at + 1}`]);
        }
      }),
    );

    it(
      'changes go to both while it is there, each by the versions held',
      onEmptyIndex(open, async (index) => {
        await index.apply([revised('before', 1), revised('newer', 5), revised('dropped', 1)]);
        const rebuild = await index.rebuild('first');
        await rebuild.apply([revised('dropped', 1)]);
        await index.apply([revised('new', 1), revised('before', 2), revised('newer', 4), drop('dropped', 2)]);
        expect(await held(index)).toEqual(['before.2', 'new.1', 'newer.5']);
        expect(await held(rebuild)).toEqual(['before.2', 'new.1', 'newer.4']);
        await rebuild.finish();
        expect(await find(index, equal(field, 'r4'))).toEqual(['newer']);
      }),
    );

    it(
      'an earlier revision that fills it does not replace a later one',
      onEmptyIndex(open, async (index) => {
        const rebuild = await index.rebuild('first');
        await index.apply([revised('x', 5)]);
        await rebuild.apply([revised('x', 3), revised('y', 1)]);
        expect(await held(rebuild)).toEqual(['x.5', 'y.1']);
        expect(await held(index)).toEqual(['x.5']);
        await rebuild.apply([revised('x', 6)]);
        expect(await held(rebuild)).toEqual(['x.6', 'y.1']);
        await rebuild.finish();
        expect(await find(index, equal(field, 'r6'))).toEqual(['x']);
      }),
    );

    it(
      'abandoned, it takes no more, and begins anew',
      onEmptyIndex(open, async (index) => {
        await index.apply([revised('x', 1)]);
        const rebuild = await index.rebuild('first');
        await rebuild.apply([revised('y', 1)]);
        await index.abandonRebuild('another');
        await rebuild.apply([revised('z', 1)]);
        await index.abandonRebuild('first');
        await expectEnded(rebuild);
        await index.abandonRebuild('first');
        await index.apply([revised('x', 2)]);
        expect(await held(index)).toEqual(['x.2']);
        const anew = await index.rebuild('first');
        expect(anew.state).toBe('begun');
        expect(await held(anew)).toEqual([]);
      }),
    );

    it(
      'another one takes its place',
      onEmptyIndex(open, async (index) => {
        await index.apply([revised('x', 1)]);
        const first = await index.rebuild('first');
        await first.apply([revised('y', 1)]);
        const second = await index.rebuild('second');
        expect(second.state).toBe('begun');
        expect(await held(second)).toEqual([]);
        await expectEnded(first);
        await index.apply([revised('z', 1)]);
        expect(await held(second)).toEqual(['z.1']);
        expect((await index.rebuild('first')).state).toBe('begun');
        await expectEnded(second);
        expect(await held(index)).toEqual(['x.1', 'z.1']);
      }),
    );

    it(
      'ids may be any text, and differ where the text does',
      onEmptyIndex(open, async (index) => {
        for (const id of ['a', 'A', 'a/b?c#d%&=', 'urn:li:job:(ä,😀)', 'x'.repeat(500), `${'x'.repeat(500)}y`]) {
          expect((await index.rebuild(id)).state).toBe('begun');
          expect((await index.rebuild(id)).state).toBe('resumed');
        }
      }),
    );

    it(
      'names of fields are kept without values, until a rebuild leaves them out',
      onEmptyIndex(open, async (index) => {
        expect(await index.fields()).toEqual([]);
        const names = ['e:B', 'e:a', 'p:a-b', 'p:a.b', 'p:a:b', 'p:aB', 'p:é', 'p:\uffee', 'p:😀'];
        const fields = names.map((name) => ({ field: name, type: 'string' as const, values: ['v'] }));
        await index.apply([put('x', fields.toReversed()), put('y', [{ field: 'p:1', type: 'number', values: [1] }])]);
        expect(await index.fields()).toEqual(['e:B', 'e:a', 'p:1', ...names.slice(2)]);
        await index.apply([put('x', fields.slice(0, 1), { revision: 2 }), drop('y', 2)]);
        expect(await index.fields()).toEqual(['e:B', 'e:a', 'p:1', ...names.slice(2)]);
        const rebuild = await index.rebuild('first');
        expect(await rebuild.fields()).toEqual([]);
        await rebuild.apply([put('x', fields.slice(0, 1), { revision: 2 })]);
        expect(await rebuild.fields()).toEqual(['e:B']);
        await index.apply([put('z', fields.slice(1, 2))]);
        expect(await rebuild.fields()).toEqual(['e:B', 'e:a']);
        await rebuild.finish();
        expect(await index.fields()).toEqual(['e:B', 'e:a']);
      }),
    );

    it(
      'every search meanwhile sees the former index or the new one, whole',
      onEmptyIndex(open, async (index) => {
        const names = Array.from({ length: 300 }, (_, at) => `e${String(at).padStart(3, '0')}`);
        await applyAll(
          index,
          names.map((name) => revised(name, 1)),
        );
        const rebuild = await index.rebuild('first');
        await applyAll(
          rebuild,
          names.slice(50).map((name) => revised(name, 2)),
        );
        const finished = rebuild.finish().then(() => 'finished');
        const totals: number[] = [];
        for (let outcome = ''; outcome === ''; outcome = await Promise.race([finished, ''])) {
          const { hits, total } = await index.search({ ...everything, limit: 400 });
          expect(hits).toHaveLength(total);
          expect(new Set(hits.map(({ revision }) => revision)).size).toBe(1);
          totals.push(total);
        }
        expect([300, 250]).toEqual(expect.arrayContaining(totals));
        expect(totals).toEqual(totals.toSorted((one, other) => other - one));
        expect((await index.search(everything)).total).toBe(250);
      }),
    );
  });

  describe('rebuilds with a second process on the same data:', () => {
    /** A second index, or nothing where the engine allows one only. */
    const withSecond = (test: (index: SearchIndex, second: SearchIndex) => Promise<void>) =>
      onEmptyIndex(open, async (index, { again }) => {
        if (again !== undefined) await test(index, await again());
      });

    it(
      'what either applies goes to both indexes, whoever began',
      withSecond(async (index, second) => {
        await index.apply([revised('x', 1)]);
        await second.apply([revised('y', 1)]);
        const rebuild = await index.rebuild('first');
        await second.apply([revised('y', 2)]);
        await index.apply([revised('x', 2)]);
        const resumed = await second.rebuild('first');
        expect(resumed.state).toBe('resumed');
        await resumed.apply([revised('z', 1)]);
        expect(await held(rebuild)).toEqual(['x.2', 'y.2', 'z.1']);
        expect(await held(second)).toEqual(['x.2', 'y.2']);
      }),
    );

    it(
      'finished by one, it answers in both',
      withSecond(async (index, second) => {
        await second.apply([revised('x', 1)]);
        const rebuild = await index.rebuild('first');
        const resumed = await second.rebuild('first');
        await resumed.apply([revised('y', 7)]);
        await rebuild.finish();
        expect(await held(second)).toEqual(['y.7']);
        expect(await find(second, equal(field, 'r7'))).toEqual(['y']);
        await expectEnded(resumed);
        await resumed.finish();
        expect((await second.rebuild('first')).state).toBe('finished');
        await second.apply([revised('z', 1)]);
        expect(await held(index)).toEqual(['y.7', 'z.1']);
      }),
    );

    it(
      'abandoned by one, it takes nothing from the other',
      withSecond(async (index, second) => {
        const rebuild = await index.rebuild('first');
        await rebuild.apply([revised('x', 1)]);
        await second.abandonRebuild('first');
        await expectEnded(rebuild);
        await index.apply([revised('y', 1)]);
        expect(await held(second)).toEqual(['y.1']);
      }),
    );
  });
}

async function applyAll(entries: IndexEntries, changes: readonly IndexChange[]): Promise<void> {
  for (let from = 0; from < changes.length; from += 100) await entries.apply(changes.slice(from, from + 100));
}
