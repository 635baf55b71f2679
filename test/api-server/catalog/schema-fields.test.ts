import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readEntity } from '../../../api-server/catalog/read/read-entities.ts';
import { deleteAspects } from '../../../api-server/catalog/write/delete-entity.ts';
import { parseUrn, schemaFieldUrn } from '../../../model/urn.ts';
import { add, assignmentsBody, dataset, override, refusal, remove, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.define('p');
  await catalog.dataset('d');
});
afterEach(() => catalog.close());

const d = dataset('d');
const email = schemaFieldUrn(d, 'email');
const values = (text: string) => ({ structuredProperties: assignmentsBody({ p: [text] }) });

describe('a schema field', () => {
  it('is made by its first write', async () => {
    expect(await catalog.values(email)).toBeUndefined();
    await catalog.write(email, values('x'));
    expect(await catalog.values(email)).toEqual(['p=x']);
    const other = schemaFieldUrn(d, '[version=2.0].[type=array].items,(x)');
    await catalog.patch(other, [add('p', 'y')], { condition: 'upsert' });
    expect(await catalog.values(other)).toEqual(['p=y']);
    const view = await readEntity(catalog.context, parseUrn(email));
    expect(view?.aspects.schemaFieldKey?.value).toEqual({ parent: d, fieldPath: 'email' });
  });

  it('of a dataset that does not exist is refused, naming the dataset', async () => {
    const field = schemaFieldUrn(dataset('none'), 'email');
    const message = `missing: Entity ${dataset('none')} does not exist`;
    expect(await refusal(catalog.write(field, values('x')))).toBe(message);
    expect(await refusal(catalog.patch(field, [add('p', 'x')], { condition: 'upsert' }))).toBe(message);
    expect(await refusal(catalog.batch({ [email]: values('x'), [field]: values('x') }))).toContain('does not exist');
    expect(await catalog.parts.store.entities.get(field)).toBeUndefined();
    expect(await catalog.values(email)).toBeUndefined();
  });

  it('is hidden with its dataset and does not come back with one of the same name', async () => {
    await catalog.write(email, values('x'));
    await catalog.index();
    expect(await catalog.find('*', 'schemaField')).toEqual([email]);
    await catalog.delete(d);
    expect(await catalog.values(email)).toBeUndefined();
    expect(await catalog.find('*', 'schemaField')).toEqual([]);
    expect(await refusal(catalog.write(email, values('y')))).toContain('missing: ');
    expect(await refusal(catalog.patch(email, [remove('p')]))).toContain('missing: ');
    await catalog.dataset('d');
    expect(await catalog.values(email)).toBeUndefined();
    expect(await catalog.find('*', 'schemaField')).toEqual([]);
    expect(await catalog.find('structuredProperties.p:x', 'schemaField')).toEqual([]);
  });

  it('begins a new life on the new dataset, with nothing of the old one', async () => {
    await catalog.write(email, { ...values('x'), documentation: { text: 'old' } });
    const old = await catalog.parts.store.entities.get(email);
    await catalog.delete(d);
    await catalog.dataset('d');
    await catalog.patch(email, [add('p', 'y')], { condition: 'upsert' });
    const view = await readEntity(catalog.context, parseUrn(email));
    expect(Object.keys(view?.aspects ?? {}).sort()).toEqual(['schemaFieldKey', 'structuredProperties']);
    expect(await catalog.values(email)).toEqual(['p=y']);
    const now = await catalog.parts.store.entities.get(email);
    expect(now?.incarnation).not.toBe(old?.incarnation);
    expect(now?.revision).toBe(Number(old?.revision) + 1);
  });

  it('stays with a dataset that is only soft deleted', async () => {
    await catalog.write(email, values('x'));
    await catalog.write(d, { status: { removed: true } });
    expect(await catalog.values(email)).toEqual(['p=x']);
  });

  it('that is hidden can be deleted, whole or an aspect of it, without harm', async () => {
    await catalog.write(email, values('x'));
    await catalog.delete(d);
    await deleteAspects(catalog.parts, parseUrn(email), new Set(['structuredProperties']), catalog.context);
    expect((await catalog.parts.store.entities.get(email))?.assignments).toHaveLength(1);
    await catalog.delete(email);
    expect((await catalog.parts.store.entities.get(email))?.deleted).toBe(catalog.clock.now());
  });

  it('cannot be written by who read its dataset before that was deleted and made again', async () => {
    const { store } = catalog.parts;
    let isFirst = true;
    const entities = {
      versions: async (urns: readonly string[]) => {
        const versions = await store.entities.versions(urns);
        if (isFirst) {
          isFirst = false;
          await catalog.delete(d);
          await catalog.dataset('d');
        }
        return versions;
      },
    };

    const slow = catalog.replica({ store: override(store, { entities: override(store.entities, entities) }) });
    await catalog.patch(email, [add('p', 'x')], { condition: 'upsert' }, slow);
    // The write of the slow one belongs to the dataset's earlier life.
    expect(await catalog.values(email)).toBeUndefined();
    await catalog.patch(email, [add('p', 'y')], { condition: 'upsert' });
    expect(await catalog.values(email)).toEqual(['p=y']);
  });
});
