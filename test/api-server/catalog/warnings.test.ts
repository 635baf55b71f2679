import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { patchEntities, writeEntities } from '../../../api-server/catalog/write/change-entities.ts';
import type { Patch } from '../../../model/patch.ts';
import { parseUrn } from '../../../model/urn.ts';
import { add, assignmentsBody, dataset, override, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
let warned: string[];
beforeEach(async () => {
  catalog = await TestCatalog.open({ entityTypesCheck: 'warn' });
  await catalog.define('flow', { entityTypes: ['dataFlow'] });
  for (const name of ['a', 'b']) await catalog.dataset(name);
  warned = [];
});
afterEach(() => catalog.close());

/** Parts that note what is warned of; the first `collisions` replacements of a document are lost to somebody else's. */
function noting(collisions = 0) {
  const { store, log } = catalog.parts;
  let left = collisions;
  const warn = ({ urn, path }: { urn: string; path: string }) => warned.push(`${urn} ${path}`);
  const entities = override(store.entities, {
    replace: async (document, expected, fence) => {
      left -= 1;
      return left < 0 ? store.entities.replace(document, expected, fence) : false;
    },
  });
  return catalog.replica({ store: override(store, { entities }), log: override(log, { warn: warn as never }) });
}

const values = (name: string) =>
  catalog.entityWrite(dataset(name), { structuredProperties: assignmentsBody({ flow: ['x'] }) });
const patch = (name: string) => ({
  urn: parseUrn(dataset(name)),
  patches: [{ aspect: 'structuredProperties', patch: { patch: [add('flow', 'x')] as Patch['patch'] } }],
  condition: 'update' as const,
});
const warning = (name: string) => `${dataset(name)} properties[0]`;

describe('values on an entity type that their definition does not name, where that is let pass, are warned of once', () => {
  it('by a write and by a patch', async () => {
    await writeEntities(noting(), [values('a')], catalog.context);
    await patchEntities(noting(), [patch('b')], catalog.context);
    expect(warned).toEqual([warning('a'), warning('b')]);
  });

  it('by a batch of either', async () => {
    await writeEntities(noting(), [values('a'), values('b')], catalog.context);
    expect(warned.splice(0)).toEqual([warning('a'), warning('b')]);
    for (const name of ['a', 'b']) await catalog.assign(dataset(name), {});
    await patchEntities(noting(), [patch('a'), patch('b')], catalog.context);
    expect(warned).toEqual([warning('a'), warning('b')]);
  });

  it('however often somebody else was faster', async () => {
    await patchEntities(noting(3), [patch('a')], catalog.context);
    expect(warned).toEqual([warning('a')]);
  });

  it('and not where they are refused', async () => {
    const none = { ...values('none'), condition: 'update' as const };
    await expect(writeEntities(noting(), [values('a'), none], catalog.context)).rejects.toThrow('does not exist');
    expect(warned).toEqual([]);
  });
});
