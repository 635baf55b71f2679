import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, property } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { path, TestServer } from '../../harness/http.ts';
import { exportedLines, send } from '../../harness/transfer.ts';

const SHOWN = `properties {
  structuredProperty { urn } associatedUrn created { time } lastModified { time }
  values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } valueEntities { urn } }`;
const UPSERT = `mutation($input: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $input) { ${SHOWN} } }`;
const REMOVE = `mutation($input: RemoveStructuredPropertiesInput!) { removeStructuredProperties(input: $input) { ${SHOWN} } }`;
const READ = `query($urn: String!) { dataset(urn: $urn) { structuredProperties { ${SHOWN} } } }`;

interface Entry {
  structuredProperty: { urn: string };
  values: ({ stringValue: string } | { numberValue: number })[];
  created: { time: number } | null;
  lastModified: { time: number } | null;
  valueEntities: { urn: string }[];
}

let server: TestServer;
let graphql: Graphql;
beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
  const { catalog } = server;
  await catalog.define('n', { valueType: 'number', cardinality: 'MULTIPLE' });
  await catalog.define('s');
  await catalog.define('u', { valueType: 'urn', cardinality: 'MULTIPLE' });
  await catalog.define('a/b~c');
  await catalog.define('kept', { immutable: true });
});
afterAll(() => server.close());

const assetUrn = dataset('x');
const one = (name: string, ...values: object[]) => ({ structuredPropertyUrn: property(name), values });
const upsert = async (...params: object[]): Promise<Entry[]> =>
  (await graphql.data(UPSERT, { input: { assetUrn, structuredPropertyInputParams: params } }))
    .upsertStructuredProperties.properties;
const remove = async (...names: string[]): Promise<Entry[]> =>
  (await graphql.data(REMOVE, { input: { assetUrn, structuredPropertyUrns: names.map(property) } }))
    .removeStructuredProperties.properties;
const read = async (): Promise<Entry[]> =>
  (await graphql.data(READ, { urn: assetUrn })).dataset.structuredProperties.properties;
const short = (entries: Entry[]) =>
  entries.map(
    ({ structuredProperty, values }) =>
      `${structuredProperty.urn.slice(property('').length)}=${values.flatMap((value) => Object.values(value))}`,
  );

