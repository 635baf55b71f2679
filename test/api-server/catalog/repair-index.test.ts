import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { indexChangeOf } from '../../../api-server/catalog/indexing/index-entry.ts';
import { repairIndex } from '../../../api-server/catalog/indexing/repair-index.ts';
import { StoreError } from '../../../api-server/store/errors.ts';
import { dataset, override, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  for (const name of ['a', 'b', 'c']) await catalog.dataset(name);
  await catalog.index();
});
afterEach(() => catalog.close());

const repair = () => repairIndex(catalog.parts, async () => true);
const versions = async () => catalog.parts.search.scan(undefined, 1000);
const documents = async () =>
  (await catalog.parts.store.entities.list({ limit: 1000 })).filter(({ deleted }) => deleted === undefined);
const expectEqual = async () =>
  expect(await versions()).toEqual(
    (await documents()).map(({ urn, incarnation, revision }) => ({ urn, incarnation, revision })),
  );

describe('repairing the index', () => {
  it('has nothing to do when it is right', async () => {
    expect(await repair()).toBe(0);
    await expectEqual();
  });

  it('puts in what is missing, drops what is gone and replaces what is of another life', async () => {
    const [a, b, c] = await documents();
    if (a === undefined || b === undefined || c === undefined) throw new Error('missing');
    const { search, store } = catalog.parts;
    const stranger = { ...a, urn: dataset('stranger') };
    await search.apply([
      { kind: 'drop', urn: a.urn, incarnation: a.incarnation, revision: a.revision + 1 },
      indexChangeOf({ ...b, incarnation: 'earlier', revision: 99 }),
      indexChangeOf(stranger),
    ]);
    await catalog.delete(c.urn);
    await store.entities.clean(await store.entities.dirty(10));
    expect(await repair()).toBe(4);
    await expectEqual();
    expect(await repair()).toBe(0);
  });

  it('takes the store for right when the index is ahead of it, as after a restored backup', async () => {
    const [a, b] = await documents();
    if (a === undefined || b === undefined) throw new Error('missing');
    await catalog.delete(b.urn);
    const { store, search } = catalog.parts;
    await store.entities.clean(await store.entities.dirty(10));
    await search.apply([a, b].map((document) => indexChangeOf({ ...document, revision: 9 })));
    expect(await repair()).toBe(2);
    await expectEqual();
  });

  it('goes past a damaged document, and has searches refused while the index does not have it', async () => {
    const [a, b] = await documents();
    if (a === undefined || b === undefined) throw new Error('missing');
    const { store, search, storeHealth } = catalog.parts;
    const damaged = () => new StoreError('damaged', `${b.urn} is damaged`, { about: b.urn });
    const whole = <T extends { urn: string }>(found: T[]) => {
      if (found.some(({ urn }) => urn === b.urn)) throw damaged();
      return found;
    };
    const entities = override(store.entities, {
      list: async (request) => whole(await store.entities.list(request)),
      getMany: async (urns, maxBytes) => {
        if (urns.includes(b.urn)) throw damaged();
        return await store.entities.getMany(urns, maxBytes);
      },
    });
    const parts = { ...catalog.parts, store: { ...override(store, {}), entities } as typeof store };
    const watched = storeHealth.watchSearch(search);
    const all = {
      entityTypes: ['dataset'],
      condition: { kind: 'all' },
      includeRemoved: true,
      order: 'ascending',
      limit: 9,
    } as const;
    await search.apply(
      [a].map(({ urn, incarnation, revision }) => ({ kind: 'drop', urn, incarnation, revision: revision + 1 })),
    );
    expect(await repairIndex(parts, async () => true)).toBe(1);
    expect((await watched.search(all)).total).toBe(3);

    await search.apply([{ kind: 'drop', urn: b.urn, incarnation: b.incarnation, revision: b.revision + 1 }]);
    expect(await repairIndex(parts, async () => true)).toBe(0);
    await expect(watched.search(all)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining(b.urn),
    });

    expect(await repair()).toBe(1);
    expect((await watched.search(all)).total).toBe(3);
  });

  it('does not bring back what was written and indexed while it looked', async () => {
    const { search, store } = catalog.parts;
    let isFirst = true;
    const slow = override(search, {
      versions: async (urns) => {
        if (isFirst) {
          isFirst = false;
          await catalog.write(dataset('a'), { status: { removed: true } });
          await catalog.delete(dataset('b'));
          await catalog.dataset('b');
          const dirty = await store.entities.dirty(10);
          await search.apply(dirty.map(indexChangeOf));
          await store.entities.clean(dirty);
        }
        return search.versions(urns);
      },
    });
    expect(await repairIndex(catalog.replica({ search: slow }), async () => true)).toBe(0);
    await expectEqual();
  });

  it('goes through more than a page, and stops when it is told to', async () => {
    await Promise.all(Array.from({ length: 450 }, (_, index) => catalog.dataset(`n${index}`)));
    await catalog.parts.store.entities.clean(await catalog.parts.store.entities.dirty(1000));
    let pages = 0;
    await repairIndex(catalog.parts, async () => {
      pages += 1;
      return false;
    });
    expect((await versions()).length).toBeLessThan(453);
    expect(pages).toBe(2);
    await repair();
    await expectEqual();
  });

  it('is what an indexer does when it takes the lease', async () => {
    const [a] = await documents();
    if (a === undefined) throw new Error('missing');
    await catalog.parts.search.apply([
      { kind: 'drop', urn: a.urn, incarnation: a.incarnation, revision: a.revision + 1 },
    ]);
    await catalog.dataset('d');
    const indexer = catalog.indexer();
    indexer.start();
    while ((await versions()).length < 4) await new Promise((resolve) => setTimeout(resolve, 2));
    await indexer.stop();
    await expectEqual();
  });
});
