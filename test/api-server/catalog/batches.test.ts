import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeEntities } from '../../../api-server/catalog/write/change-entities.ts';
import type { EntityWrite } from '../../../model/entity/write.ts';
import { assignmentsBody, dataset, describing, property, refusal, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

describe('a batch', () => {
  it('writes all of its entities and leaves nothing behind', async () => {
    const documents = await catalog.batch({ [dataset('a')]: describing('1'), [dataset('b')]: describing('2') });
    expect(documents.map(({ urn }) => urn)).toEqual([dataset('a'), dataset('b')]);
    expect([await catalog.description('a'), await catalog.description('b')]).toEqual(['1', '2']);
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('of hundreds of entities is written whole', async () => {
    const writes = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [dataset(`d${index}`), describing(`${index}`)]),
    );
    await catalog.batch(writes);
    expect(await catalog.parts.store.entities.list({ limit: 1000 })).toHaveLength(300);
  });

  it('is checked whole, every violation named, before anything is written', async () => {
    await catalog.define('p');
    await catalog.dataset('good');
    const before = await catalog.parts.store.entities.get(dataset('good'));
    const text = await refusal(
      catalog.batch({
        [dataset('good')]: { structuredProperties: assignmentsBody({ p: ['x'] }) },
        [dataset('one')]: { structuredProperties: assignmentsBody({ p: ['x', 'y'] }), ...describing('1') },
        [dataset('two')]: { structuredProperties: assignmentsBody({ none: ['x'] }) },
      }),
    );
    expect(text).toContain(`${dataset('one')} properties[0].values: Property: ${property('p')} has cardinality 1`);
    expect(text).toContain(`${dataset('two')} properties[0]: Unexpected null value found`);
    expect(await catalog.parts.store.entities.get(dataset('good'))).toEqual(before);
    expect(await catalog.parts.store.entities.get(dataset('one'))).toBeUndefined();
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('in which one entity would grow too large writes nothing', async () => {
    await catalog.write(dataset('big'), describing('x'.repeat(8_000_000)));
    const more = { datasetProperties: { description: 'y'.repeat(5_000_000) } };
    const text = await refusal(catalog.batch({ [dataset('small')]: describing('1'), [dataset('big')]: more }));
    expect(text).toMatch(/^too-large: urn:li:dataset.* in aspect editableDatasetProperties; the limit is 12582912$/u);
    expect(await catalog.parts.store.entities.get(dataset('small'))).toBeUndefined();
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('over 12 MiB is refused', async () => {
    const half = describing('x'.repeat(7_000_000));
    expect(await refusal(catalog.batch({ [dataset('a')]: half, [dataset('b')]: half }))).toMatch(
      /^too-large: The batch has \d+ bytes; the limit is 12582912\. Send it in parts\.$/u,
    );
    expect(await catalog.parts.store.entities.list({ limit: 9 })).toEqual([]);
  });

  it('may name an entity twice with different aspects, but not one aspect twice', async () => {
    await catalog.define('p');
    const twice = [
      catalog.entityWrite(dataset('a'), describing('1')),
      catalog.entityWrite(
        dataset('a'),
        { structuredProperties: assignmentsBody({ p: ['x'] }) },
        { condition: 'update' },
      ),
    ];
    const documents = await writeEntities(catalog.parts, twice, catalog.context);
    expect(documents).toHaveLength(1);
    expect(await catalog.description('a')).toBe('1');
    expect(await catalog.values(dataset('a'))).toEqual(['p=x']);
    const same = [twice[0], twice[0]] as EntityWrite[];
    expect(await refusal(writeEntities(catalog.parts, same, catalog.context))).toBe(
      `malformed: ${dataset('a')} has the aspect editableDatasetProperties twice in one request`,
    );
  });

  it('that updates what does not exist is refused whole', async () => {
    const values = { structuredProperties: assignmentsBody({}) };
    const writes = [
      catalog.entityWrite(dataset('a'), describing('1')),
      catalog.entityWrite(dataset('none'), values, { condition: 'update' }),
    ];
    expect(await refusal(writeEntities(catalog.parts, writes, catalog.context))).toContain('missing: ');
    expect(await catalog.parts.store.entities.get(dataset('a'))).toBeUndefined();
  });

  it('of nothing is nothing', async () => {
    expect(await catalog.batch({})).toEqual([]);
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('is about so many bytes of entities, however little it says of each', async () => {
    const large = { datasetProperties: { name: 'large', description: 'x'.repeat(9_000_000) } };
    const names = Array.from({ length: 8 }, (_, index) => dataset(`large${index}`));
    for (const urn of names) await catalog.write(urn, large);
    const batch = (urns: readonly string[]) =>
      catalog.batch(Object.fromEntries(urns.map((urn) => [urn, { status: { removed: true } }])));
    expect(await refusal(batch(names))).toMatch(/^too-large: The entities of the batch have more than \d+ bytes/u);
    expect(await batch(names.slice(0, 3))).toHaveLength(3);
  });
});
