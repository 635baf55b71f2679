import { afterAll, beforeAll, expect } from '@jest/globals';
import type {
  IndexChange,
  IndexEntry,
  IndexField,
  SearchCondition,
  SearchIndex,
  SearchRequest,
} from '../../../api-server/search/port.ts';

export interface OpenedIndex {
  readonly index: SearchIndex;
  /** Another index object on the same data, as a second process has it; absent where the engine allows one only. */
  again?(): Promise<SearchIndex>;
  /** Closes `index` and what `again` gave. */
  close(): Promise<void>;
}

export type OpenIndex = () => Promise<OpenedIndex>;

/** An index for all tests of the surrounding block, holding what `changes` put into it. */
export function sharedIndex(open: OpenIndex, changes: readonly IndexChange[]): () => SearchIndex {
  let opened: OpenedIndex;
  beforeAll(async () => {
    opened = await open();
    for (let from = 0; from < changes.length; from += 200) await opened.index.apply(changes.slice(from, from + 200));
  });
  afterAll(() => opened.close());
  return () => opened.index;
}

/** Runs a test on an empty index of its own. */
export function onEmptyIndex(
  open: OpenIndex,
  test: (index: SearchIndex, opened: OpenedIndex) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const opened = await open();
    try {
      await test(opened.index, opened);
    } finally {
      await opened.close();
    }
  };
}

export function urnOf(name: string): string {
  return `urn:li:dataset:${name}`;
}

/** A put of the dataset `name`; whatever is not said is ordinary. */
export function put(name: string, fields: readonly IndexField[], rest: Partial<IndexEntry> = {}): IndexChange {
  const ordinary = { urn: urnOf(name), entityType: 'dataset', incarnation: 'life1', revision: 1, removed: false };
  return { kind: 'put', entry: { ...ordinary, fields, ...rest } };
}

export const everything: SearchRequest = {
  entityTypes: ['dataset'],
  condition: { kind: 'all' },
  includeRemoved: false,
  order: 'ascending',
  limit: 1_000,
};

/** Names of the datasets that a search finds, in its order; checks the total on the way. */
export async function find(index: SearchIndex, condition: SearchCondition, rest: Partial<SearchRequest> = {}) {
  const { hits, total } = await index.search({ ...everything, condition, ...rest });
  expect(total).toBe(hits.length);
  return hits.map((hit) => hit.urn.slice(urnOf('').length));
}

/** Checks that a condition finds exactly these of all datasets, and that its negation finds exactly the others. */
export async function expectFound(index: SearchIndex, condition: SearchCondition, names: readonly string[]) {
  const all = await find(index, { kind: 'all' });
  expect(await find(index, condition)).toEqual(all.filter((name) => names.includes(name)));
  expect(await find(index, { kind: 'not', of: condition })).toEqual(all.filter((name) => !names.includes(name)));
  expect(all).toEqual(expect.arrayContaining([...names]));
}

export const equal = (field: string, value: string | number, fold = false): SearchCondition => ({
  kind: 'equal',
  field,
  value,
  fold,
});
export const exists = (field: string): SearchCondition => ({ kind: 'exists', field });
export const and = (...of: SearchCondition[]): SearchCondition => ({ kind: 'and', of });
export const or = (...of: SearchCondition[]): SearchCondition => ({ kind: 'or', of });
export const not = (of: SearchCondition): SearchCondition => ({ kind: 'not', of });
export const like = (
  field: string,
  pattern: Extract<SearchCondition, { kind: 'like' }>['pattern'],
  fold = false,
): SearchCondition => ({ kind: 'like', field, pattern, fold });

const COMPARISONS = {
  '>': ['lower', false],
  '>=': ['lower', true],
  '<': ['upper', false],
  '<=': ['upper', true],
} as const;

/** A range of one or both bounds: `range('p:n', '>=', 1, '<', 5)`. */
export function range(
  field: string,
  ...bounds: (keyof typeof COMPARISONS | string | number | { fold: boolean })[]
): SearchCondition {
  let condition: Extract<SearchCondition, { kind: 'range' }> = { kind: 'range', field, fold: false };
  for (let at = 0; at + 1 < bounds.length; at += 2) {
    const [side, inclusive] = COMPARISONS[bounds[at] as keyof typeof COMPARISONS];
    condition = { ...condition, [side]: { value: bounds[at + 1], inclusive } };
  }
  return condition;
}
