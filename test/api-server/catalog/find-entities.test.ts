import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EntityPage,
  type FindEntitiesRequest,
  findEntities,
} from '../../../api-server/catalog/find/find-entities.ts';
import { type EntityView, WHOLE } from '../../../api-server/catalog/read/read-entities.ts';
import { type EntityTypeInfo, findEntityType } from '../../../model/entity-type.ts';
import { dataset, refusal, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.define('p');
  for (const name of ['a', 'b', 'c', 'd', 'e']) await catalog.dataset(name);
  await catalog.assign(dataset('b'), { p: ['x'] });
  await catalog.index();
});
afterEach(() => catalog.close());

function list(request: Partial<FindEntitiesRequest> = {}): Promise<EntityPage<EntityView>> {
  const entityType = findEntityType('dataset') as EntityTypeInfo;
  return findEntities(
    catalog.context,
    {
      entityTypes: [entityType],
      condition: { kind: 'all' },
      count: 10,
      order: 'ascending',
      includeRemoved: false,
      ...request,
    },
    WHOLE,
  );
}
const urns = ({ entities }: EntityPage<EntityView>) => entities.map(({ urn }) => urn);

describe('a listing', () => {
  it.each(['ascending', 'descending'] as const)('goes through all pages: %s', async (order) => {
    const seen: string[] = [];
    let scrollId: string | undefined;
    do {
      const page = await list({ count: 2, order, ...(scrollId === undefined ? {} : { scrollId }) });
      expect(page.total).toBe(5);
      seen.push(...urns(page));
      scrollId = page.scrollId;
    } while (scrollId !== undefined);
    const all = ['a', 'b', 'c', 'd', 'e'].map(dataset);
    expect(seen).toEqual(order === 'ascending' ? all : all.reverse());
  });

  it('may be asked for a total only', async () => {
    for (const looksAhead of [false, true]) {
      expect(await list({ count: 0, looksAhead })).toEqual({ entities: [], total: 5 });
      expect(await list({ count: 0, start: 3, looksAhead })).toEqual({ entities: [], total: 5 });
    }
  });

  it('ends with an empty page behind a full one, or looks one entity ahead', async () => {
    const full = await list({ count: 5 });
    expect(full.scrollId).toBeDefined();
    expect(await list({ scrollId: full.scrollId ?? '' })).toEqual({ entities: [], total: 5 });
    expect(await list({ count: 5, looksAhead: true })).not.toHaveProperty('scrollId');
    expect(await list({ count: 2, start: 3, looksAhead: true })).not.toHaveProperty('scrollId');
    const before = await list({ count: 2, start: 2, looksAhead: true });
    expect(urns(before)).toEqual(['c', 'd'].map(dataset));
    expect(urns(await list({ scrollId: before.scrollId ?? '', looksAhead: true }))).toEqual([dataset('e')]);
  });

  it('shows the aspects that are asked for, and leaves out who has none of them', async () => {
    const keys = await list({ aspects: new Set(['datasetKey']) });
    expect(Object.keys(keys.entities[0]?.aspects ?? {})).toEqual(['datasetKey']);
    const values = await list({ aspects: new Set(['structuredProperties']) });
    expect(urns(values)).toEqual([dataset('b')]);
    expect(values.entities[0]?.aspects.structuredProperties?.value).toMatchObject({
      properties: [{ values: [{ string: 'x' }] }],
    });
  });

  it('leaves out what is soft deleted unless it is asked for', async () => {
    await catalog.write(dataset('a'), { status: { removed: true } });
    await catalog.index();
    expect(urns(await list())).not.toContain(dataset('a'));
    expect(urns(await list({ includeRemoved: true }))).toContain(dataset('a'));
  });

  it('never shows what is deleted, even before the index knows', async () => {
    await catalog.delete(dataset('a'));
    await catalog.delete(dataset('b'));
    await catalog.dataset('b');
    expect(urns(await list())).toEqual(['c', 'd', 'e'].map(dataset));
    await catalog.index();
    expect(urns(await list())).toEqual(['b', 'c', 'd', 'e'].map(dataset));
  });

  it('refuses a scrollId that it cannot read', async () => {
    for (const scrollId of [
      '',
      'x',
      Buffer.from('{"after":5}').toString('base64url'),
      Buffer.from('null').toString('base64url'),
    ]) {
      expect(await refusal(list({ scrollId }))).toBe('malformed: scrollId: not one that a listing returned');
    }
  });
});
