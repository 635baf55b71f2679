import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listOwners } from '../../../api-server/catalog/resources/owners.ts';
import { deleteEntity } from '../../../api-server/catalog/write/delete-entity.ts';
import { collectAssignments } from '../../../api-server/jobs/collect-assignments.ts';
import { listJobs } from '../../../api-server/jobs/job.ts';
import { parseUrn } from '../../../model/urn.ts';
import { add, dataset, mark, override, property, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.dataset('d');
  await catalog.define('a');
  await catalog.patch(d, [add('a', '1')], { owner: one });
});
afterEach(() => catalog.close());

const d = dataset('d');
const one = mark('one');

async function owners(): Promise<string[]> {
  const { owners: found } = await listOwners(catalog.parts, { source: one.source, limit: 10 });
  return found.map(({ urn, name }) => `${urn} ${name}`);
}

/** @returns from how many entities something was to be removed. */
async function collect(parts = catalog.parts): Promise<number> {
  const [job] = await listJobs(catalog.parts.store);
  expect(job?.subject).toBe(property('a'));
  const { processed, finished } = await collectAssignments(parts).step(job!);
  expect(finished).toBe(true);
  return processed;
}

describe('what a deleted property leaves behind', () => {
  it('is removed with its owner mark', async () => {
    await catalog.delete(property('a'));
    expect(await owners()).toEqual([`${d} one`]);
    expect(await collect()).toBe(1);
    expect(await owners()).toEqual([]);
    expect((await catalog.parts.store.entities.get(d))?.assignments).toEqual([]);
  });

  it('was replaced, mark and all, where a new property of that name has a value already', async () => {
    await catalog.delete(property('a'));
    await catalog.define('a');
    await catalog.patch(d, [add('a', '2')], { owner: mark('two') });
    expect(await collect()).toBe(0);
    expect(await owners()).toEqual([`${d} two`]);
    expect(await catalog.values(d)).toEqual(['a=2']);
  });

  it('is not mistaken for the new value that takes its place while the job is at it', async () => {
    await catalog.delete(property('a'));
    const { entities } = catalog.parts.store;
    const holders: typeof entities.holders = async (request) => {
      const found = await entities.holders(request);
      await catalog.define('a');
      await catalog.patch(d, [add('a', '2')], { owner: mark('two') });
      return found;
    };
    const store = override(catalog.parts.store, { entities: override(entities, { holders }) });
    expect(await collect({ ...catalog.parts, store })).toBe(1);
    expect(await owners()).toEqual([`${d} two`]);
    expect(await catalog.values(d)).toEqual(['a=2']);
  });

  it('is still to be removed when that failed', async () => {
    await catalog.delete(property('a'));
    const { store } = catalog.parts;
    const away = override(store.entities, { replace: () => Promise.reject(new Error('away')) });
    await expect(collect({ ...catalog.parts, store: override(store, { entities: away }) })).rejects.toThrow('away');
    expect(await collect()).toBe(1);
  });

  it('has its job before the property is gone: what comes between the two leaves nothing behind', async () => {
    const parts = catalog.replica({ ensureJob: () => Promise.reject(new Error('killed')) });
    await expect(deleteEntity(parts, parseUrn(property('a')), catalog.context)).rejects.toThrow('killed');
    expect(await catalog.values(d)).toEqual(['a=1']);
  });
});
