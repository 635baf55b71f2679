import { describe, expect, it } from '@jest/globals';
import { MAX_CONDITION_NODES, type SearchCondition } from '../../../api-server/search/port.ts';
import { and, equal, everything, find, like, not, type OpenIndex, or, put, range, sharedIndex } from './fixture.ts';

const field = 'p:string';
const leaf = (at: number): SearchCondition =>
  [equal(field, `v${at}`), range(field, '>=', `v${at}`, '<', `v${at}a`), like(field, ['*', { literal: `${at}` }])][
    at % 3
  ]!;
const leaves = (count: number) => Array.from({ length: count }, (_, at) => leaf(at));

/** Conditions of `size` nodes that hold for `v7`, in every shape. */
const shapes: Record<string, (size: number) => SearchCondition> = {
  'a long or': (size) => or(...leaves(size - 1)),
  'a long and': (size) => not(and(...leaves(size - 2))),
  'a chain of or in and': (size) => chain(size, true),
  'a chain of negations': (size) => chainOfNot(size),
};

/** leaf or (leaf' and (leaf or …)) where each leaf' holds: two nodes a step. */
function chain(size: number, either: boolean): SearchCondition {
  if (size < 3) return size === 1 ? equal(field, 'v7') : not(equal(field, 'v8'));
  return either ? or(equal(field, `w${size}`), chain(size - 2, false)) : and(equal(field, 'v7'), chain(size - 2, true));
}

function chainOfNot(size: number): SearchCondition {
  let condition: SearchCondition = size % 2 === 1 ? equal(field, 'v7') : equal(field, 'v8');
  for (let nodes = 1; nodes < size; nodes++) condition = not(condition);
  return condition;
}

export function conditionSizeContract(open: OpenIndex): void {
  describe(`answers conditions of up to ${MAX_CONDITION_NODES} nodes and refuses larger ones:`, () => {
    const index = sharedIndex(open, [
      put('seven', [{ field, type: 'string', values: ['v7'] }]),
      put('nothing', [{ field: 'p:other', type: 'string', values: ['v7'] }]),
    ]);

    it.each(Object.entries(shapes))('%s', async (_shape, build) => {
      expect(await find(index(), build(MAX_CONDITION_NODES))).toContain('seven');
      await expect(index().search({ ...everything, condition: build(MAX_CONDITION_NODES + 1) })).rejects.toMatchObject({
        code: 'too-large',
      });
    });

    it('however deep they are', async () => {
      await expect(index().search({ ...everything, condition: chainOfNot(100_000) })).rejects.toMatchObject({
        code: 'too-large',
      });
    });

    it('and goes on answering', async () => {
      expect(await find(index(), equal(field, 'v7'))).toEqual(['seven']);
    });
  });
}
