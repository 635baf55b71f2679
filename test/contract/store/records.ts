import { describe, expect, it } from '@jest/globals';
import { type OpenStore, onEmptyStore } from './fixture.ts';

export function recordContract(open: OpenStore): void {
  describe('a record', () => {
    it(
      'is returned as it was put',
      onEmptyStore(open, async ({ store: { records } }) => {
        const body = { text: 'é 😀 "\\', numbers: [0, -1.5, 1e300], nothing: null, 'a.b': { $x: [] }, flag: true };
        const revision = await records.put('kind', 'id', body, undefined);
        expect(await records.get('kind', 'id')).toEqual({ id: 'id', revision, body });
        expect(await records.get('kind', 'other')).toBeUndefined();
        expect(await records.get('other', 'id')).toBeUndefined();
      }),
    );

    it(
      'may be of many megabytes, nested deeply, and of any text',
      onEmptyStore(open, async ({ store: { records } }) => {
        let deep: unknown = '\0';
        for (let level = 0; level < 500; level += 1) deep = { $in: deep };
        const body = { deep, text: 'ä'.repeat(5_500_000) };
        await records.put('kind', 'id', body, undefined);
        expect((await records.get('kind', 'id'))?.body).toEqual(body);
      }),
    );

    it(
      'belongs to its kind, also when kinds begin alike',
      onEmptyStore(open, async ({ store: { records } }) => {
        const keys = [
          ['kind', 's/a'],
          ['kinds', '/a'],
          ['kinds/', 'a'],
          ['kin', 'ds/a'],
        ] as const;
        for (const [kind, id] of keys) expect(await records.put(kind, id, kind, undefined)).toEqual(expect.any(String));
        for (const [kind, id] of keys) {
          const found = await records.list(kind, undefined, 10);
          expect(found.map((record) => [record.id, record.body])).toEqual([[id, kind]]);
        }
      }),
    );

    it(
      'is written only in the revision that the writer knows',
      onEmptyStore(open, async ({ store: { records } }) => {
        expect(await records.put('kind', 'id', 0, 'never')).toBeUndefined();
        const first = await records.put('kind', 'id', 1, undefined);
        expect(first).toEqual(expect.any(String));
        expect(await records.put('kind', 'id', 2, undefined)).toBeUndefined();
        const second = await records.put('kind', 'id', 2, first);
        expect(second).toEqual(expect.any(String));
        expect(await records.put('kind', 'id', 3, first)).toBeUndefined();
        expect(await records.get('kind', 'id')).toEqual({ id: 'id', revision: second, body: 2 });
      }),
    );

    it(
      'is deleted only in the revision that the caller knows',
      onEmptyStore(open, async ({ store: { records } }) => {
        const first = (await records.put('kind', 'id', 1, undefined)) ?? '';
        const second = (await records.put('kind', 'id', 2, first)) ?? '';
        expect(await records.delete('kind', 'id', first)).toBe(false);
        expect(await records.delete('other', 'id', second)).toBe(false);
        expect(await records.delete('kind', 'id', second)).toBe(true);
        expect(await records.delete('kind', 'id', second)).toBe(false);
        expect(await records.get('kind', 'id')).toBeUndefined();
        expect(await records.put('kind', 'id', 3, second)).toBeUndefined();
      }),
    );

    it(
      'never gets a revision again, neither with the same body nor after a deletion',
      onEmptyStore(open, async ({ store: { records } }) => {
        const seen: (string | undefined)[] = [];
        for (let round = 0; round < 5; round += 1) {
          const made = await records.put('kind', 'id', 'same', undefined);
          const again = await records.put('kind', 'id', 'same', made);
          seen.push(made, again);
          await records.delete('kind', 'id', again ?? '');
        }
        expect(new Set(seen).size).toBe(10);
        expect(seen).not.toContain(undefined);
      }),
    );

    it(
      'has one winner when many write it at once',
      onEmptyStore(open, async ({ store: { records } }) => {
        let known: string | undefined;
        for (let round = 0; round < 5; round += 1) {
          const writers = Array.from({ length: 30 }, (_, index) => `${round}/${index}`);
          const expected = known;
          const revisions = await Promise.all(writers.map((body) => records.put('kind', 'id', body, expected)));
          const won = revisions.filter((revision) => revision !== undefined);
          expect(won).toHaveLength(1);
          known = won[0];
          expect(await records.get('kind', 'id')).toEqual({
            id: 'id',
            revision: known,
            body: writers[revisions.indexOf(known)],
          });
        }
        const deletions = await Promise.all(
          Array.from({ length: 10 }, () => records.delete('kind', 'id', known ?? '')),
        );
        expect(deletions.filter(Boolean)).toHaveLength(1);
      }),
    );

    it(
      'is listed with those of its kind, by id, in pages',
      onEmptyStore(open, async ({ store: { records } }) => {
        const ids = ['b', '😀', '\ue000', 'a/b', 'a', 'B', 'é'];
        for (const id of ids) await records.put('kind', id, { id }, undefined);
        await records.put('kind2', 'c', {}, undefined);
        const sorted = ['B', 'a', 'a/b', 'b', 'é', '\ue000', '😀'];
        expect((await records.list('kind', undefined, 100)).map(({ id }) => id)).toEqual(sorted);
        const all: string[] = [];
        for (;;) {
          const page = await records.list<{ id: string }>('kind', all.at(-1), 2);
          if (page.length === 0) break;
          expect(page.length).toBeLessThanOrEqual(2);
          for (const { id, revision, body } of page) {
            expect(body).toEqual({ id });
            expect(await records.get('kind', id)).toEqual({ id, revision, body });
            all.push(id);
          }
        }
        expect(all).toEqual(sorted);
        expect(await records.list('none', undefined, 10)).toEqual([]);
      }),
    );
  });
}
