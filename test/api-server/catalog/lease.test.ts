import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Lease } from '../../../api-server/catalog/indexing/lease.ts';
import { TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

const lease = (exclusive = false) => {
  const { parts } = catalog;
  return new Lease({ store: parts.store, name: 'x', duration: 3000, clock: parts, exclusive });
};

describe('a lease', () => {
  it('is held by one at a time', async () => {
    const leases = Array.from({ length: 10 }, () => lease());
    const held = await Promise.all(leases.map((each) => each.hold()));
    expect(held.filter(Boolean)).toHaveLength(1);
    const again = await Promise.all(leases.map((each) => each.hold()));
    expect(again).toEqual(held);
  });

  it('stays with who renews it', async () => {
    const [one, other] = [lease(), lease()];
    for (let round = 0; round < 5; round += 1) {
      expect(await one.hold()).toBe(true);
      expect(await other.hold()).toBe(false);
      await catalog.clock.advance(2000);
    }
  });

  it('is taken over when its holder is silent, and not given back by that one then', async () => {
    const [one, other] = [lease(), lease()];
    await one.hold();
    await catalog.clock.advance(3001);
    expect(await other.hold()).toBe(true);
    expect(await one.hold()).toBe(false);
    await one.release();
    expect(await other.hold()).toBe(true);
    await catalog.clock.advance(2000);
    expect(await other.hold()).toBe(true);
  });

  it('is free at once when it is released', async () => {
    const [one, other] = [lease(), lease()];
    await one.hold();
    await one.release();
    expect(await other.hold()).toBe(true);
    expect(await one.hold()).toBe(false);
  });

  it('of a process that has the store alone is taken from whoever was there before', async () => {
    await lease().hold();
    const owner = lease(true);
    expect(await owner.hold()).toBe(true);
  });
});
