import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchCondition } from '../../../../api-server/search/port.ts';
import { compileCondition } from '../../../../api-server/search/sqlite/condition-sql.ts';
import { SqliteSearchIndex } from '../../../../api-server/search/sqlite/sqlite-search-index.ts';
import { everything, put, urnOf } from '../../../contract/search/fixture.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const ATTACKS = [
  "x'; DROP TABLE search_values; --",
  "x' OR '1'='1",
  'x") OR 1=1 --',
  '?',
  '?1',
  ':field',
  '$1',
  "x\0'; DELETE FROM search_entries; --",
  '/* x',
  "search_matches('x', 0)",
  "' UNION SELECT sql FROM sqlite_schema --",
];

/** Every place in a condition where a text from outside can stand. */
const places: [what: string, condition: (text: string) => SearchCondition][] = [
  ['a field', (field) => ({ kind: 'exists', field })],
  ['a value', (value) => ({ kind: 'equal', field: 'p:a', value, fold: false })],
  ['a folded value', (value) => ({ kind: 'equal', field: 'p:a', value, fold: true })],
  [
    'the bounds of a range',
    (value) => ({
      kind: 'range',
      field: 'p:a',
      lower: { value, inclusive: true },
      upper: { value, inclusive: true },
      fold: false,
    }),
  ],
  ['a prefix', (literal) => ({ kind: 'like', field: 'p:a', pattern: [{ literal }, '*'], fold: false })],
  ['a pattern', (literal) => ({ kind: 'like', field: 'p:a', pattern: ['*', { literal }, '?', '*'], fold: true })],
];

describe('no text can become SQL', () => {
  let index: SqliteSearchIndex;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    remove = folder.remove;
    index = await SqliteSearchIndex.open({ path: join(folder.path, 'index.db') });
    await index.apply([put('x', [{ field: 'p:a', type: 'string', values: ['a'] }])]);
  });
  afterAll(async () => {
    await index.close();
    await remove();
  });

  describe.each(places)('as %s', (_what, condition) => {
    it.each(ATTACKS)('%j', async (text) => {
      const compiled = compileCondition(condition(text), 1);
      expect(compiled.text).toBe(compileCondition(condition('harmless'), 1).text);
      expect(compiled.text.split('?')).toHaveLength(compiled.parameters.length + 1);
      expect(await index.search({ ...everything, condition: condition(text) })).toEqual({ hits: [], total: 0 });
      expect((await index.search(everything)).total).toBe(1);
    });
  });

  it.each(ATTACKS)('as a type of entity or a place in the list: %j', async (text) => {
    expect((await index.search({ ...everything, entityTypes: [text] })).total).toBe(0);
    expect((await index.search({ ...everything, after: text })).total).toBe(1);
    expect(await index.versions([text])).toEqual([]);
  });

  it.each(ATTACKS)('in an entry: %j', async (text) => {
    const fields = [{ field: text, type: 'string' as const, values: [text] }];
    const entry = { urn: urnOf(text), entityType: text, incarnation: text, revision: 1, removed: false, fields };
    await index.apply([{ kind: 'put', entry }]);
    const condition: SearchCondition = { kind: 'equal', field: text, value: text, fold: false };
    const hit = { urn: urnOf(text), incarnation: text, revision: 1 };
    expect(await index.search({ ...everything, entityTypes: [text], condition })).toEqual({ hits: [hit], total: 1 });
    await index.apply([{ kind: 'drop', ...hit, revision: 2 }]);
    expect((await index.search({ ...everything, entityTypes: [text] })).total).toBe(0);
  });
});
