import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readEntity } from '../../../api-server/catalog/read/read-entities.ts';
import { patchEntities } from '../../../api-server/catalog/write/change-entities.ts';
import type { Patch } from '../../../model/patch.ts';
import { parseUrn } from '../../../model/urn.ts';
import { SYSTEM_CLOCK } from '../../../process/clock.ts';
import { add, assignmentBody, dataset, property, refusal, remove, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.dataset('d');
});
afterEach(() => catalog.close());

const d = dataset('d');
const aspectOf = async (urn: string, name: string) =>
  (await readEntity(catalog.context, parseUrn(urn)))?.aspects[name]?.value;

describe('values', () => {
  it('of a dataset that does not exist are refused, and it is not made', async () => {
    await catalog.define('p');
    expect(await refusal(catalog.assign(dataset('none'), { p: ['x'] }))).toBe(
      `missing: Entity ${dataset('none')} does not exist`,
    );
    expect(await refusal(catalog.patch(dataset('none'), [add('p', 'x')]))).toContain('missing: ');
    expect(await catalog.parts.store.entities.get(dataset('none'))).toBeUndefined();
    await catalog.assign(dataset('none'), { p: ['x'] }, { condition: 'upsert' });
    expect(await catalog.values(dataset('none'))).toEqual(['p=x']);
    await catalog.patch(dataset('other'), [add('p', 'x')], { condition: 'upsert' });
    expect(await catalog.values(dataset('other'))).toEqual(['p=x']);
  });

  it('that break rules are refused by POST and PATCH alike, every rule named, and nothing is written', async () => {
    await catalog.define('n', { valueType: 'number', allowedValues: [{ value: { double: 30 } }] });
    await catalog.define('p');
    await catalog.define('flow', { entityTypes: ['dataFlow'] });
    await catalog.assign(d, { p: ['kept'] });
    const rules = [
      'has cardinality 1, but 2 values were given',
      'value: {string=x} should be a number',
      'value: {double=31.0} should be one of [{double=30.0}]',
      'Unexpected null value found for urn:li:structuredProperty:none',
      'not for entity type dataset',
    ];
    const refusals = [
      await refusal(catalog.assign(d, { n: ['x', 31], p: ['new'], none: ['y'], flow: ['z'] })),
      await refusal(catalog.patch(d, [add('p', 'new'), add('n', 'x', 31), add('none', 'y'), add('flow', 'z')])),
    ];
    for (const text of refusals) {
      expect(text).toMatch(/^invalid: /u);
      for (const rule of rules) expect(text).toContain(rule);
    }
    expect(await catalog.values(d)).toEqual(['p=kept']);
  });

  it('are stored in canonical form', async () => {
    await catalog.define('n', {
      valueType: 'number',
      cardinality: 'MULTIPLE',
      allowedValues: [{ value: { string: '30' } }, { value: { double: 5 } }],
    });
    await catalog.assign(d, { n: ['30', 5] });
    const document = await catalog.parts.store.entities.get(d);
    expect(document?.assignments[0]).toMatchObject({ values: [{ double: 30 }, { double: 5 }], valueType: 'number' });
  });

  it('keep their order, and a replace takes the order that is sent', async () => {
    for (const name of ['z', 'a', 'm']) await catalog.define(name, { cardinality: 'MULTIPLE' });
    await catalog.assign(d, { z: ['2', '1', '2'], a: [], m: ['x'] });
    expect(await catalog.values(d)).toEqual(['z=2,1,2', 'a=', 'm=x']);
    await catalog.assign(d, { m: ['x'], z: ['1'] });
    expect(await catalog.values(d)).toEqual(['m=x', 'z=1']);
  });

  it('on another entity type are let through with a warning when the server is set so', async () => {
    const lenient = await TestCatalog.open({ entityTypesCheck: 'warn' });
    await lenient.define('flow', { entityTypes: ['dataFlow'] });
    await lenient.dataset('d');
    await lenient.assign(d, { flow: ['x'] });
    await lenient.patch(d, [add('flow', 'y')]);
    expect(await lenient.values(d)).toEqual(['flow=y']);
    await lenient.close();
  });

  it('that stand may be sent again after the entity types or the allowed values went another way', async () => {
    await catalog.define('p', { entityTypes: ['dataset'] });
    await catalog.define('q');
    await catalog.assign(d, { p: ['x'] });
    await catalog.define('p', { entityTypes: ['chart'] });
    await catalog.assign(d, { p: ['x'], q: ['y'] });
    await catalog.patch(d, [add('q', 'z')]);
    await catalog.patch(d, [add('p', 'x')]);
    expect(await catalog.values(d)).toEqual(['p=x', 'q=z']);
    expect(await refusal(catalog.patch(d, [add('p', 'y')]))).toContain('not for entity type dataset');
    expect(await refusal(catalog.patch(d, [remove('p'), add('p', 'y')]))).toContain('not for entity type dataset');
  });

  it('of an immutable property stay', async () => {
    await catalog.define('p', { immutable: true });
    await catalog.define('q');
    await catalog.assign(d, { p: ['x'] });
    const stays = `Cannot delete an immutable property: ${property('p')}`;
    expect(await refusal(catalog.assign(d, { p: ['y'] }))).toContain('Cannot mutate an immutable property');
    expect(await refusal(catalog.patch(d, [add('p', 'y')]))).toContain('Cannot mutate an immutable property');
    expect(await refusal(catalog.assign(d, { q: ['y'] }))).toContain(stays);
    expect(await refusal(catalog.patch(d, [remove('p')]))).toContain(stays);
    await catalog.assign(d, { q: ['y'], p: ['x'] });
    expect(await catalog.values(d)).toEqual(['q=y', 'p=x']);
  });
});

