import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveQuery } from '../../../api-server/catalog/find/resolve-query.ts';
import type { SearchCondition } from '../../../api-server/search/port.ts';
import { add, dataset, property, refusal, TestCatalog } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

const VERSION = '20240614080000';
const field = (name: string) => `structuredProperties.${name}`;
const versioned = (name: string, version: string, type: string) =>
  `structuredProperties._versioned.${name}.${version}.${type}`;
const resolve = async (query: string): Promise<SearchCondition> =>
  resolveQuery(query, await catalog.parts.registry.view());
const epochOf = async (name: string) =>
  `p:${(await catalog.parts.store.entities.get(property(name)))?.definitionState?.epoch}`;

describe('the name of a property', () => {
  it('means the field of its epoch now', async () => {
    await catalog.define('io.acme.tier');
    const name = field('io_acme_tier');
    const first = await epochOf('io.acme.tier');
    expect(await resolve(`_exists_:${name}`)).toEqual({ kind: 'exists', field: first });
    expect(await resolve(`${name}:Gold`)).toEqual({ kind: 'equal', field: first, value: 'Gold', fold: true });
    expect(await resolve(`${name}.keyword:Gold`)).toEqual({ kind: 'equal', field: first, value: 'Gold', fold: false });
    await catalog.delete(property('io.acme.tier'));
    expect(await resolve(`_exists_:${name}`)).toEqual({ kind: 'none' });
    await catalog.define('io.acme.tier');
    const second = await epochOf('io.acme.tier');
    expect(second).not.toBe(first);
    expect(await resolve(`_exists_:${name}`)).toEqual({ kind: 'exists', field: second });
  });

  it('may be the suffix itself', async () => {
    await catalog.define('keyword');
    const name = field('keyword');
    const own = await epochOf('keyword');
    expect(await resolve(`_exists_:${name}`)).toEqual({ kind: 'exists', field: own });
    expect(await resolve(`${name}:Gold`)).toEqual({ kind: 'equal', field: own, value: 'Gold', fold: true });
    expect(await resolve(`${name}.keyword:Gold`)).toEqual({ kind: 'equal', field: own, value: 'Gold', fold: false });
  });

  it('alone asks whether an entity has it', async () => {
    await catalog.define('a.b');
    expect(await resolve(field('a_b'))).toEqual({ kind: 'exists', field: await epochOf('a.b') });
    expect(await resolve(field('never'))).toEqual({ kind: 'none' });
  });

  it('with a version is only the versioned one, and all others match nothing', async () => {
    await catalog.define('a.b', { version: VERSION });
    const living = versioned('a_b', VERSION, 'string');
    expect(await resolve(`_exists_:${living}`)).toEqual({ kind: 'exists', field: await epochOf('a.b') });
    for (const other of [
      field('a_b'),
      versioned('a_b', '20200101000000', 'string'),
      versioned('a_b', VERSION, 'number'),
      versioned('a_c', VERSION, 'string'),
      field('a.b'),
      field('never'),
      field(''),
      'structuredProperties._versioned.a_b',
    ]) {
      expect([other, await resolve(`_exists_:${other}`)]).toEqual([other, { kind: 'none' }]);
      expect([other, await resolve(`NOT ${other}:x`)]).toEqual([other, { kind: 'not', of: { kind: 'none' } }]);
    }
    await catalog.define('a.b');
    expect(await resolve(`_exists_:${living}`)).toEqual({ kind: 'none' });
    expect(await resolve(`_exists_:${field('a_b')}`)).toEqual({ kind: 'exists', field: await epochOf('a.b') });
  });

  it('is refused while the property is soft deleted, the older names too', async () => {
    await catalog.define('a.b', { version: VERSION });
    await catalog.softDelete('a.b');
    const denied = `invalid: Cannot filter on deleted Structured Property [${property('a.b')}]`;
    for (const query of [
      `_exists_:${versioned('a_b', VERSION, 'string')}`,
      `${field('a_b')}:x`,
      `_exists_:${versioned('a_b', '20200101000000', 'string')}`,
      `name:x OR NOT ${field('a_b')}:[1 TO 2]`,
      field('a_b'),
    ]) {
      expect([query, await refusal(resolve(query))]).toEqual([query, denied]);
    }
    await catalog.restore('a.b');
    await resolve(`_exists_:${versioned('a_b', VERSION, 'string')}`);
  });
});

describe('values', () => {
  it('of a number are numbers', async () => {
    await catalog.define('n', { valueType: 'number' });
    const name = field('n');
    const physical = await epochOf('n');
    expect(await resolve(`${name}:30.0`)).toMatchObject({ kind: 'equal', field: physical, value: 30 });
    expect(await resolve(`${name}:>30`)).toMatchObject({ kind: 'range', lower: { value: 30, inclusive: false } });
    expect(await resolve(`${name}:[-1.5 TO 1e3}`)).toMatchObject({
      lower: { value: -1.5, inclusive: true },
      upper: { value: 1000, inclusive: false },
    });
    expect(await resolve(`${name}:[* TO *]`)).toEqual({ kind: 'exists', field: physical });
  });

  it('of a date are days', async () => {
    await catalog.define('when', { valueType: 'date' });
    expect(await resolve(`${field('when')}:[1970-01-02 TO *]`)).toMatchObject({ lower: { value: 1, inclusive: true } });
    expect(await resolve(`${field('when')}:"2000-01-01"`)).toMatchObject({ kind: 'equal', value: 10_957 });
  });

  it('of a URN keep their case', async () => {
    await catalog.define('who', { valueType: 'urn' });
    expect(await resolve(`${field('who')}:"urn:li:corpuser:Ada"`)).toMatchObject({
      fold: false,
      value: 'urn:li:corpuser:Ada',
    });
  });

  it('may have wildcards when they are texts', async () => {
    await catalog.define('s');
    expect(await resolve(`${field('s')}:g?ld*`)).toMatchObject({ kind: 'like', fold: true });
    expect(await resolve(`${field('s')}.keyword:g*`)).toMatchObject({ kind: 'like', fold: false });
  });
});

