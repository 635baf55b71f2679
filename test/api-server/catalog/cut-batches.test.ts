import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CatalogParts } from '../../../api-server/catalog/parts.ts';
import { carryOut, recordBatch, rollForwardBatches } from '../../../api-server/catalog/write/batches.ts';
import { patchEntities, writeEntities } from '../../../api-server/catalog/write/change-entities.ts';
import type { Patch } from '../../../model/patch.ts';
import { parseUrn } from '../../../model/urn.ts';
import {
  add,
  assignmentsBody,
  dataset,
  definitionBody,
  describing,
  override,
  property,
  refusal,
  remove,
  TestCatalog,
  TIMEOUT,
} from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

/** Parts in which only the first `successes` writes of entities reach the store, as when the process dies then. */
function dying(successes: number): CatalogParts {
  const { store } = catalog.parts;
  const done: Promise<unknown>[] = [];
  const dies = async <T>(write: () => Promise<T>): Promise<T> => {
    if (done.length === successes) {
      await Promise.all(done);
      throw new Error('crash');
    }
    const writing = write();
    done.push(writing);
    return writing;
  };
  const entities = override(store.entities, {
    insert: (document) => dies(() => store.entities.insert(document)),
    replace: (document, expected) => dies(() => store.entities.replace(document, expected)),
  });
  return catalog.replica({ store: override(store, { entities }) });
}

/** A batch that puts a value of the property `p` on two datasets, cut after so many of its writes. */
async function cutValues(one: string, other: string, successes: number): Promise<void> {
  await catalog.define('p');
  for (const name of [one, other]) await catalog.dataset(name);
  const values = { structuredProperties: assignmentsBody({ p: ['x'] }) };
  const batch = catalog.batch({ [dataset(one)]: values, [dataset(other)]: values }, dying(successes));
  await expect(batch).rejects.toThrow('crash');
}