describe('a patch of values', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await catalog.define(name, { cardinality: 'MULTIPLE' });
    await catalog.assign(d, { a: ['1'], b: ['2'] });
  });

  it('sets one property and leaves the others', async () => {
    await catalog.patch(d, [add('a', '9')]);
    await catalog.patch(d, [add('c', '3')]);
    expect(await catalog.values(d)).toEqual(['a=9', 'b=2', 'c=3']);
    await catalog.patch(d, [remove('a'), add('a', '7')]);
    expect(await catalog.values(d)).toEqual(['b=2', 'c=3', 'a=7']);
    await catalog.patch(d, [remove('none'), remove('b')]);
    expect(await catalog.values(d)).toEqual(['c=3', 'a=7']);
  });

  it('may go into the values', async () => {
    const values = `/properties/${property('a')}/values`;
    await catalog.patch(d, [{ op: 'add', path: `${values}/-`, value: { string: 'x' } }]);
    await catalog.patch(d, [{ op: 'add', path: `${values}/0`, value: { string: 'y' } }]);
    await catalog.patch(d, [{ op: 'remove', path: `${values}/1` }]);
    expect(await catalog.values(d)).toEqual(['a=y,x', 'b=2']);
    await catalog.patch(d, [{ op: 'add', path: values, value: [{ string: 'z' }] }]);
    await catalog.patch(d, [{ op: 'add', path: `/properties/${property('c')}/values/-`, value: { string: 'new' } }]);
    expect(await catalog.values(d)).toEqual(['a=z', 'b=2', 'c=new']);
    const key = { op: 'replace', path: `/properties/${property('a')}/propertyUrn`, value: property('b') };
    expect(await refusal(catalog.patch(d, [key]))).toContain('invalid: ');
  });

  it('that names one property twice in a whole list is refused', async () => {
    const value = [assignmentBody('a', '1'), assignmentBody('a', '2')];
    expect(await refusal(catalog.patch(d, [{ op: 'add', path: '/properties', value }]))).toContain(
      'has multiple entries',
    );
  });

  it('that changes nothing writes nothing', async () => {
    const before = await catalog.parts.store.entities.get(d);
    for (const operations of [[], [remove('none')], [add('a', '1')]]) await catalog.patch(d, operations);
    expect(await catalog.parts.store.entities.get(d)).toEqual(before);
  });

  it('that is malformed is refused with the operation', async () => {
    expect(await refusal(catalog.patch(d, [add('a', '5'), { op: 'add', path: `/properties/${property('b')}` }]))).toBe(
      'invalid: patch[1].value: operation add needs a value',
    );
    expect(await refusal(catalog.patch(d, [{ op: 'add', path: '/other', value: 1 }]))).toBe(
      'invalid: unknown field "other"',
    );
    const wrong = { op: 'add', path: `/properties/${property('a')}`, value: assignmentBody('b', '1') };
    expect(await refusal(catalog.patch(d, [wrong]))).toContain('is not the one in the path');
    expect(await catalog.values(d)).toEqual(['a=1', 'b=2']);
  });
});

