import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CatalogParts } from '../../../api-server/catalog/parts.ts';
import { Registry } from '../../../api-server/catalog/registry/registry.ts';
import { override, property, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

const epochOf = async ({ registry }: Pick<CatalogParts, 'registry'>, name = 'p') =>
  (await (await registry.view()).properties([property(name)])).get(property(name))?.epoch;
const urnBySearchName = async ({ registry }: Pick<CatalogParts, 'registry'>, name: string) =>
  (await (await registry.view()).propertyBySearchName(name))?.urn;
const record = async () =>
  (await catalog.parts.store.records.get<{ generation: number; changing: { urn: string }[] }>('registry', 'registry'))
    ?.body;

/** What a replica leaves behind that dies in the middle of a change. */
async function crashedChange(name: string): Promise<void> {
  await new Promise<void>((entered) => {
    void catalog.replica().registry.change([property(name)], () => {
      entered();
      return new Promise(() => {});
    });
  });
}

describe('a change of a definition', () => {
  it('is seen by every replica as soon as it is answered', async () => {
    const replica = catalog.replica();
    expect(await epochOf(replica)).toBeUndefined();
    await catalog.define('p');
    const first = await epochOf(replica);
    expect(first).toEqual(await epochOf(catalog.parts));
    await catalog.define('p', { valueType: 'number', version: '20240614080000' });
    const second = await epochOf(replica);
    expect(second).not.toBe(first);
    await catalog.softDelete('p');
    expect((await (await replica.registry.view()).properties([property('p')])).get(property('p'))?.removed).toBe(true);
    await catalog.delete(property('p'));
    expect(await epochOf(replica)).toBeUndefined();
    expect(await urnBySearchName(replica, 'p')).toBeUndefined();
  });

  it('is seen by no cache while it is under way', async () => {
    await catalog.define('p');
    const replica = catalog.replica();
    const before = await epochOf(replica);
    await catalog.parts.registry.change([property('p')], async () => {
      const stored = await catalog.parts.store.entities.get(property('p'));
      if (stored === undefined) throw new Error('gone');
      const next = { ...stored, revision: stored.revision + 1, definitionState: { epoch: 'other' } };
      await catalog.parts.store.entities.replace(next, stored);
      expect(await epochOf(replica)).toBe('other');
    });
    expect(await epochOf(replica)).toBe('other');
    expect(before).not.toBe('other');
  });

  it('raises the generation also when it fails', async () => {
    await catalog.define('p');
    const before = (await record())?.generation ?? 0;
    await expect(
      catalog.parts.registry.change([property('p')], async () => {
        expect((await record())?.changing).toMatchObject([{ urn: property('p') }]);
        throw new Error('out of luck');
      }),
    ).rejects.toThrow('out of luck');
    expect(await record()).toEqual({ generation: before + 1, changing: [] });
  });

  it('does not end another one that runs at the same time', async () => {
    const before = (await record())?.generation ?? 0;
    let finish = () => {};
    const slow = catalog.parts.registry.change([property('slow')], () => new Promise<void>((done) => (finish = done)));
    const quick = await catalog.replica().registry.change([property('slow'), property('quick')], async () => 'done');
    expect(quick).toBe('done');
    expect((await record())?.changing).toMatchObject([{ urn: property('slow') }]);
    finish();
    await slow;
    expect(await record()).toEqual({ generation: before + 2, changing: [] });
  });

  it('loses nothing when many run at once', async () => {
    const replicas = Array.from({ length: 10 }, () => catalog.replica());
    await Promise.all(replicas.map(({ registry }, index) => registry.change([property(`p${index}`)], async () => {})));
    expect(await record()).toEqual({ generation: 10, changing: [] });
  });
});

describe('a change that a crash has cut', () => {
  it('keeps its definition out of all caches until it is swept', async () => {
    await catalog.define('p');
    const replica = catalog.replica();
    await epochOf(replica);
    await crashedChange('p');
    const rewrite = async (epoch: string) => {
      const stored = await catalog.parts.store.entities.get(property('p'));
      if (stored === undefined) throw new Error('gone');
      await catalog.parts.store.entities.replace(
        { ...stored, revision: stored.revision + 1, definitionState: { epoch } },
        stored,
      );
    };
    for (const epoch of ['one', 'two']) {
      await rewrite(epoch);
      expect(await epochOf(replica)).toBe(epoch);
    }
    await catalog.parts.registry.sweep((since) => since < catalog.clock.now());
    expect((await record())?.changing).toHaveLength(1);
    await catalog.clock.advance(2 * TIMEOUT);
    const generation = (await record())?.generation ?? 0;
    await catalog.parts.registry.sweep((since) => since < catalog.clock.now() - TIMEOUT);
    expect(await record()).toEqual({ generation: generation + 1, changing: [] });
    expect(await epochOf(replica)).toBe('two');
  });

  it('does not keep others from changing, and sweeping leaves those that still run', async () => {
    await crashedChange('gone');
    await catalog.clock.advance(2 * TIMEOUT);
    await catalog.parts.registry.change([property('p')], async () => {
      await catalog.parts.registry.sweep((since) => since < catalog.clock.now() - TIMEOUT);
      expect((await record())?.changing).toMatchObject([{ urn: property('p') }]);
    });
    expect((await record())?.changing).toEqual([]);
  });

  it('costs nothing to sweep when there is none', async () => {
    await catalog.define('p');
    const before = await record();
    await catalog.parts.registry.sweep(() => true);
    expect(await record()).toEqual(before);
  });
});

describe('a view', () => {
  it('reads each definition once for each generation', async () => {
    await catalog.define('p');
    const read: string[] = [];
    const { store } = catalog.parts;
    const entities = override(store.entities, {
      getMany: (urns, maxBytes) => {
        read.push(...urns);
        return store.entities.getMany(urns, maxBytes);
      },
    });
    const registry = new Registry(override(store, { entities }), catalog.parts.now);
    for (let round = 0; round < 3; round += 1) {
      await epochOf({ registry });
      await epochOf({ registry }, 'none');
      await urnBySearchName({ registry }, 'p');
    }
    const ofProperty = () => read.filter((urn) => urn === property('p'));
    expect(ofProperty()).toHaveLength(1);
    await catalog.define('q');
    await epochOf({ registry });
    expect(ofProperty()).toHaveLength(2);
  });

  it('goes on saying what it has said of a definition that is being changed', async () => {
    await catalog.define('p');
    const { registry, store } = catalog.replica();
    await catalog.parts.registry.change([property('p')], async () => {
      const view = await registry.view();
      const before = await view.propertyBySearchName('p');
      const stored = await store.entities.get(property('p'));
      if (stored === undefined) throw new Error('gone');
      const next = { ...stored, revision: stored.revision + 1, definitionState: { epoch: 'other' } };
      await store.entities.replace(next, stored);
      expect((await view.properties([property('p')])).get(property('p'))?.epoch).toBe(before?.epoch);
      expect((await (await registry.view()).propertyBySearchName('p'))?.epoch).toBe('other');
    });
  });

  it('that began before a change does not spoil the caches of later ones', async () => {
    await catalog.define('p');
    const replica = catalog.replica();
    const old = await replica.registry.view();
    await catalog.define('p', { valueType: 'number', version: '20240614080000' });
    const now = await epochOf(catalog.parts);
    await old.properties([property('p')]);
    expect(await epochOf(replica)).toBe(now);
  });

  it('finds a property by its search name, also when another has taken it', async () => {
    const replica = catalog.replica();
    expect(await urnBySearchName(replica, 'a_b')).toBeUndefined();
    await catalog.define('a.b');
    expect(await urnBySearchName(replica, 'a_b')).toBe(property('a.b'));
    await catalog.delete(property('a.b'));
    await catalog.define('a_b');
    expect(await urnBySearchName(replica, 'a_b')).toBe(property('a_b'));
  });
});
