import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteAspects } from '../../../api-server/catalog/write/delete-entity.ts';
import { parseUrn } from '../../../model/urn.ts';
import {
  add,
  assignmentBody,
  dataset,
  type Operation,
  property,
  refusal,
  remove,
  TestCatalog,
} from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.dataset('d');
  for (const name of ['a', 'b', 'c', 'x']) await catalog.define(name);
  await catalog.assign(d, { a: ['1'], b: ['2'], c: ['3'] });
});
afterEach(() => catalog.close());

const d = dataset('d');
const DENIED = `Cannot apply a soft deleted Structured Property value: ${property('b')}`;

describe('values of a soft-deleted property', () => {
  it('are hidden at once and come back in their place', async () => {
    await catalog.softDelete('b');
    expect(await catalog.values(d)).toEqual(['a=1', 'c=3']);
    expect(await catalog.values(d, catalog.replica())).toEqual(['a=1', 'c=3']);
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual(['a=1', 'b=2', 'c=3']);
  });

  it('come back when the status is deleted', async () => {
    await catalog.softDelete('b');
    await deleteAspects(catalog.parts, parseUrn(property('b')), new Set(['status']), catalog.context);
    expect(await catalog.values(d)).toEqual(['a=1', 'b=2', 'c=3']);
  });

  it('cannot be set, with others or alone, and nothing is written then', async () => {
    await catalog.softDelete('b');
    expect(await refusal(catalog.assign(d, { a: ['9'], b: ['2'] }))).toBe(`invalid: properties[1]: ${DENIED}`);
    expect(await refusal(catalog.patch(d, [add('a', '9'), add('b', '9')]))).toContain(DENIED);
    expect(await catalog.values(d)).toEqual(['a=1', 'c=3']);
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual(['a=1', 'b=2', 'c=3']);
  });

  it('are gone for good when the whole aspect is deleted', async () => {
    await catalog.softDelete('b');
    await deleteAspects(catalog.parts, parseUrn(d), new Set(['structuredProperties']), catalog.context);
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual([]);
    expect(await catalog.stored(d)).toEqual([]);
  });
});

describe('a full replace while a property is hidden', () => {
  it('puts the hidden assignment back behind its stored predecessor', async () => {
    await catalog.softDelete('b');
    await catalog.assign(d, { c: ['3'], a: ['1'], x: ['9'] });
    expect(await catalog.values(d)).toEqual(['c=3', 'a=1', 'x=9']);
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual(['c=3', 'a=1', 'b=2', 'x=9']);
  });

  it('puts it first when its predecessor is gone', async () => {
    await catalog.softDelete('b');
    await catalog.assign(d, { c: ['4'] });
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual(['b=2', 'c=4']);
  });

  it('keeps several hidden ones together, also when nothing else is left', async () => {
    await catalog.softDelete('a');
    await catalog.softDelete('b');
    await catalog.assign(d, { x: ['9'], c: ['3'] });
    await catalog.assign(d, {});
    await catalog.restore('b');
    await catalog.restore('a');
    expect(await catalog.values(d)).toEqual(['a=1', 'b=2']);
  });

  it('of what is visible, unchanged, is no write', async () => {
    await catalog.softDelete('b');
    const before = await catalog.parts.store.entities.get(d);
    await catalog.assign(d, { a: ['1'], c: ['3'] });
    expect(await catalog.parts.store.entities.get(d)).toEqual(before);
  });
});

describe('a patch while a property is hidden', () => {
  const path = `/properties/${property('b')}`;

  it('may remove it', async () => {
    await catalog.softDelete('b');
    await catalog.patch(d, [remove('b')]);
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual(['a=1', 'c=3']);
  });

  it('of others leaves it where it is', async () => {
    await catalog.softDelete('b');
    await catalog.patch(d, [remove('a'), add('c', '4'), add('a', '5')]);
    expect(await catalog.values(d)).toEqual(['c=4', 'a=5']);
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual(['b=2', 'c=4', 'a=5']);
  });

  it.each<[string, Operation[]]>([
    ['adds it', [add('b', '9')]],
    ['adds it as it stands', [add('b', '2')]],
    ['removes and adds it', [remove('b'), add('b', '9')]],
    ['replaces it', [{ op: 'replace', path, value: assignmentBody('b', '9') }]],
    ['tests it', [{ op: 'test', path, value: assignmentBody('b', '2') }]],
    ['replaces its values', [{ op: 'replace', path: `${path}/values`, value: [{ string: '9' }] }]],
    ['adds a value', [{ op: 'add', path: `${path}/values/-`, value: { string: '9' } }]],
    ['removes a value', [{ op: 'remove', path: `${path}/values/0` }]],
    ['names it in a whole list', [{ op: 'add', path: '/properties', value: [assignmentBody('b', '9')] }]],
    ['names it in a whole aspect', [{ op: 'replace', path: '', value: { properties: [assignmentBody('b', '9')] } }]],
  ])('is refused when it %s', async (_what, operations) => {
    await catalog.softDelete('b');
    const before = await catalog.parts.store.entities.get(d);
    expect(await refusal(catalog.patch(d, operations))).toContain(DENIED);
    expect(await catalog.parts.store.entities.get(d)).toEqual(before);
  });

  it('is refused when a whole list names one that does not stand on the entity', async () => {
    await catalog.softDelete('x');
    const operation = { op: 'add', path: '/properties', value: [assignmentBody('x', '9')] };
    expect(await refusal(catalog.patch(d, [operation]))).toContain('Cannot apply a soft deleted');
  });

  it('that replaces the whole list keeps it, as a full replace does', async () => {
    await catalog.softDelete('b');
    await catalog.patch(d, [{ op: 'replace', path: '/properties', value: [assignmentBody('c', '3')] }]);
    await catalog.restore('b');
    expect(await catalog.values(d)).toEqual(['b=2', 'c=3']);
  });
});

describe('a soft-deleted definition', () => {
  it('cannot be changed until it is restored', async () => {
    await catalog.softDelete('b');
    expect(await refusal(catalog.define('b', { description: 'x' }))).toBe(
      'invalid: Cannot mutate a soft deleted Structured Property Definition',
    );
    await catalog.restore('b');
    await catalog.define('b', { description: 'x' });
  });

  it('can be restored and changed in one write', async () => {
    await catalog.softDelete('b');
    const body = { qualifiedName: 'b', valueType: 'string', entityTypes: ['dataset'], description: 'x' };
    await catalog.write(property('b'), { status: { removed: false }, propertyDefinition: body });
    expect(await catalog.values(d)).toEqual(['a=1', 'b=2', 'c=3']);
  });

  it('can be hard-deleted', async () => {
    await catalog.softDelete('b');
    await catalog.delete(property('b'));
    await catalog.define('b');
    expect(await catalog.values(d)).toEqual(['a=1', 'c=3']);
  });

  it('cannot be made of a property that does not exist', async () => {
    expect(await refusal(catalog.softDelete('nothing'))).toBe(`missing: Entity ${property('nothing')} does not exist`);
    expect(await refusal(catalog.restore('nothing'))).toContain('missing: ');
  });
});
