import { describe, expect, it } from '@jest/globals';
import type { AggregateRequest, IndexField, SearchIndex } from '../../../api-server/search/port.ts';
import type { ValueType } from '../../../model/value-type.ts';
import { equal, exists, not, type OpenIndex, onEmptyIndex, or, put, range, sharedIndex } from './fixture.ts';

const everyDataset: Omit<AggregateRequest, 'field'> = {
  entityTypes: ['dataset'],
  condition: { kind: 'all' },
  includeRemoved: false,
  limit: 1_000,
};

/** Values with their counts, as the index orders them; zero has one sign. */
async function counts(index: SearchIndex, field: string, rest: Partial<AggregateRequest> = {}) {
  const found = await index.aggregate({ ...everyDataset, ...rest, field });
  return found.map(({ value, count }): [string | number, number] => [value === 0 ? 0 : value, count]);
}

const values = (type: ValueType, ...held: (string | number)[]): IndexField => ({
  field: `p:${type}`,
  type,
  values: held,
});

/** In code-point order; engines like to count some of them as one. */
const STRINGS = [
  ...['', ' ', '  ', ' a', '*', '---', '10', '9', 'A', 'C', 'C#', 'C++', 'a', 'a\0', 'a\0b', 'a  b', 'a b', 'a,b'],
  ...['a-b', 'a`b', 'aa', 'a\u0301', `${'x'.repeat(300)}a`, `${'x'.repeat(300)}b`, 'y'.repeat(5_000)],
  ...['é', '日本', '\ue000', '\uffff', '😀', '\u{10ffff}'],
];
/** In ascending order; the last digits of some are all that differs. */
const NUMBERS = [-1e300, -(2 ** 53), -10, -9, -0.1, 0, 5e-324, 0.1 + 0.2, 9, 10, 3999.671, 3999.672, 2 ** 53, 2 ** 63];
const DAYS = [-719_162, -1, 0, 1, 20_000];

export function aggregateContract(open: OpenIndex): void {
  describe('counts the entities of each value:', () => {
    const index = sharedIndex(open, [
      put('one', [values('string', 'red'), values('number', 9), values('date', -1)]),
      put('two', [values('string', 'red', 'blue', 'red'), values('number', 10, 9, 10)]),
      put('three', [values('string', 'blue', 'green', 'red'), values('number', -0, 0), values('date', 5)]),
      put('four', [values('string', 'Red'), values('number', 0), values('date')]),
      put('nothing', []),
      put('gone', [values('string', 'red', 'black')], { removed: true }),
      put('flow', [values('string', 'red', 'white')], { urn: 'urn:li:dataFlow:flow', entityType: 'dataFlow' }),
    ]);
    const strings: [string, number][] = [
      ['red', 3],
      ['blue', 2],
      ['Red', 1],
      ['green', 1],
    ];

    it('greatest count first, then by value; a value that an entity has twice counts once', async () => {
      expect(await counts(index(), 'p:string')).toEqual(strings);
      expect(await counts(index(), 'p:number')).toEqual([
        [0, 2],
        [9, 2],
        [10, 1],
      ]);
      expect(await counts(index(), 'p:date')).toEqual([
        [-1, 1],
        [5, 1],
      ]);
    });

    it('no more values than the limit', async () => {
      for (const limit of [0, 1, 2, 3, 4, 5]) {
        expect(await counts(index(), 'p:string', { limit })).toEqual(strings.slice(0, limit));
      }
    });

    it('of entities that meet the condition, with all their values', async () => {
      expect(await counts(index(), 'p:string', { condition: equal('p:string', 'blue') })).toEqual([
        ['blue', 2],
        ['red', 2],
        ['green', 1],
      ]);
      expect(await counts(index(), 'p:string', { condition: not(exists('p:date')) })).toEqual([
        ['Red', 1],
        ['blue', 1],
        ['red', 1],
      ]);
      expect(await counts(index(), 'p:number', { condition: range('p:string', '<', 'b') })).toEqual([[0, 1]]);
      expect(await counts(index(), 'p:string', { condition: { kind: 'none' } })).toEqual([]);
    });

    it('of the types that it names, soft-deleted ones only when it asks for them', async () => {
      expect(await counts(index(), 'p:string', { entityTypes: ['dataFlow'] })).toEqual([
        ['red', 1],
        ['white', 1],
      ]);
      expect(await counts(index(), 'p:string', { includeRemoved: true, limit: 3 })).toEqual([
        ['red', 4],
        ['blue', 2],
        ['Red', 1],
      ]);
      expect(await counts(index(), 'p:string', { entityTypes: ['dataset', 'dataFlow'], limit: 1 })).toEqual([
        ['red', 4],
      ]);
    });

    it('nothing of a field that nobody has', async () => {
      expect(await counts(index(), 'p:unknown')).toEqual([]);
    });

    it('not when the condition is larger than every engine can take', async () => {
      const condition = or(...Array.from({ length: 500 }, (_, at) => equal('p:string', `${at}`)));
      await expect(counts(index(), 'p:string', { condition })).rejects.toMatchObject({ code: 'too-large' });
    });
  });

  describe.each([
    ['string', STRINGS],
    ['rich_text', STRINGS],
    ['urn', STRINGS.map((text) => `urn:li:corpuser:${text}`)],
    ['number', NUMBERS],
    ['date', DAYS],
  ] as const)('keeps apart values of type %s', (type, all) => {
    /** Each value is held by two entities, its neighbour's and its own. */
    const index = sharedIndex(
      open,
      all.map((value, at) => put(`e${at}`, [values(type, value, all[(at + 1) % all.length] ?? value)])),
    );

    it('whatever they are, in their order', async () => {
      expect(await counts(index(), `p:${type}`)).toEqual(all.map((value) => [value, 2]));
    });

    it('and gives the first of those that are equally many', async () => {
      expect(await counts(index(), `p:${type}`, { limit: 3 })).toEqual(all.slice(0, 3).map((value) => [value, 2]));
    });
  });

  it(
    'counts exactly among very many values',
    onEmptyIndex(open, async (index) => {
      const changes = Array.from({ length: 1_500 }, (_, at) =>
        put(`e${at}`, [values('string', `v${at}`, `some${at % 300}`, ...(at % 500 === 0 ? ['rare'] : []))]),
      );
      for (let from = 0; from < changes.length; from += 200) await index.apply(changes.slice(from, from + 200));
      const found = await counts(index, 'p:string', { limit: 10_000 });
      expect(found).toHaveLength(1_801);
      expect(found.slice(0, 300)).toEqual(
        Array.from({ length: 300 }, (_, at) => [`some${at}`, 5]).toSorted(([one = ''], [other = '']) =>
          one < other ? -1 : 1,
        ),
      );
      expect(found.slice(300, 302)).toEqual([
        ['rare', 3],
        ['v0', 1],
      ]);
      expect(await counts(index, 'p:string', { limit: 301 })).toEqual(found.slice(0, 301));
    }),
  );

  it(
    'follows the changes',
    onEmptyIndex(open, async (index) => {
      await index.apply([put('x', [values('string', 'a', 'b')]), put('y', [values('string', 'a')])]);
      await index.apply([put('x', [values('string', 'c')], { revision: 2 })]);
      expect(await counts(index, 'p:string')).toEqual([
        ['a', 1],
        ['c', 1],
      ]);
      await index.apply([put('y', [], { revision: 2 })]);
      expect(await counts(index, 'p:string')).toEqual([['c', 1]]);
    }),
  );
}