describe('a query that cannot be resolved', () => {
  const problem = async (query: string) => {
    try {
      await resolve(query);
    } catch (error) {
      return `${(error as { column?: number }).column}: ${(error as Error).message}`;
    }
    throw new Error('it was resolved');
  };

  it('is told the place of an unknown field', async () => {
    expect(await problem('name:x AND colour:red')).toMatch(
      /^12: .*unknown field colour; use structuredProperties\.<name> or one of/u,
    );
    expect(await problem('_exists_:structuredproperties.a')).toMatch(/^10: .*unknown field structuredproperties\.a/u);
  });

  it('is told the place of a value of another type', async () => {
    await catalog.define('n', { valueType: 'number' });
    await catalog.define('when', { valueType: 'date' });
    const before = `${field('n')}:`.length;
    expect(await problem(`${field('n')}:many`)).toMatch(
      new RegExp(`^${before + 1}: .*a number is expected, not many`, 'u'),
    );
    expect(await problem(`${field('n')}:[1 TO many]`)).toMatch(
      new RegExp(`^${before + 7}: .*a number is expected, not many`, 'u'),
    );
    expect(await problem(`${field('n')}:>x`)).toContain('a number is expected, not x');
    expect(await problem(`${field('n')}:1*`)).toMatch(new RegExp(`^${before + 1}: .*a number has no wildcards`, 'u'));
    expect(await problem(`${field('when')}:2023-02-30`)).toContain('a date YYYY-MM-DD is expected, not 2023-02-30');
    expect(await problem(`${field('when')}:20*`)).toContain('a date has no wildcards');
  });

  it('is told the place of a mistake of syntax', async () => {
    expect(await problem('name:(a')).toMatch(/^\d+: /u);
    expect(await problem('[1 TO 2]')).toContain('a range needs a field');
  });
});

describe('fields of entities and bare words', () => {
  it('are texts', async () => {
    expect(await resolve('*')).toEqual({ kind: 'all' });
    expect(await resolve('platform:Hive')).toEqual({ kind: 'equal', field: 'e:platform', value: 'Hive', fold: true });
    expect(await resolve('name.keyword:Hive')).toEqual({ kind: 'equal', field: 'e:name', value: 'Hive', fold: false });
    expect(await resolve('_exists_:description')).toEqual({ kind: 'exists', field: 'e:description' });
    expect(await resolve('"Logs.clicks"')).toEqual({
      kind: 'and',
      of: ['logs', 'clicks'].map((value) => ({ kind: 'equal', field: 'e:words', value, fold: true })),
    });
    expect(await resolve('cli*')).toMatchObject({ kind: 'like', field: 'e:words' });
  });

  it('find nothing when they are no words', async () => {
    expect(await resolve('"..."')).toEqual({ kind: 'none' });
    expect(await resolve('😀')).toEqual({ kind: 'none' });
  });
});

describe('a search', () => {
  it('forgets what reads forget, at the same moment', async () => {
    await catalog.define('p', { cardinality: 'MULTIPLE' });
    await catalog.dataset('d');
    await catalog.assign(dataset('d'), { p: ['x', 'y'] });
    await catalog.index();
    const name = field('p');
    expect(await catalog.find(`${name}:Y`)).toEqual([dataset('d')]);
    expect(await catalog.find(`NOT ${name}:y`)).toEqual([]);
    await catalog.define('p', { version: VERSION });
    const now = versioned('p', VERSION, 'string');
    expect(await catalog.find(`_exists_:${name}`)).toEqual([]);
    expect(await catalog.find(`_exists_:${now}`)).toEqual([]);
    await catalog.patch(dataset('d'), [add('p', 'z')]);
    await catalog.index();
    expect(await catalog.find(`_exists_:${now}`)).toEqual([dataset('d')]);
    await catalog.delete(property('p'));
    expect(await catalog.find(`_exists_:${now}`)).toEqual([]);
    await catalog.define('p', { valueType: 'number' });
    expect(await catalog.find(`_exists_:${name}`)).toEqual([]);
    expect(await catalog.find(`NOT _exists_:${name}`)).toEqual([dataset('d')]);
  });

  it('keeps finding by the new name what a version alone keeps', async () => {
    await catalog.define('p');
    await catalog.dataset('d');
    await catalog.assign(dataset('d'), { p: ['x'] });
    await catalog.index();
    await catalog.define('p', { version: VERSION });
    expect(await catalog.find(`${versioned('p', VERSION, 'string')}:x`)).toEqual([dataset('d')]);
    expect(await catalog.find(`${field('p')}:x`)).toEqual([]);
  });
});