describe('a batch that is cut in the middle', () => {
  const names = ['a', 'b', 'c', 'd'];
  const writes = () => Object.fromEntries(names.map((name) => [dataset(name), describing(`batch ${name}`)]));
  const written = async () =>
    (await Promise.all(names.map((name) => catalog.description(name)))).filter((text) => text !== undefined).length;

  it('is carried out by whoever finds it, once the longest request time is over', async () => {
    await expect(catalog.batch(writes(), dying(2))).rejects.toThrow('crash');
    expect(await written()).toBe(2);
    expect(await catalog.batchRecords()).toBe(1);
    await rollForwardBatches(catalog.replica(), (at) => at < catalog.clock.now());
    expect(await written()).toBe(2);
    await catalog.clock.advance(2 * TIMEOUT);
    await rollForwardBatches(catalog.replica(), (at) => at < catalog.clock.now() - TIMEOUT);
    expect(await Promise.all(names.map((name) => catalog.description(name)))).toEqual(
      names.map((name) => `batch ${name}`),
    );
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('that was cut and whose leader leads no more is left as it is', async () => {
    const fence = { source: 'git', shard: '', lease: 'lease1', created: 1, transitions: 1 };
    await expect(
      writeEntities(
        dying(1),
        Object.entries(writes()).map(([urn, aspects]) => catalog.entityWrite(urn, aspects)),
        { ...catalog.context, fence },
      ),
    ).rejects.toThrow('crash');
    const before = await catalog.parts.store.entities.list({ limit: 9 });
    expect([before.length, await catalog.batchRecords()]).toEqual([1, 1]);
    await catalog.parts.store.fences.raise({ ...fence, transitions: 2 });
    await rollForwardBatches(catalog.parts, () => true);
    expect(await catalog.parts.store.entities.list({ limit: 9 })).toEqual(before);
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('writes each entity once: what was written later stays', async () => {
    await expect(catalog.batch(writes(), dying(2))).rejects.toThrow('crash');
    const first = (await catalog.parts.store.entities.list({ limit: 9 })).map(({ urn }) => urn);
    const [changed = '', gone = ''] = first;
    await catalog.write(changed, describing('later'));
    await catalog.delete(gone);
    await catalog.write(gone, { datasetProperties: { name: 'another life' } });
    for (let round = 0; round < 2; round += 1) await rollForwardBatches(catalog.parts, () => true);
    expect((await catalog.parts.store.entities.get(changed))?.aspects.editableDatasetProperties?.value).toEqual({
      description: 'later',
    });
    expect((await catalog.parts.store.entities.get(gone))?.aspects.editableDatasetProperties).toBeUndefined();
    expect(await written()).toBe(3);
  });

  it('survives a second crash while it is carried out', async () => {
    await expect(catalog.batch(writes(), dying(1))).rejects.toThrow('crash');
    await expect(rollForwardBatches(dying(1), () => true)).rejects.toThrow('crash');
    expect(await written()).toBe(2);
    await rollForwardBatches(catalog.parts, () => true);
    expect(await written()).toBe(4);
  });

  it('does not check again: values carry the epoch that they were checked against', async () => {
    await cutValues('a', 'b', 0);
    await catalog.define('p', { valueType: 'number', version: '20240614080000' });
    await rollForwardBatches(catalog.parts, () => true);
    expect(await catalog.stored(dataset('a'))).toEqual(['p=x']);
    expect(await catalog.values(dataset('a'))).toEqual([]);
    await catalog.patch(dataset('a'), [remove('p')]);
    expect(await catalog.stored(dataset('a'))).toEqual([]);
  });

  it('carries out the rest when a part is not possible any more', async () => {
    await catalog.dataset('gone');
    await catalog.dataset('stays');
    await catalog.define('p');
    const field = (name: string) => `urn:li:schemaField:(${dataset(name)},x)`;
    const values = { structuredProperties: assignmentsBody({ p: ['x'] }) };
    await expect(
      catalog.batch(
        {
          [field('gone')]: values,
          [field('stays')]: values,
          [property('p')]: { propertyDefinition: definitionBody('p', { description: 'x' }) },
        },
        dying(0),
      ),
    ).rejects.toThrow('crash');
    await catalog.delete(dataset('gone'));
    await rollForwardBatches(catalog.parts, () => true);
    expect(await catalog.values(field('stays'))).toEqual(['p=x']);
    expect(await catalog.values(field('gone'))).toBeUndefined();
    expect((await catalog.parts.store.entities.get(property('p')))?.aspects.propertyDefinition?.version).toBe(2);
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('that was done but not forgotten writes nothing again', async () => {
    const all = [
      { ...catalog.entityWrite(dataset('a'), describing('1')), checkedFor: 'nothing' },
      { ...catalog.entityWrite(dataset('b'), describing('2')), checkedFor: 'nothing' },
    ];
    const id = await recordBatch(catalog.parts, all, catalog.context);
    await carryOut(catalog.parts, id, all, catalog.context);
    const before = await catalog.parts.store.entities.list({ limit: 9 });
    await carryOut(catalog.parts, id, all, catalog.context);
    expect(await catalog.parts.store.entities.list({ limit: 9 })).toEqual(before);
  });

  it('forgets its marks on an entity after three days', async () => {
    await catalog.batch({ [dataset('a')]: describing('1'), [dataset('b')]: describing('2') });
    await catalog.clock.advance(3 * 24 * 3600 * 1000 + 1);
    await catalog.write(dataset('a'), describing('3'));
    expect((await catalog.parts.store.entities.get(dataset('a')))?.batches).toEqual([]);
    expect((await catalog.parts.store.entities.get(dataset('b')))?.batches).toHaveLength(1);
  });

  it('of patches is carried out by whoever finds it, once', async () => {
    for (const name of ['p', 'q']) await catalog.define(name);
    for (const name of ['a', 'b']) await catalog.dataset(name);
    const patches = ['a', 'b'].map((name) => ({
      urn: parseUrn(dataset(name)),
      patches: [{ aspect: 'structuredProperties', patch: { patch: [add('p', '1')] as Patch['patch'] } }],
      condition: 'update' as const,
    }));
    await expect(patchEntities(dying(1), patches, catalog.context)).rejects.toThrow('crash');
    expect(await catalog.batchRecords()).toBe(1);
    const done = (await catalog.values(dataset('a')))?.length === 1 ? 'a' : 'b';
    await catalog.patch(dataset(done), [add('p', '2')]);
    await rollForwardBatches(catalog.parts, () => true);
    const other = done === 'a' ? 'b' : 'a';
    expect([await catalog.values(dataset(done)), await catalog.values(dataset(other))]).toEqual([['p=2'], ['p=1']]);
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('is not made again where a patch changed nothing', async () => {
    const tags = (op: 'add' | 'remove') =>
      ({ op, path: '/tags/urn:li:tag:pii', value: { tag: 'urn:li:tag:pii' } }) as Patch['patch'][number];
    const patch = (name: string, ...patched: Patch['patch']) => ({
      urn: parseUrn(dataset(name)),
      patches: [{ aspect: 'globalTags', patch: { patch: patched } }],
      condition: 'upsert' as const,
    });
    for (const name of ['a', 'b']) await catalog.write(dataset(name), { globalTags: { tags: [] } });
    const both = [patch('a', tags('remove')), patch('b', tags('remove'))];
    await expect(patchEntities(dying(1), both, catalog.context)).rejects.toThrow('crash');
    for (const name of ['a', 'b']) await patchEntities(catalog.parts, [patch(name, tags('add'))], catalog.context);
    await rollForwardBatches(catalog.parts, () => true);
    const left = await Promise.all(
      ['a', 'b'].map(
        async (name) => (await catalog.parts.store.entities.get(dataset(name)))?.aspects.globalTags?.value,
      ),
    );
    expect(left).toContainEqual({ tags: [{ tag: 'urn:li:tag:pii' }] });
  });
});

describe('a batch that was written down', () => {
  it('by version 0.1.0 is carried out', async () => {
    for (const name of ['p', 'q']) await catalog.define(name);
    const { incarnation } = await catalog.dataset('a');
    const p = await catalog.parts.store.entities.get(property('p'));
    const values = { propertyUrn: property('p'), values: [{ string: 'x' }] };
    const writes = [
      {
        urn: dataset('a'),
        condition: 'update',
        onlyNew: false,
        plain: {},
        assignments: { properties: [values] },
        checkedFor: incarnation,
        checkedAssignments: [{ ...values, epoch: p?.definitionState?.epoch, valueType: 'string' }],
      },
      { urn: dataset('b'), condition: 'upsert', plain: describing('b'), namesKey: true, checkedFor: 'nothing' },
      {
        urn: dataset('c'),
        condition: 'upsert',
        patches: [{ aspect: 'structuredProperties', patch: { patch: [add('q', 'y')] } }],
        checkedFor: 'nothing',
      },
    ];
    const body = { at: catalog.clock.now(), actor: catalog.context.actor, writes };
    await catalog.parts.store.records.put('batch', 'old', body, undefined);
    await rollForwardBatches(catalog.parts, () => true);
    expect([await catalog.values(dataset('a')), await catalog.description('b')]).toEqual([['p=x'], 'b']);
    expect(await catalog.values(dataset('c'))).toEqual(['q=y']);
    expect(await catalog.batchRecords()).toBe(0);
  });
});

describe('a batch that is overtaken while it is carried out', () => {
  it('does not bring back what was deleted since it was checked', async () => {
    await cutValues('a', 'z', 0);
    await catalog.delete(dataset('z'));
    await rollForwardBatches(catalog.parts, () => true);
    expect(await catalog.values(dataset('a'))).toEqual(['p=x']);
    expect((await catalog.parts.store.entities.get(dataset('z')))?.deleted).toBeDefined();
    expect(await catalog.batchRecords()).toBe(0);
  });

  it('is not refused half-way: a name that another definition takes meanwhile was claimed before', async () => {
    const definitions = (name: string) =>
      Object.fromEntries(
        [...Array.from({ length: 20 }, (_, index) => `${name}${index}`), name].map((each) => [
          property(each),
          { propertyDefinition: definitionBody(each) },
        ]),
      );
    for (let round = 0; round < 5; round += 1) {
      const names = [`r${round}.a`, `r${round}_a`];
      const outcomes = await Promise.allSettled(names.map((name) => catalog.batch(definitions(name))));
      for (const [index, { status }] of outcomes.entries()) {
        const urns = Object.keys(definitions(names[index] ?? ''));
        const stored = (await catalog.parts.store.entities.versions(urns)).length;
        expect(stored).toBe(status === 'fulfilled' ? urns.length : 0);
      }
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    }
  });

  it('is not refused when a property is soft deleted meanwhile: its values are hidden', async () => {
    await cutValues('a', 'b', 1);
    await catalog.write(property('p'), { status: { removed: true } });
    await rollForwardBatches(catalog.parts, () => true);
    for (const name of ['a', 'b']) {
      expect(await catalog.values(dataset(name))).toEqual([]);
      expect(await catalog.stored(dataset(name))).toEqual(['p=x']);
    }
  });

  it('in a part makes the rest, and says what was left out', async () => {
    const { incarnation } = await catalog.dataset('a');
    const changes = [
      {
        ...catalog.entityWrite(dataset('a'), describing('late')),
        preconditions: { editableDatasetProperties: { version: -1 } },
        checkedFor: incarnation,
      },
      { ...catalog.entityWrite(dataset('b'), describing('b')), checkedFor: 'nothing' },
    ];
    const batch = await recordBatch(catalog.parts, changes, catalog.context);
    await catalog.write(dataset('a'), describing('faster'));
    const late = `${dataset('a')}: editableDatasetProperties: If-Version-Match: expected version -1, actual 1`;
    expect(await refusal(carryOut(catalog.parts, batch, changes, catalog.context))).toBe(
      `precondition: Somebody wrote in between, so these were left out, the others were written: ${late}`,
    );
    expect([await catalog.description('a'), await catalog.description('b'), await catalog.batchRecords()]).toEqual([
      'faster',
      'b',
      0,
    ]);
  });
});
