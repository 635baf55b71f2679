import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { indexChangeOf } from '../../../api-server/catalog/indexing/index-entry.ts';
import { Indexer } from '../../../api-server/catalog/indexing/indexer.ts';
import { Lease } from '../../../api-server/catalog/indexing/lease.ts';
import type { CatalogParts } from '../../../api-server/catalog/parts.ts';
import type { IndexedVersion } from '../../../api-server/search/port.ts';
import { add, dataset, override, property, TestCatalog } from '../../harness/catalog.ts';

// as indexers have them
const LOOK_INTERVAL = 500;
const LONGEST_RETRY = 10_000;

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.define('p');
  await catalog.dataset('d');
});
afterEach(() => catalog.close());

const d = dataset('d');
const indexed = async (urn: string): Promise<IndexedVersion | undefined> =>
  (await catalog.parts.search.versions([urn]))[0];
const versionOf = async (urn: string) => {
  const { incarnation, revision } = (await catalog.parts.store.entities.get(urn)) ?? {};
  return { urn, incarnation, revision };
};

/** Until nothing is dirty. @param wait what happens before each look. */
async function untilClean(wait: () => Promise<unknown> = () => sleep(2)): Promise<void> {
  while ((await catalog.parts.store.entities.countDirty()) > 0) await wait();
}

/** Runs an indexer over these parts until nothing is dirty. */
async function runUntilClean(parts: CatalogParts): Promise<void> {
  const indexer = catalog.indexer(parts);
  indexer.start();
  await untilClean();
  await indexer.stop();
}

describe('an indexer', () => {
  it('brings what was written into the index and empties the outbox', async () => {
    await catalog.assign(d, { p: ['x'] });
    expect(await indexed(d)).toBeUndefined();
    await catalog.index();
    expect(await indexed(d)).toEqual(await versionOf(d));
    expect(await catalog.find('structuredProperties.p:x')).toEqual([d]);
    expect(await catalog.parts.store.entities.countDirty()).toBe(0);
  });

  it('takes deletions out of it, and does not leave that to a comparison of everything', async () => {
    await catalog.index();
    await catalog.delete(d);
    const { search } = catalog.parts;
    const unseen = override(search, { versions: async () => [], scan: async () => [] });
    await runUntilClean(catalog.replica({ search: unseen }));
    expect(await indexed(d)).toBeUndefined();
    expect(await catalog.parts.search.scan(undefined, 10)).toHaveLength(1);
  });

  it('catches up with what was written before a crash', async () => {
    await catalog.index();
    // Written to the store, and then the process died: no index write, no mark cleared.
    await catalog.patch(d, [add('p', 'x')]);
    await catalog.delete(property('p'));
    await catalog.dataset('e');
    await runUntilClean(catalog.replica());
    expect(await indexed(d)).toEqual(await versionOf(d));
    expect(await indexed(dataset('e'))).toEqual(await versionOf(dataset('e')));
    expect(await indexed(property('p'))).toBeUndefined();
  });

  it('repeats an index write after which a crash came', async () => {
    const dirty = await catalog.parts.store.entities.dirty(10);
    await catalog.parts.search.apply(dirty.map(indexChangeOf));
    await runUntilClean(catalog.parts);
    expect(await indexed(d)).toEqual(await versionOf(d));
  });

  it('leaves dirty what was written while it was indexing, and indexes it next', async () => {
    const { search } = catalog.parts;
    const dirtyAfterFirst: number[] = [];
    let isFirst = true;
    const writing = override(search, {
      apply: async (changes) => {
        if (isFirst) {
          isFirst = false;
          await search.apply(changes);
          await catalog.patch(d, [add('p', 'x')]);
          return;
        }
        dirtyAfterFirst.push(await catalog.parts.store.entities.countDirty());
        await search.apply(changes);
      },
    });
    await runUntilClean(catalog.replica({ search: writing }));
    expect(dirtyAfterFirst[0]).toBe(1);
    expect(await indexed(d)).toEqual(await versionOf(d));
    expect(await catalog.find('structuredProperties.p:x')).toEqual([d]);
  });

  it('goes on after the search engine was away, and loses nothing meanwhile', async () => {
    const { search } = catalog.parts;
    let failures = 2;
    const away = override(search, {
      apply: async (changes) => {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        await search.apply(changes);
      },
    });
    const indexer = catalog.indexer(catalog.replica({ search: away }));
    indexer.start();
    await untilClean(() => catalog.clock.advance(LONGEST_RETRY));
    await indexer.stop();
    expect(failures).toBeLessThan(0);
    expect(await indexed(d)).toEqual(await versionOf(d));
  });

  it('works through more than one batch in the order of the writes', async () => {
    await catalog.index();
    for (let index = 0; index < 3; index += 1) {
      const names = Array.from({ length: 150 }, (_, at) => `n${index * 150 + at}`);
      await Promise.all(names.map((name) => catalog.dataset(name)));
    }
    const applied: string[] = [];
    const { search, store } = catalog.parts;
    const expected = (await store.entities.dirty(1000)).map(({ urn }) => urn);
    const watched = override(search, {
      apply: async (changes) => {
        applied.push(...changes.map((change) => (change.kind === 'put' ? change.entry.urn : change.urn)));
        await search.apply(changes);
      },
    });
    await runUntilClean(catalog.replica({ search: watched }));
    expect(applied).toEqual(expected);
    expect(applied).toHaveLength(450);
  });

  it('looks at once when it is woken, and now and then at what others wrote', async () => {
    const indexer = catalog.indexer();
    indexer.start();
    await untilClean();
    await catalog.dataset('e');
    indexer.wake();
    await untilClean();
    expect(await indexed(dataset('e'))).toBeDefined();
    await catalog.dataset('f');
    await untilClean(() => catalog.clock.advance(LOOK_INTERVAL));
    expect(await indexed(dataset('f'))).toBeDefined();
    await indexer.stop();
  });

  it('does nothing while another holds the lease, and gives its own back', async () => {
    const { store } = catalog.parts;
    const options = { store, name: 'indexer', duration: 60_000, clock: catalog.clock, exclusive: false };
    const other = new Lease(options);
    await other.hold();
    const waiting = new Indexer(catalog.parts, new Lease(options));
    waiting.start();
    await catalog.clock.advance(20 * LOOK_INTERVAL);
    expect(await indexed(d)).toBeUndefined();
    await other.release();
    await untilClean(() => catalog.clock.advance(LOOK_INTERVAL));
    await waiting.stop();
    expect(await new Lease(options).hold()).toBe(true);
  });

  it('stops in the middle of its work when another has taken the lease', async () => {
    await Promise.all(Array.from({ length: 300 }, (_, at) => catalog.dataset(`n${at}`)));
    const { search, store } = catalog.parts;
    const options = { store, name: 'indexer', duration: 3000, clock: catalog.parts, exclusive: false };
    const other = new Lease(options);
    let writes = 0;
    const slow = override(search, {
      apply: async (changes) => {
        writes += 1;
        await search.apply(changes);
        await catalog.clock.advance(3001);
        expect(await other.hold()).toBe(true);
      },
    });
    const lease = new Lease(options);
    const { promise: isLost, resolve: lose } = Promise.withResolvers<void>();
    const hold = async () => {
      const isHeld = await lease.hold();
      if (!isHeld) lose();
      return isHeld;
    };
    const indexer = new Indexer(catalog.replica({ search: slow }), override(lease, { hold }));
    indexer.start();
    await isLost;
    expect(writes).toBe(1);
    await indexer.stop();
  });
});