describe('upsertStructuredProperties', () => {
  it('puts values beside those that are there, and shows all', async () => {
    await server.catalog.dataset('x');
    expect(
      short(await upsert(one('n', { numberValue: 60 }, { numberValue: 0.1 }), one('s', { stringValue: 'v' }))),
    ).toEqual(['n=60,0.1', 's=v']);
    expect(short(await upsert(one('n', { numberValue: 30 })))).toEqual(['n=30', 's=v']);
    expect(short(await upsert(one('a/b~c', { stringValue: 'w' })))).toEqual(['n=30', 's=v', 'a/b~c=w']);
    expect(short(await read())).toEqual(['n=30', 's=v', 'a/b~c=w']);
    expect(await read()).toMatchObject([{ associatedUrn: assetUrn }, { associatedUrn: assetUrn }, {}]);
  });

  it('takes a single one without a list', async () => {
    const document = `mutation { upsertStructuredProperties(input: {assetUrn: "${assetUrn}",
      structuredPropertyInputParams: {structuredPropertyUrn: "${property('s')}", values: {stringValue: "single"}}}) { properties { associatedUrn } } }`;
    await graphql.data(document);
    expect(short(await read())).toContain('s=single');
  });

  it('keeps when a value was made, and says when it was changed', async () => {
    const { catalog } = server;
    const before = catalog.clock.now();
    await upsert(one('s', { stringValue: 'first' }));
    await catalog.clock.advance(5000);
    const entry = (await upsert(one('s', { stringValue: 'second' }))).find(
      ({ structuredProperty }) => structuredProperty.urn === property('s'),
    );
    expect(entry).toMatchObject({ created: { time: before }, lastModified: { time: before + 5000 } });
  });

  it('says which entities the values name, those that exist', async () => {
    await server.catalog.write('urn:li:corpuser:ada', { corpUserInfo: {} });
    const entries = await upsert(
      one('u', { stringValue: 'urn:li:corpuser:ada' }, { stringValue: 'urn:li:corpuser:bob' }),
    );
    expect(entries.at(-1)?.valueEntities).toEqual([{ urn: 'urn:li:corpuser:ada' }]);
  });

  it.each([
    ['a value of another type', one('n', { stringValue: 'x' }), 'should be a number'],
    ['too many values', one('s', { stringValue: 'a' }, { stringValue: 'b' }), 'has cardinality 1'],
    ['a property that does not exist', one('never', { stringValue: 'a' }), 'Unexpected null value found'],
    [
      'both kinds of value',
      one('s', { stringValue: 'a', numberValue: 1 }),
      'structuredPropertyInputParams[0].values[0]: exactly one',
    ],
    ['no value', one('s', {}), 'exactly one of stringValue and numberValue'],
    ['something else than a property', { structuredPropertyUrn: dataset('x'), values: [] }, 'Unexpected entity type'],
  ])('refuses %s and writes nothing', async (_what, param, fragment) => {
    const before = await read();
    const input = { assetUrn, structuredPropertyInputParams: [one('n', { numberValue: 99 }), param] };
    const refused = await graphql.refusal(UPSERT, { input });
    expect(refused).toMatch(/^400 BAD_REQUEST: /u);
    expect(refused).toContain(fragment.replace('[0].values', '[1].values'));
    expect(await read()).toEqual(before);
  });

  it('refuses an entity that does not exist; a schema field is made', async () => {
    const input = (urn: string) => ({ assetUrn: urn, structuredPropertyInputParams: [one('s', { stringValue: 'v' })] });
    expect(await graphql.refusal(UPSERT, { input: input(dataset('never')) })).toBe(
      `404 NOT_FOUND: Entity ${dataset('never')} does not exist`,
    );
    const field = `urn:li:schemaField:(${assetUrn},id)`;
    await graphql.data(UPSERT, { input: input(field) });
    const document = `query($urn: String!) { entity(urn: $urn) { ... on SchemaFieldEntity { fieldPath parent { urn }
      structuredProperties { properties { values { ... on StringValue { stringValue } } } } } } }`;
    expect(await graphql.data(document, { urn: field })).toEqual({
      entity: {
        fieldPath: 'id',
        parent: { urn: assetUrn },
        structuredProperties: { properties: [{ values: [{ stringValue: 'v' }] }] },
      },
    });
  });

  it('refuses values of a soft-deleted property, and hides them everywhere', async () => {
    const { catalog } = server;
    await catalog.softDelete('s');
    const input = { assetUrn, structuredPropertyInputParams: [one('s', { stringValue: 'x' })] };
    expect(await graphql.refusal(UPSERT, { input })).toContain('Cannot apply a soft deleted Structured Property value');
    expect(short(await read()).join()).not.toContain('s=');
    expect(short(await upsert(one('n', { numberValue: 1 }))).join()).not.toContain('s=');
    await catalog.restore('s');
    expect(short(await read())).toContain('s=second');
  });
});

describe('removeStructuredProperties', () => {
  it('takes properties away and shows the rest; what is not there is no error', async () => {
    expect(short(await remove('s', 'never', 'a/b~c'))).toEqual(['n=1', 'u=urn:li:corpuser:ada,urn:li:corpuser:bob']);
    expect(short(await remove('n', 'u'))).toEqual([]);
    const { body } = await server.get(path('v2', assetUrn, 'structuredProperties'));
    expect(body.value).toEqual({ properties: [] });
  });

  it('refuses immutable ones and entities that do not exist', async () => {
    await upsert(one('kept', { stringValue: 'v' }));
    const input = { assetUrn, structuredPropertyUrns: [property('kept')] };
    expect(await graphql.refusal(REMOVE, { input })).toContain('Cannot delete an immutable property');
    expect(await graphql.refusal(REMOVE, { input: { ...input, assetUrn: dataset('never') } })).toContain(
      '404 NOT_FOUND',
    );
  });
});

describe('while an import is under way', () => {
  it('writes are refused, and reads are not', async () => {
    const other = await TestServer.open();
    await send(other.catalog.parts, await exportedLines(server.catalog.parts), 0, 1);
    const client = new Graphql(other);
    const input = { assetUrn, structuredPropertyInputParams: [] };
    expect(await client.refusal(UPSERT, { input })).toContain('503 SERVICE_UNAVAILABLE: An import is under way');
    expect(await client.data('{ scrollAcrossEntities(input: {query: "*"}) { total } }')).toEqual({
      scrollAcrossEntities: { total: 0 },
    });
    await other.close();
  });
});