describe('a patch of another aspect', () => {
  const patch = (urn: string, aspect: string, operations: Patch['patch'], rest: Partial<Patch> = {}) =>
    patchEntities(
      catalog.parts,
      [{ urn: parseUrn(urn), patches: [{ aspect, patch: { patch: operations, ...rest } }], condition: 'upsert' }],
      catalog.context,
    );

  it('is written as if the whole had been sent', async () => {
    await patch(d, 'status', [{ op: 'add', path: '/removed', value: true }]);
    expect(await aspectOf(d, 'status')).toEqual({ removed: true });
    expect(await refusal(patch(d, 'status', [{ op: 'add', path: '/removed', value: 'x' }]))).toContain(
      'invalid: removed',
    );
    await patch(d, 'globalTags', [{ op: 'add', path: '/tags/urn:li:tag:x', value: { tag: 'urn:li:tag:x' } }]);
    await patch(d, 'globalTags', [{ op: 'add', path: '/tags/urn:li:tag:x', value: { tag: 'urn:li:tag:x' } }]);
    expect(await aspectOf(d, 'globalTags')).toEqual({ tags: [{ tag: 'urn:li:tag:x' }] });
    await patch(d, 'ownership', [{ op: 'add', path: '/owners/ada', value: {} }], {
      arrayPrimaryKeys: { owners: ['owner'] },
    });
    expect(await aspectOf(d, 'ownership')).toEqual({ owners: [{ owner: 'ada' }] });
  });

  it('of a definition follows its rules', async () => {
    await catalog.define('p', { entityTypes: ['dataset'], cardinality: 'MULTIPLE' });
    const type = 'urn:li:entityType:datahub.chart';
    await patch(property('p'), 'propertyDefinition', [{ op: 'add', path: `/entityTypes/${type}`, value: type }]);
    expect(await aspectOf(property('p'), 'propertyDefinition')).toMatchObject({
      entityTypes: ['urn:li:entityType:datahub.dataset', type],
    });
    const narrow = patch(property('p'), 'propertyDefinition', [
      { op: 'replace', path: '/cardinality', value: 'SINGLE' },
    ]);
    expect(await refusal(narrow)).toContain('cardinality cannot be changed from MULTI to SINGLE');
    const rename = patch(property('p'), 'propertyDefinition', [{ op: 'replace', path: '/qualifiedName', value: 'q' }]);
    expect(await refusal(rename)).toContain('Cannot change the fully qualified name');
  });
});

describe('an aspect', () => {
  it('counts the writes that change it', async () => {
    const versions: (number | undefined)[] = [];
    for (const description of ['a', 'a', 'b', 'a']) {
      await catalog.clock.advance(1000);
      const document = await catalog.write(d, { editableDatasetProperties: { description } });
      versions.push(document.aspects.editableDatasetProperties?.version);
    }
    expect(versions).toEqual([1, 1, 2, 3]);
    const { created, modified } = (await catalog.parts.store.entities.get(d))?.aspects.editableDatasetProperties ?? {};
    expect(Number(modified?.time) - Number(created?.time)).toBe(3000);
    expect(modified?.actor).toBe('urn:li:corpuser:ada');
  });

  it('may be required to be new', async () => {
    const body = { editableDatasetProperties: { description: 'x' } };
    await catalog.write(d, body, { onlyNew: true });
    expect(await refusal(catalog.write(d, body, { onlyNew: true }))).toBe(
      'invalid: editableDatasetProperties: Cannot perform CREATE since the aspect already exists',
    );
    await catalog.define('p', {}, { onlyNew: true });
    expect(await refusal(catalog.define('p', {}, { onlyNew: true }))).toContain('Cannot perform CREATE');
    await catalog.assign(d, { p: ['x'] }, { onlyNew: true });
    expect(await refusal(catalog.assign(d, { p: ['x'] }, { onlyNew: true }))).toContain('Cannot perform CREATE');
    expect(await refusal(catalog.assign(dataset('none'), { p: ['x'] }, { onlyNew: true }))).toContain('missing: ');
  });

  it('is checked with all others of the write, and named twice it is refused', async () => {
    const wrong = { status: { removed: 1 }, structuredProperties: { properties: [{}] }, datasetKey: { name: 'x' } };
    const text = await refusal((async () => catalog.write(d, wrong))());
    for (const path of ['status.removed', 'structuredProperties.properties[0].propertyUrn', 'datasetKey.platform']) {
      expect(text).toContain(path);
    }
    expect(await refusal((async () => catalog.write(d, { status: {}, Status: {} }))())).toBe(
      'invalid: Status: the aspect status is there twice',
    );
    expect(await refusal((async () => catalog.write(d, { nothing: {} }))())).toBe(
      'invalid: Unknown aspect nothing for entity dataset',
    );
  });

  it('that is a key makes an entity and is never stored', async () => {
    const key = { platform: 'urn:li:dataPlatform:hive', name: 'new', origin: 'PROD' };
    await catalog.write(dataset('new'), { datasetKey: key });
    expect((await catalog.parts.store.entities.get(dataset('new')))?.aspects).toEqual({});
    expect(await aspectOf(dataset('new'), 'datasetKey')).toEqual(key);
  });
});

describe('writers at the same time', () => {
  it('who patch two properties of one dataset lose no value', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => catalog.define(name)));
    // those that collide wait a moment for each other
    const replica = () => catalog.replica({ after: SYSTEM_CLOCK.after });
    await Promise.all(names.map((name) => catalog.patch(d, [add(name, name)], {}, replica())));
    expect([...((await catalog.values(d)) ?? [])].sort()).toEqual(names.map((name) => `${name}=${name}`).sort());
  });
});
