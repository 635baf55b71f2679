import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clearOwners, listOwners } from '../../../api-server/catalog/resources/owners.ts';
import { deleteAspects } from '../../../api-server/catalog/write/delete-entity.ts';
import type { OwnersRequest } from '../../../api-server/store/port.ts';
import { parseUrn, schemaFieldUrn } from '../../../model/urn.ts';
import { add, assignmentsBody, dataset, mark, override, property, remove, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.dataset('d');
  for (const name of ['a', 'b', 'c']) await catalog.define(name);
});
afterEach(() => catalog.close());

const d = dataset('d');
const one = mark('one');
const two = mark('two');

/** Whose what is, as `property=resource`; `definition` for a mark on a definition. */
async function owned(request: Partial<OwnersRequest> = {}): Promise<string[]> {
  const { owners } = await listOwners(catalog.parts, { source: 'git', limit: 100, ...request });
  return owners.map(({ propertyUrn, name }) => `${propertyUrn?.slice(property('').length) ?? 'definition'}=${name}`);
}

describe('an owner mark', () => {
  it('is set by what a patch adds, and by nothing that it does not name', async () => {
    await catalog.assign(d, { c: ['0'] });
    await catalog.patch(d, [add('a', '1'), add('b', '2')], { owner: one });
    expect(await owned()).toEqual(['a=one', 'b=one']);
    expect((await listOwners(catalog.parts, { source: 'git', limit: 1 })).owners).toEqual([
      { urn: d, propertyUrn: property('a'), ...one },
    ]);
  });

  it('is set by a full replace on what it lists, and lost by what it does not list any more', async () => {
    await catalog.assign(d, { a: ['1'], b: ['2'] }, { owner: one });
    await catalog.patch(d, [add('c', '3')], { owner: two });
    await catalog.assign(d, { b: ['2'], c: ['3'] }, { owner: one });
    expect(await owned()).toEqual(['b=one', 'c=one']);
    await catalog.assign(d, { a: ['1'] }, { owner: two });
    expect(await owned()).toEqual(['a=two', 'b=one', 'c=one']);
  });

  it('is set on a definition by its write', async () => {
    const owner = mark('def', { kind: 'StructuredProperty', deletionPolicy: 'HardDelete' });
    await catalog.define('x', {}, { owner });
    expect(await owned()).toEqual(['definition=def']);
    expect(await owned({ kind: 'StructuredProperty' })).toEqual(['definition=def']);
    await catalog.define('x', { description: 'by hand' });
    await catalog.softDelete('x');
    expect((await listOwners(catalog.parts, { source: 'git', limit: 9 })).owners).toEqual([
      { urn: property('x'), ...owner },
    ]);
  });

  it('takes a new policy from its own resource, and is taken over by another', async () => {
    await catalog.patch(d, [add('a', '1')], { owner: one });
    await catalog.patch(d, [add('a', '1')], { owner: { ...one, deletionPolicy: 'Retain' } });
    expect((await listOwners(catalog.parts, { source: 'git', limit: 9 })).owners).toMatchObject([
      { name: 'one', deletionPolicy: 'Retain' },
    ]);
    await catalog.patch(d, [add('a', '2')], { owner: two });
    expect(await owned()).toEqual(['a=two']);
  });

  it('is kept by every write without a header', async () => {
    await catalog.patch(d, [add('a', '1'), add('b', '1')], { owner: one });
    await catalog.patch(d, [add('a', '9')]);
    await catalog.assign(d, { c: ['1'], a: ['1'] });
    await catalog.patch(d, [remove('a')]);
    await catalog.write(d, { status: { removed: true } });
    expect(await owned()).toEqual(['a=one', 'b=one']);
  });

  it('goes when its own resource removes the value, not when another does', async () => {
    await catalog.patch(d, [add('a', '1'), add('b', '1')], { owner: one });
    await catalog.patch(d, [remove('a')], { owner: two });
    expect(await owned()).toEqual(['a=one', 'b=one']);
    await catalog.patch(d, [remove('a'), remove('b'), remove('c')], { owner: one });
    expect(await owned()).toEqual([]);
  });

  it('goes when its own resource removes a value that nobody can see', async () => {
    await catalog.patch(d, [add('a', '1'), add('b', '1')], { owner: one });
    await catalog.softDelete('a');
    await catalog.delete(property('b'));
    await catalog.patch(d, [remove('a'), remove('b')], { owner: one });
    expect(await owned()).toEqual([]);
  });

  it.each(['a patch', 'a full replace'])('goes when %s drops what is left of a deleted property', async (write) => {
    await catalog.patch(d, [add('a', '1'), add('b', '1')], { owner: one });
    await catalog.delete(property('b'));
    if (write === 'a patch') await catalog.patch(d, [add('c', '1')]);
    else await catalog.assign(d, { a: ['1'], c: ['1'] });
    expect(await owned()).toEqual(['a=one']);
  });

  it('stays when a value inside the assignment is removed', async () => {
    await catalog.patch(d, [add('a', '1')], { owner: one });
    const path = `/properties/${property('a')}/values/0`;
    await catalog.patch(d, [{ op: 'remove', path }], { owner: one });
    expect(await owned()).toEqual(['a=one']);
  });

  it('goes with the entity', async () => {
    await catalog.patch(d, [add('a', '1')], { owner: one });
    await catalog.define('x', {}, { owner: mark('def') });
    await catalog.delete(d);
    await deleteAspects(catalog.parts, parseUrn(property('x')), new Set(['propertyDefinition']), catalog.context);
    expect(await owned()).toEqual([]);
  });

  it('of a schema field is hidden with its dataset', async () => {
    const field = schemaFieldUrn(d, 'email');
    await catalog.patch(field, [add('a', '1')], { owner: one, condition: 'upsert' });
    expect(await owned()).toEqual(['a=one']);
    await catalog.delete(d);
    expect(await owned()).toEqual([]);
    await catalog.dataset('d');
    expect(await owned()).toEqual([]);
    expect(await catalog.parts.store.entities.owners({ source: 'git', limit: 9 })).toHaveLength(1);
  });
});

