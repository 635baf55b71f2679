import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { indexChangeOf } from '../../api-server/catalog/indexing/index-entry.ts';
import type { EntityDocument } from '../../api-server/store/port.ts';
import { dataset, property, TestCatalog } from './catalog.ts';
import { checkCatalogue } from './check-catalogue.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.define('p', { valueType: 'number', cardinality: 'MULTIPLE' });
  for (const name of ['a', 'b']) await catalog.dataset(name);
  await catalog.assign(dataset('a'), { p: [1, 2] });
  await catalog.index();
});
afterEach(() => catalog.close());

const problems = () => checkCatalogue(catalog.parts.store, catalog.parts.search);
const document = async (urn: string) => (await catalog.parts.store.entities.get(urn)) as EntityDocument;

describe('the checker', () => {
  it('finds nothing wrong where nothing is', async () => {
    expect(await problems()).toEqual([]);
  });

  it('finds an entry that is missing, one that is left over, and one of another version', async () => {
    const { urn, incarnation, revision } = await document(dataset('a'));
    await catalog.parts.search.apply([
      { kind: 'drop', urn, incarnation, revision: revision + 1 },
      indexChangeOf({ ...(await document(dataset('b'))), urn: dataset('c') }),
    ]);
    const found = await problems();
    expect(found).toContain(`the index lacks ${urn} ${incarnation} ${revision}`);
    expect(found).toContainEqual(expect.stringContaining(`the index has ${dataset('c')}`));
    expect(found).toContainEqual(expect.stringMatching(/^field p:\S+ has , not 1: 1, 2: 1$/u));
  });

  it('finds a wrong value and a wrong removal under a right version', async () => {
    const a = await document(dataset('a'));
    const change = indexChangeOf({ ...a, revision: a.revision + 1 });
    if (change.kind !== 'put') throw new Error('no put');
    const fields = change.entry.fields.map((field) => (field.type === 'number' ? { ...field, values: [1, 3] } : field));
    const { search, store } = catalog.parts;
    await search.apply([{ kind: 'put', entry: { ...change.entry, fields, removed: true } }]);
    await store.entities.replace({ ...a, revision: a.revision + 1 }, a);
    expect(await problems()).toEqual([
      expect.stringMatching(/^field p:\S+ has 1: 1, 3: 1, not 1: 1, 2: 1$/u),
      'searches find 3,2 (all, not removed), not 3,3',
    ]);
  });

  it('finds an assignment of an ended epoch', async () => {
    await catalog.delete(property('p'));
    await catalog.index();
    expect(await problems()).toEqual([expect.stringContaining(`${dataset('a')} holds ${property('p')} of the ended`)]);
  });
});
