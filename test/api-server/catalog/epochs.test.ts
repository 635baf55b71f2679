import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { add, dataset, property, refusal, remove, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
  await catalog.dataset('d');
});
afterEach(() => catalog.close());

const d = dataset('d');
const epochOf = async (name: string) =>
  (await catalog.parts.store.entities.get(property(name)))?.definitionState?.epoch;

describe('values', () => {
  it('of a deleted property are hidden at once, and stay hidden when it is defined again', async () => {
    await catalog.define('p');
    await catalog.define('q');
    await catalog.assign(d, { p: ['old'], q: ['kept'] });
    await catalog.delete(property('p'));
    expect(await catalog.values(d)).toEqual(['q=kept']);
    await catalog.define('p');
    expect(await catalog.values(d)).toEqual(['q=kept']);
    await catalog.delete(property('p'));
    await catalog.define('p', { valueType: 'number' });
    expect(await catalog.values(d)).toEqual(['q=kept']);
    await catalog.patch(d, [add('p', 5)]);
    expect(await catalog.values(d)).toEqual(['q=kept', 'p=5']);
  });

  it('are hidden by a breaking change and can be set anew', async () => {
    await catalog.define('p', { cardinality: 'MULTIPLE' });
    await catalog.assign(d, { p: ['a', 'b'] });
    await catalog.define('p', { cardinality: 'SINGLE', version: '20240614080000' });
    expect(await catalog.values(d)).toEqual([]);
    await catalog.patch(d, [add('p', 'c')]);
    expect(await catalog.values(d)).toEqual(['p=c']);
  });

  it('are kept by a new version that breaks nothing, and by every other change', async () => {
    await catalog.define('p', { allowedValues: [{ value: { string: 'a' } }] });
    await catalog.assign(d, { p: ['a'] });
    const epoch = await epochOf('p');
    for (const change of [
      { version: '20240614080000', allowedValues: [{ value: { string: 'a' } }] },
      { cardinality: 'MULTIPLE', allowedValues: [{ value: { string: 'b' } }, { value: { string: 'a' } }] },
      { cardinality: 'MULTIPLE' },
      { cardinality: 'MULTIPLE', entityTypes: [], description: 'narrower' },
      { cardinality: 'MULTIPLE', version: '20200101000000' },
    ]) {
      await catalog.define('p', change);
      expect(await catalog.values(d)).toEqual(['p=a']);
      expect(await epochOf('p')).toBe(epoch);
    }
  });

  it('that nobody can see any more are dropped by the next write of the entity', async () => {
    await catalog.define('gone');
    await catalog.define('broken', { cardinality: 'MULTIPLE' });
    await catalog.define('p');
    await catalog.assign(d, { gone: ['x'], broken: ['y'], p: ['z'] });
    await catalog.delete(property('gone'));
    await catalog.define('broken', { version: '20240614080000' });
    expect(await catalog.stored(d)).toEqual(['gone=x', 'broken=y', 'p=z']);
    await catalog.patch(d, [remove('gone')]);
    expect(await catalog.stored(d)).toEqual(['p=z']);
  });

  it('of a deleted property cannot be set or removed by naming it', async () => {
    await catalog.define('p');
    await catalog.assign(d, { p: ['x'] });
    await catalog.delete(property('p'));
    expect(await refusal(catalog.patch(d, [add('p', 'y')]))).toContain('Unexpected null value found');
    expect(await refusal(catalog.assign(d, { p: ['y'] }))).toContain('Unexpected null value found');
    const values = { op: 'add', path: `/properties/${property('p')}/values/-`, value: { string: 'y' } };
    expect(await refusal(catalog.patch(d, [values]))).toContain('Unexpected null value found');
    expect(await catalog.stored(d)).toEqual(['p=x']);
  });
});

describe('a definition', () => {
  it('needs a greater version to break than it ever had', async () => {
    await catalog.define('p', { valueType: 'number', version: '20240614080000' });
    await catalog.define('p', { valueType: 'number' });
    await catalog.define('p', { valueType: 'number', version: '20200101000000' });
    for (const version of [undefined, '20200101000000', '20230101000000', '20240614080000']) {
      const change = { valueType: 'string', ...(version === undefined ? {} : { version }) };
      expect(await refusal(catalog.define('p', change))).toMatch(
        /^invalid: valueType: Value type cannot be changed .* \(greater than 20240614080000\)$/u,
      );
    }
    const before = await epochOf('p');
    await catalog.define('p', { valueType: 'string', version: '20240614080001' });
    expect(await epochOf('p')).not.toBe(before);
  });

  it('breaks with its first version, and names all that breaks without one', async () => {
    await catalog.define('p', { cardinality: 'MULTIPLE' });
    expect(await refusal(catalog.define('p', { valueType: 'date', allowedValues: [] }))).toBe(
      'invalid: valueType: Value type cannot be changed from urn:li:dataType:datahub.string to urn:li:dataType:datahub.date without a greater version; ' +
        'cardinality: Property definition cardinality cannot be changed from MULTI to SINGLE without a greater version; ' +
        'allowedValues: Cannot restrict values that were previously allowed: any value was allowed before; a greater version is needed',
    );
    await catalog.define('p', { valueType: 'date', allowedValues: [], version: '00000000000000' });
  });

  it('that is defined again after its deletion remembers no version', async () => {
    await catalog.define('p', { valueType: 'number', version: '20240614080000' });
    const before = await epochOf('p');
    await catalog.delete(property('p'));
    await catalog.define('p', { valueType: 'string', version: '20200101000000' });
    expect(await epochOf('p')).not.toBe(before);
    await catalog.define('p', { valueType: 'date', version: '20200101000001' });
  });

  it('that is sent again unchanged writes nothing', async () => {
    const first = await catalog.define('p', { description: 'x', cardinality: 'SINGLE' });
    const second = await catalog.define('p', { cardinality: 'SINGLE', description: 'x' });
    expect(second.revision).toBe(first.revision);
    expect(second).toEqual(first);
  });
});
