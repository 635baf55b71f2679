import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type {
  AggregateRequest,
  IndexChange,
  SearchCondition,
  SearchIndex,
  SearchRequest,
} from '../../../api-server/search/port.ts';
import { parseQuery } from '../../../model/query/parse.ts';
import { printQuery } from '../../../model/query/print.ts';
import type { OpenedIndex, OpenIndex } from '../../contract/search/fixture.ts';
import { onEachSearchIndex } from '../../harness/each-search-index.ts';
import { MemorySearchIndex } from '../../harness/memory-search-index.ts';
import { anyQueryNode, withSpans } from '../../harness/query-nodes.ts';
import {
  queryNames,
  resolveQuery,
  someChange,
  someCondition,
  someNumber,
  someText,
  someUrn,
} from '../../harness/search-arbitraries.ts';

/** Catalogues to try; a soak run asks for more. */
const allRuns = Number(process.env.PROPLANE_AGREEMENT_RUNS ?? 300);

/** Batches of changes: an index is the outcome of its history. */
const history = fc.array(fc.array(someChange, { minLength: 3, maxLength: 8 }), { minLength: 1, maxLength: 4 });
const howToAsk: fc.Arbitrary<Omit<SearchRequest, 'condition' | 'after'> & { after: string | undefined }> = fc.record({
  entityTypes: fc.constantFrom(['dataset'], ['dataset', 'dataFlow'], ['chart']),
  includeRemoved: fc.boolean(),
  order: fc.constantFrom('ascending', 'descending'),
  after: fc.option(someUrn, { nil: undefined }),
  limit: fc.integer({ min: 0, max: 10 }),
});
const someFieldName = fc.constantFrom('p:string', 'p:number', 'p:date', 'p:rich', 'p:urn', 'p:unknown');
const queries = anyQueryNode(
  fc.oneof({ arbitrary: fc.constantFrom(...Object.keys(queryNames)), weight: 9 }, fc.constant('unknown')),
  fc.oneof(someText, someNumber.map(String)),
);

await onEachSearchIndex(allRuns, agreeWithMemory);

function agreeWithMemory(name: string, runs: number, open: OpenIndex): void {
  describe(`${name} and the memory model agree on`, () => {
    let opened: OpenedIndex;
    let index: SearchIndex;
    beforeAll(async () => {
      opened = await open();
      index = opened.index;
    });
    afterAll(() => opened.close());

    /** Both indexes with the same history behind them. */
    async function replay(batches: readonly (readonly IndexChange[])[]): Promise<MemorySearchIndex> {
      const leftovers = await index.scan(undefined, 1_000);
      await index.apply(leftovers.map((found) => ({ ...found, kind: 'drop', revision: found.revision + 1 })));
      expect(await index.scan(undefined, 1)).toEqual([]);
      const memory = new MemorySearchIndex();
      for (const batch of batches) {
        await index.apply(batch);
        await memory.apply(batch);
      }
      return memory;
    }

    async function expectSame(memory: MemorySearchIndex, request: SearchRequest): Promise<void> {
      expect(await index.search(request)).toEqual(await memory.search(request));
    }

    it('what is left after any history', async () => {
      await fc.assert(
        fc.asyncProperty(history, fc.option(someUrn, { nil: undefined }), async (batches, after) => {
          const memory = await replay(batches);
          expect(await index.scan(after, 5)).toEqual(await memory.scan(after, 5));
        }),
        { numRuns: Math.ceil(runs / 3) },
      );
    });

    it('what meets any condition, on any page', async () => {
      const questions = fc.array(fc.tuple(someCondition, howToAsk), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(history, questions, async (batches, asked) => {
          const memory = await replay(batches);
          for (const [condition, how] of asked) await expectSame(memory, requestOf(condition, how));
        }),
        { numRuns: runs },
      );
    });

    it('what meets any query text', async () => {
      const questions = fc.array(fc.tuple(queries, howToAsk), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(history, questions, async (batches, asked) => {
          const memory = await replay(batches);
          for (const [node, how] of asked) {
            const condition = resolveQuery(parseQuery(printQuery(withSpans(node))));
            await expectSame(memory, requestOf(condition, how));
          }
        }),
        { numRuns: runs },
      );
    });

    it('how many have each value of any field, where any condition is met', async () => {
      const questions = fc.array(fc.tuple(someCondition, howToAsk, someFieldName), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(history, questions, async (batches, asked) => {
          const memory = await replay(batches);
          for (const [condition, { entityTypes, includeRemoved, limit }, field] of asked) {
            const request = { entityTypes, includeRemoved, limit, condition, field };
            expect(await counts(index, request)).toEqual(await counts(memory, request));
          }
        }),
        { numRuns: Math.ceil(runs / 3) },
      );
    });
  });
}

/** Zero has one sign. */
async function counts(index: SearchIndex, request: AggregateRequest): Promise<[string | number, number][]> {
  const found = await index.aggregate(request);
  return found.map(({ value, count }) => [value === 0 ? 0 : value, count]);
}

function requestOf(
  condition: SearchCondition,
  { after, ...how }: Omit<SearchRequest, 'condition' | 'after'> & { after: string | undefined },
): SearchRequest {
  return { ...how, condition, ...(after !== undefined && { after }) };
}