describe('clearing the marks of a resource', () => {
  const { source, kind, namespace, name } = one;

  it('takes them all away and leaves values, definitions and other marks', async () => {
    await catalog.define('x', {}, { owner: one });
    await catalog.patch(d, [add('a', '1'), add('b', '2')], { owner: one });
    await catalog.patch(d, [add('c', '3')], { owner: two });
    await catalog.dataset('e');
    await catalog.patch(dataset('e'), [add('a', '4')], { owner: one });
    expect(await clearOwners(catalog.parts, { source, kind, namespace, name }, catalog.context)).toBe(4);
    expect(await owned()).toEqual(['c=two']);
    expect(await catalog.values(d)).toEqual(['a=1', 'b=2', 'c=3']);
    expect(await clearOwners(catalog.parts, { source, kind, namespace, name }, catalog.context)).toBe(0);
  });

  it.each([{ source: 'other' }, { kind: 'StructuredProperty' }, { namespace: 'other' }])(
    'leaves those of another that has its name: %j',
    async (rest) => {
      await catalog.patch(d, [add('a', '1')], { owner: one });
      await catalog.patch(d, [add('b', '2')], { owner: mark('one', rest) });
      expect(await clearOwners(catalog.parts, { source, kind, namespace, name }, catalog.context)).toBe(1);
      expect(Object.keys((await catalog.parts.store.entities.get(d))?.owners ?? {})).toEqual([property('b')]);
    },
  );

  it('neither meets nor makes what has gone meanwhile', async () => {
    const field = schemaFieldUrn(d, 'email');
    await catalog.patch(field, [add('a', '1')], { owner: one, condition: 'upsert' });
    await catalog.patch(d, [add('a', '1')], { owner: one });
    const { store } = catalog.parts;
    const entities = override(store.entities, {
      owners: async (request) => {
        const owners = await store.entities.owners(request);
        await catalog.delete(d);
        return owners;
      },
    });
    const parts = catalog.replica({ store: override(store, { entities }) });
    expect(await clearOwners(parts, { source, kind, namespace, name }, catalog.context)).toBe(0);
    expect((await store.entities.get(d))?.deleted).toBeDefined();
    await catalog.dataset('d');
    expect(await clearOwners(catalog.parts, { source, kind, namespace, name }, catalog.context)).toBe(0);
    expect(await catalog.values(field)).toBeUndefined();
  });
});

describe('listing owners', () => {
  it('goes on from page to page', async () => {
    for (let index = 0; index < 5; index += 1) {
      await catalog.dataset(`d${index}`);
      await catalog.write(
        dataset(`d${index}`),
        { structuredProperties: assignmentsBody({ a: ['1'], b: ['2'] }) },
        { owner: one },
      );
    }
    const seen: string[] = [];
    let after: OwnersRequest['after'];
    do {
      const page = await listOwners(catalog.parts, {
        source: 'git',
        limit: 3,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...page.owners.map(({ urn, propertyUrn }) => `${urn} ${propertyUrn}`));
      after = page.next;
    } while (after !== undefined);
    expect(new Set(seen).size).toBe(10);
    expect(seen).toEqual([...seen].sort());
  });
});
