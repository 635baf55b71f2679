import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readEntities, WHOLE } from '../../../api-server/catalog/read/read-entities.ts';
import { MAX_ANSWER_BYTES } from '../../../model/limits.ts';
import { dataset, override, refusal, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

describe('an answer', () => {
  it('ends when the entities that were read for it fill it, however few come at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await catalog.dataset(name);
    const wanted = names.map((name) => ({ urn: dataset(name) }));
    const { store } = catalog.parts;
    const entities = override(store.entities, { getMany: (urns) => store.entities.getMany(urns, 1) });
    const request = catalog.request({ ...catalog.parts, store: override(store, { entities }) });
    const large = { ...WHOLE, bytesOf: () => MAX_ANSWER_BYTES / 2 };
    expect(await readEntities(request, wanted, large)).toMatchObject({ reached: 2 });
    expect(await refusal(readEntities(request, wanted, large))).toContain('too-large: ');
  });
});
