import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { allEntities, allRecords, namedEntities } from '../../../api-server/store/pages.ts';
import type { Store } from '../../../api-server/store/port.ts';
import { dataset, override, TestCatalog } from '../../harness/catalog.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

let catalog: TestCatalog;
/** Has one thing in each of its answers. */
let store: Store;

beforeEach(async () => {
  catalog = await TestCatalog.open();
  const { entities, records } = catalog.parts.store;
  store = override(catalog.parts.store, {
    entities: override(entities, {
      getMany: (urns) => entities.getMany(urns, 1),
      list: (request) => entities.list({ ...request, limit: 1 }),
    }),
    records: override(records, { list: (kind, after) => records.list(kind, after, 1) }),
  });
});
afterEach(() => catalog.close());

const urnsOf = async (documents: AsyncIterable<{ readonly urn: string }>) =>
  await Array.fromAsync(documents, ({ urn }) => urn);

describe('what is read page by page is read to the last, however little one answer holds:', () => {
  beforeEach(async () => {
    for (const name of NAMES) await catalog.dataset(name);
  });

  it('all documents', async () => {
    expect(await urnsOf(allEntities(store))).toEqual(NAMES.map(dataset));
    expect(await urnsOf(allEntities(store, { entityType: 'dataset', after: dataset('b') }))).toEqual(
      ['c', 'd', 'e'].map(dataset),
    );
  });

  it('documents that are named, those that there are', async () => {
    const named = ['e', 'none', 'a', 'd', 'a', 'b', 'nothing', 'c'].map(dataset);
    expect(await urnsOf(namedEntities(store.entities, named))).toEqual(['e', 'a', 'd', 'b', 'c'].map(dataset));
  });

  it('records', async () => {
    for (const id of NAMES) await catalog.parts.store.records.put('thing', id, {}, undefined);
    const ids = await Array.fromAsync(allRecords(store, 'thing', 'a'), ({ id }) => id);
    expect(ids).toEqual(NAMES.slice(1));
  });
});
