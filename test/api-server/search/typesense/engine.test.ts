import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IndexField, SearchCondition } from '../../../../api-server/search/port.ts';
import { SCHEMA_VERSION } from '../../../../api-server/search/typesense/schema.ts';
import { generationTerm } from '../../../../api-server/search/typesense/terms.ts';
import {
  and,
  equal,
  everything,
  exists,
  find,
  like,
  not,
  or,
  put,
  range,
  urnOf,
} from '../../../contract/search/fixture.ts';
import { compareText, MemorySearchIndex } from '../../../harness/memory-search-index.ts';
import {
  openTypesenseIndex,
  type TypesenseIndex,
  typesenseCollections,
  typesenseRequest,
} from '../../../harness/typesense-index.ts';
import { typesensePart } from '../../../harness/typesense-server.ts';

const part = await typesensePart();
const field = 'p:string';
const strings = (...values: string[]): IndexField[] => [{ field, type: 'string', values }];

if ('missing' in part) {
  describe.skip(`Typesense: ${part.missing}`, () => {
    it('takes whatever there is', () => {});
  });
} else {
  describe('the Typesense index', () => promises(part.address));
}

function promises(url: string): void {
  const onIndex = (test: (opened: TypesenseIndex) => Promise<void>) => async () => {
    const opened = await openTypesenseIndex(url);
    try {
      await test(opened);
    } finally {
      await opened.close();
    }
  };

  it(
    'reads nothing that it is given as a part of its own language',
    onIndex(async ({ index }) => {
      const nasty = ['`', '``', '`]', ']', '[', ')', '(', '&&', '||', ' && ', '`] || terms:!=[x', ':=', ':', ',', '\\'];
      const more = ['..', '*', '!=', '"', "'", '{', '}', '$', '#', '%00', '\n', '\0', '-', '_', 'id:*', '.*', '/', '?'];
      const all = [...nasty, ...more];
      for (const [at, text] of all.entries()) {
        const change = put(text, [{ field: `p:${text}`, type: 'string', values: [text] }], { incarnation: text });
        await index.apply([change, put(`number ${at}`, [{ field: `e:${text}`, type: 'number', values: [at] }])]);
      }
      for (const [at, text] of all.entries()) {
        const name = `p:${text}`;
        const [one, number] = [[text], [`number ${at}`]];
        for (const fold of [false, true]) {
          expect(await find(index, equal(name, text, fold))).toEqual(one);
          expect(await find(index, like(name, [{ literal: text }, '*'], fold))).toEqual(one);
          expect(await find(index, like(name, ['*', { literal: text }], fold))).toEqual(one);
          expect(await find(index, { ...range(name, '>=', text, '<=', text), fold } as SearchCondition)).toEqual(one);
        }
        expect(await find(index, exists(name))).toEqual(one);
        expect((await index.search({ ...everything, condition: not(exists(name)) })).total).toBe(2 * all.length - 1);
        expect(await find(index, range(`e:${text}`, '>=', at))).toEqual(number);
        expect(await find(index, and(exists(`e:${text}`), not(range(`e:${text}`, '<', at))))).toEqual(number);
        expect(await index.aggregate({ ...everything, field: name })).toEqual([{ value: text, count: 1 }]);
        expect(await find(index, { kind: 'all' }, { entityTypes: [text] })).toEqual([]);
        expect(await index.versions([urnOf(text)])).toEqual([{ urn: urnOf(text), incarnation: text, revision: 1 }]);
      }
      const names = all.flatMap((text) => [`e:${text}`, `p:${text}`]);
      expect(await index.fields()).toEqual(names.toSorted(compareText));
    }),
  );

  it(
    'refuses a condition that more values meet than the limit, and counts only those that meet it',
    onIndex(async ({ again }) => {
      const index = await again({ maxMatchingValues: 3 });
      const numbers = [1, 2, 3, 4, 5].map((value) =>
        put(`n${value}`, [{ field: 'p:number', type: 'number', values: [value] }]),
      );
      await index.apply([...['a1', 'a2', 'a3', 'b1'].map((value) => put(value, strings(value))), ...numbers]);
      expect(await find(index, like(field, [{ literal: 'a' }, '*']))).toEqual(['a1', 'a2', 'a3']);
      expect(await find(index, range(field, '<', 'b'))).toEqual(['a1', 'a2', 'a3']);
      expect(await find(index, not(range('p:number', '>', 0)))).toEqual(['a1', 'a2', 'a3', 'b1']);
      expect(await find(index, like(field, ['*', { literal: '1' }]))).toEqual(['a1', 'b1']);
      const every = like(field, ['*']);
      for (const condition of [every, not(every), range(field, '>', 'a'), and(equal(field, 'none'), every)]) {
        await expect(index.search({ ...everything, condition })).rejects.toMatchObject({ code: 'too-large' });
      }
    }),
  );

  it(
    'gives pages of any size, also of URNs that start with the same thousand bytes',
    onIndex(async ({ index }) => {
      const long = 'x'.repeat(1_000);
      const names = [
        ...Array.from({ length: 700 }, (_, at) => `(urn:li:dataPlatform:hive,a.long.name.of.a.schema.table${at},PROD)`),
        ...Array.from({ length: 300 }, (_, at) => `${long}${at}`),
        ...['', 'a', '\0'].flatMap((end) => [880, 885, 886, 900, 2_000].map((size) => 'y'.repeat(size) + end)),
        long,
        `${long}${'z'.repeat(20_000)}`,
        `${long}${'z'.repeat(20_000)}z`,
      ].toSorted(compareText);
      const changes = names.toReversed().map((name) => put(name, []));
      for (let from = 0; from < changes.length; from += 250) await index.apply(changes.slice(from, from + 250));
      const urns = names.map(urnOf);
      for (const order of ['ascending', 'descending'] as const) {
        for (const limit of [17, 250, 600, 2_000]) {
          const found: string[] = [];
          for (;;) {
            const after = found.at(-1);
            const { hits, total } = await index.search({ ...everything, order, limit, ...(after && { after }) });
            expect(total).toBe(urns.length);
            if (hits.length === 0) break;
            expect(hits).toHaveLength(Math.min(limit, urns.length - found.length));
            found.push(...hits.map((hit) => hit.urn));
          }
          expect(found).toEqual(order === 'ascending' ? urns : urns.toReversed());
        }
      }
    }),
  );

  it(
    'finds the same as the memory model where a condition does not fit into one filter',
    onIndex(async ({ index }) => {
      const memory = new MemorySearchIndex();
      const changes = Array.from({ length: 60 }, (_, at) =>
        put(`e${at}`, [
          ...strings(`v${at % 7}`, `w${at % 11}`),
          { field: 'p:number', type: 'number', values: [at % 13, -at] },
          ...(at % 3 === 0 ? [{ field: 'p:third', type: 'string' as const, values: [`t${at}`] }] : []),
        ]),
      );
      for (const one of [index, memory]) await one.apply(changes);
      await fc.assert(
        fc.asyncProperty(largeCondition, async (condition) => {
          const request = { ...everything, condition };
          expect(await index.search(request)).toEqual(await memory.search(request));
        }),
        { numRuns: 25 },
      );
    }),
  );

  it(
    'keeps what it holds when it is opened again, and shows it to every process',
    onIndex(async ({ index, again }) => {
      await index.apply([put('x', strings('v'))]);
      const others = await Promise.all(Array.from({ length: 4 }, () => again()));
      await others[0]?.apply([put('y', strings('v'))]);
      for (const other of [index, ...others]) expect(await find(other, equal(field, 'v'))).toEqual(['x', 'y']);
    }),
  );

  it(
    'can be opened many times at once when there is nothing yet',
    onIndex(async ({ again }) => {
      const prefix = `test-${Date.now()}-many`;
      const indexes = await Promise.all(Array.from({ length: 6 }, () => again({ prefix })));
      await Promise.all(indexes.map((index, at) => index.apply([put(`x${at}`, strings('v'))])));
      for (const index of indexes) expect((await index.search(everything)).total).toBe(6);
      const collections = await typesenseCollections(url, prefix);
      expect(collections).toHaveLength(2);
      await Promise.all(collections.map((name) => typesenseRequest(url, 'DELETE', `/collections/${name}`)));
      await typesenseRequest(url, 'DELETE', `/aliases/${prefix}_v${SCHEMA_VERSION}_current`);
    }),
  );

  it(
    'tells which documents were refused, and why',
    onIndex(async ({ index }) => {
      const broken = put('y', strings('v'), { revision: 1, urn: null as unknown as string });
      await expect(index.apply([put('x', strings('v')), broken])).rejects.toThrow();
      await index.apply([put('x', strings('v'), { revision: 2 })]);
      expect(await find(index, equal(field, 'v'))).toEqual(['x']);
    }),
  );

  it(
    'begins anew, empty, when its collections are gone',
    onIndex(async ({ index, prefix }) => {
      await index.apply([put('x', [...strings('v'), { field: 'p:number', type: 'number', values: [1] }])]);
      expect(await find(index, range('p:number', '>', 0))).toEqual(['x']);
      const lose = async () => {
        for (const name of await typesenseCollections(url, prefix)) {
          await typesenseRequest(url, 'DELETE', `/collections/${name}`);
        }
      };
      await lose();
      expect(await find(index, range('p:number', '>', 0))).toEqual([]);
      await lose();
      await index.apply([put('x', strings('v'))]);
      expect(await find(index, equal(field, 'v'))).toEqual(['x']);
      await lose();
      await index.ping();
      expect(await index.scan(undefined, 10)).toEqual([]);
    }),
  );

  describe('after a crash', () => {
    const generation = generationTerm('rebuild', 'first');
    const names = (prefix: string) =>
      ['entries', 'values'].map((what) => `${prefix}_v${SCHEMA_VERSION}_${what}_${generation}`);
    const alias = (name: string, prefix: string) =>
      typesenseRequest(url, 'PUT', `/aliases/${prefix}_v${SCHEMA_VERSION}_${name}`, {
        collection_name: names(prefix)[0],
      });

    it(
      'at the begin of a rebuild, begins it again',
      onIndex(async ({ index, prefix }) => {
        await alias('rebuild', prefix);
        await index.apply([put('x', strings('v'))]);
        const rebuild = await index.rebuild('first');
        expect(rebuild.state).toBe('begun');
        await rebuild.apply([put('x', strings('v'))]);
        await rebuild.finish();
        expect(await find(index, equal(field, 'v'))).toEqual(['x']);
      }),
    );

    it(
      'while a rebuild was abandoned, begins it again, empty',
      onIndex(async ({ index, prefix }) => {
        await (await index.rebuild('first')).apply([put('x', strings('v'))]);
        await typesenseRequest(url, 'DELETE', `/collections/${names(prefix)[0]}`);
        await index.apply([put('y', strings('v'))]);
        const rebuild = await index.rebuild('first');
        expect(rebuild.state).toBe('begun');
        expect(await rebuild.scan(undefined, 10)).toEqual([]);
      }),
    );

    it(
      'just after the new index took the place of the former one, goes on with it and drops what is left',
      onIndex(async ({ index, again, prefix }) => {
        await index.apply([put('former', strings('v'))]);
        await (await index.rebuild('first')).apply([put('x', strings('v'))]);
        await alias('current', prefix);
        expect(await find(index, equal(field, 'v'))).toEqual(['x']);
        const rebuild = await index.rebuild('first');
        expect(rebuild.state).toBe('finished');
        await rebuild.finish();
        await index.apply([put('y', strings('v'))]);
        expect(await typesenseCollections(url, prefix)).toHaveLength(4);
        expect(await find(await again(), equal(field, 'v'))).toEqual(['x', 'y']);
        expect((await typesenseCollections(url, prefix)).toSorted()).toEqual(names(prefix).toSorted());
        expect((await index.rebuild('second')).state).toBe('begun');
      }),
    );

    it(
      'a finished rebuild leaves no collections behind, also none of an earlier schema',
      onIndex(async ({ index, prefix }) => {
        const earlier = `${prefix}_v0_entries_${generation}`;
        await typesenseRequest(url, 'POST', '/collections', { name: earlier, fields: [{ name: 'a', type: 'string' }] });
        const rebuild = await index.rebuild('first');
        expect(await typesenseCollections(url, prefix)).toContain(earlier);
        await rebuild.finish();
        expect((await typesenseCollections(url, prefix)).toSorted()).toEqual(names(prefix).toSorted());
      }),
    );
  });
}

const leaf: fc.Arbitrary<SearchCondition> = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((at) => equal(field, `v${at}`)),
  fc.integer({ min: 0, max: 12 }).map((at) => equal('p:number', at)),
  fc.integer({ min: -20, max: 12 }).map((at) => range('p:number', '>=', at, '<', at + 3)),
  fc.constantFrom(exists('p:third'), like(field, ['*', { literal: '3' }]), range(field, '<', 'v3')),
);
/** Trees of up to 500 nodes, most of them too large for one filter. */
const largeCondition = fc
  .array(fc.tuple(fc.array(fc.tuple(leaf, fc.boolean()), { minLength: 1, maxLength: 5 }), fc.boolean()), {
    minLength: 20,
    maxLength: 45,
  })
  .chain((groups) =>
    fc.boolean().map((isOr): SearchCondition => {
      const parts = groups.map(([leaves, negated]) => {
        const of = leaves.map(([one, isNot]) => (isNot ? not(one) : one));
        const group = isOr ? and(...of) : or(...of);
        return negated ? not(group) : group;
      });
      return isOr ? or(...parts) : and(...parts);
    }),
  );
