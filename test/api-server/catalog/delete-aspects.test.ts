import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteAspects } from '../../../api-server/catalog/write/delete-entity.ts';
import { parseUrn } from '../../../model/urn.ts';
import { dataset, property, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

const d = dataset('d');
const remove = (urn: string, ...aspects: string[]) =>
  deleteAspects(catalog.parts, parseUrn(urn), new Set(aspects), catalog.context);

describe('aspects that are deleted in one request', () => {
  it('go in one write', async () => {
    await catalog.define('p');
    const before = await catalog.write(d, {
      datasetProperties: { name: 'd' },
      editableDatasetProperties: { description: 'x' },
      globalTags: { tags: [] },
    });
    await catalog.assign(d, { p: ['x'] });
    await remove(d, 'editableDatasetProperties', 'structuredProperties', 'globalTags', 'ownership');
    const after = await catalog.parts.store.entities.get(d);
    expect(Object.keys(after?.aspects ?? {})).toEqual(['datasetProperties']);
    expect([after?.assignments, after?.revision]).toEqual([[], before.revision + 2]);
  });

  it('delete the entity when its key or its definition is among them', async () => {
    await catalog.define('p');
    await remove(property('p'), 'status', 'propertyDefinition');
    expect((await catalog.parts.store.entities.get(property('p')))?.deleted).toBeDefined();
  });

  it('that are not there change nothing', async () => {
    const before = await catalog.dataset('d');
    await remove(d, 'globalTags', 'ownership');
    await remove(dataset('none'), 'globalTags');
    expect(await catalog.parts.store.entities.get(d)).toEqual(before);
    expect(await catalog.parts.store.entities.get(dataset('none'))).toBeUndefined();
  });
});
