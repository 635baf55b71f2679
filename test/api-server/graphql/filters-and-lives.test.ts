import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, definitionBody, property } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

const URN = dataset('d');

let server: TestServer;
let graphql: Graphql;

beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  await server.catalog.dataset('d');
});
afterAll(() => server.close());

describe('filters on properties with another life', () => {
  it('follow the live definition by the dotted name, whatever its version', async () => {
    const { catalog } = server;
    const name = 'org.b.versioned';
    const dotted = { field: `structuredProperties.${name}`, condition: 'EXISTS' };
    const versioned = {
      field: 'structuredProperties._versioned.org_b_versioned.20240102000000.number',
      condition: 'EXISTS',
    };
    await catalog.define(name, { valueType: 'string' });
    await catalog.assign(URN, { [name]: ['x'] });
    await catalog.index();
    expect(await graphql.find([dotted])).toEqual([URN]);
    await catalog.define(name, { valueType: 'number', version: '20240102000000' });
    expect(await graphql.find([dotted])).toEqual([]);
    await catalog.assign(URN, { [name]: [5] });
    await catalog.index();
    expect(await graphql.find([dotted])).toEqual([URN]);
    expect(await graphql.find([versioned])).toEqual([URN]);
    expect(await graphql.find([{ ...dotted, field: 'structuredProperties.org_b_versioned' }])).toEqual([]);
    expect(await graphql.find([{ field: dotted.field, values: ['5'] }])).toEqual([URN]);
  });

  it('are refused while it is soft deleted, naming each; never when it is hard deleted', async () => {
    const { catalog } = server;
    const names = ['org.c.one', 'org.c.two'];
    for (const name of names) await catalog.define(name);
    await catalog.assign(URN, { 'org.c.one': ['x'] });
    await catalog.index();
    for (const name of names) await catalog.softDelete(name);
    const search =
      'query($f: [FacetFilterInput!]) { scrollAcrossEntities(input: {query: "*", orFilters: {and: $f}}) { total } }';
    const filters = names.map((name) => ({ field: `structuredProperties.${name}`, condition: 'EXISTS' }));
    expect(await graphql.refusal(search, { f: filters })).toBe(
      `400 BAD_REQUEST: Cannot filter on deleted Structured Property [${names.map(property).join(', ')}]`,
    );
    for (const field of ['structuredProperties.org_c_one', 'structuredProperties.org.c.one.keyword']) {
      expect(await graphql.refusal(search, { f: [{ field, values: ['x'], negated: true }] })).toContain(
        `Cannot filter on deleted Structured Property [${property('org.c.one')}]`,
      );
    }
    await catalog.restore('org.c.one');
    expect(await graphql.find(filters.slice(0, 1))).toEqual([URN]);
    await catalog.delete(property('org.c.one'));
    expect(await graphql.find(filters.slice(0, 1))).toEqual([]);
    await catalog.write(property('org.c.one'), { propertyDefinition: definitionBody('org.c.one') });
    expect(await graphql.find(filters.slice(0, 1))).toEqual([]);
  });

  it('means a property whose own name ends like a suffix by its whole name', async () => {
    const { catalog } = server;
    const names = ['org.d.keyword', 'keyword', 'delimited'];
    for (const name of names) await catalog.define(name);
    await catalog.assign(URN, Object.fromEntries(names.map((name) => [name, ['k']])));
    await catalog.index();
    for (const name of names) {
      for (const suffix of ['', '.keyword', '.delimited']) {
        const found = await graphql.find([{ field: `structuredProperties.${name}${suffix}`, values: ['k'] }]);
        expect([name, suffix, found]).toEqual([name, suffix, [URN]]);
      }
    }
  });
});
