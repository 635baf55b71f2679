import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Housekeeping } from '../../../api-server/catalog/housekeeping.ts';
import { recordBatch } from '../../../api-server/catalog/write/batches.ts';
import { dataset, property, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

async function leaveBehind(): Promise<void> {
  void catalog.replica().registry.change([property('p')], () => new Promise(() => {}));
  const body = { editableDatasetProperties: { description: 'x' } };
  const writes = ['a', 'b'].map((name) => ({ ...catalog.entityWrite(dataset(name), body), checkedFor: 'nothing' }));
  await recordBatch(catalog.parts, writes, catalog.context);
}

const changing = async () =>
  (await catalog.parts.store.records.get<{ changing: unknown[] }>('registry', 'registry'))?.body.changing.length;

describe('housekeeping', () => {
  it('cleans up at the start what a crash left, when the store is its own', async () => {
    await leaveBehind();
    expect(await changing()).toBe(1);
    const housekeeping = new Housekeeping(catalog.parts);
    await housekeeping.start(true);
    expect(await changing()).toBe(0);
    expect(await catalog.parts.store.entities.list({ limit: 9 })).toHaveLength(2);
    expect(await catalog.parts.store.records.list('batch', undefined, 9)).toEqual([]);
    await housekeeping.stop();
  });

  it('leaves at the start what others may still be doing', async () => {
    await leaveBehind();
    const housekeeping = new Housekeeping(catalog.parts);
    await housekeeping.start(false);
    await housekeeping.stop();
    expect(await changing()).toBe(1);
    expect(await catalog.parts.store.records.list('batch', undefined, 9)).toHaveLength(1);
  });
});
