import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from '../../../api-server/create-server.ts';
import { kindOf } from '../../../api-server/graphql/entity-kinds.ts';
import { ENTITY_TYPES, enumNameOf } from '../../../model/entity-type.ts';
import { dataset, override, property } from '../../harness/catalog.ts';
import { Graphql } from '../../harness/graphql.ts';
import { TestServer } from '../../harness/http.ts';

let server: TestServer;
let graphql: Graphql;
beforeAll(async () => {
  server = await TestServer.open();
  graphql = new Graphql(server);
});
afterAll(() => server.close());

/** A URN of each entity type. */
const URNS: Readonly<Record<string, string>> = {
  dataset: dataset('shop.order'),
  dataFlow: 'urn:li:dataFlow:(airflow,daily,PROD)',
  dataJob: 'urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,PROD),load)',
  schemaField: `urn:li:schemaField:(${dataset('shop.order')},id)`,
  chart: 'urn:li:chart:(looker,1)',
  dashboard: 'urn:li:dashboard:(looker,2)',
  structuredProperty: property('org.a'),
};
const urnOf = (name: string) => URNS[name] ?? `urn:li:${name}:one`;

describe('an entity', () => {
  it('of every type can be read with what all have', async () => {
    const { catalog } = server;
    await catalog.define('org.a', { entityTypes: ENTITY_TYPES.map(({ name }) => name) });
    for (const { name } of ENTITY_TYPES) {
      if (name !== 'structuredProperty') await catalog.write(urnOf(name), { status: { removed: false } });
    }
    for (const type of ENTITY_TYPES) {
      const { typeName, properties } = kindOf(type);
      if (type.holdsProperties) await catalog.assign(urnOf(type.name), { 'org.a': ['v'] }, { condition: 'upsert' });
      if (properties !== undefined)
        await catalog.write(urnOf(type.name), { [properties.aspect]: { description: 'D' } });
      const more = [
        properties === undefined ? '' : 'properties { name description customProperties { key } }',
        type.holdsProperties ? 'structuredProperties { properties { associatedUrn } }' : '',
      ];
      const document = `{ entity(urn: "${urnOf(type.name)}") { __typename urn type ... on ${typeName} { exists ${more.join(' ')} } } }`;
      const { entity } = await graphql.data(document);
      expect(entity).toEqual({
        __typename: typeName,
        urn: urnOf(type.name),
        type: enumNameOf(type.name),
        exists: true,
        ...(properties === undefined
          ? {}
          : { properties: { name: expect.any(String), description: 'D', customProperties: [] } }),
        ...(type.holdsProperties
          ? { structuredProperties: { properties: [{ associatedUrn: urnOf(type.name) }] } }
          : {}),
      });
    }
  });

  it('has the fields of its type, also where it is only named', async () => {
    const { catalog } = server;
    await catalog.write(dataset('shop.order'), {
      datasetProperties: {
        name: 'Orders',
        customProperties: { owner: 'ada', odd: 5 },
        externalUrl: 'http://x',
        tags: [],
      },
      editableDatasetProperties: { description: 'Edited' },
      schemaMetadata: {
        schemaName: 'public',
        version: 3,
        fields: [{ fieldPath: 'id', nativeDataType: 'int', nullable: true }, { fieldPath: 5 }, 'x'],
      },
      subTypes: { typeNames: ['Table', 5] },
    });
    const document = `{ dataset(urn: "${dataset('shop.order')}") {
      name origin platform { urn name displayName exists properties { type } } status { removed }
      properties { name description externalUrl customProperties { key value } } editableProperties { description }
      schemaMetadata { name version fields { fieldPath nativeDataType nullable description
        schemaFieldEntity { urn exists structuredProperties { properties { values { ... on StringValue { stringValue } } } } } } }
      subTypes { typeNames } } }`;
    expect((await graphql.data(document)).dataset).toEqual({
      name: 'shop.order',
      origin: 'PROD',
      platform: { urn: 'urn:li:dataPlatform:hive', name: 'hive', displayName: null, exists: false, properties: null },
      status: { removed: false },
      properties: {
        name: 'Orders',
        description: null,
        externalUrl: 'http://x',
        customProperties: [
          { key: 'owner', value: 'ada' },
          { key: 'odd', value: null },
        ],
      },
      editableProperties: { description: 'Edited' },
      schemaMetadata: {
        name: 'public',
        version: 3,
        fields: [
          {
            fieldPath: 'id',
            nativeDataType: 'int',
            nullable: true,
            description: null,
            schemaFieldEntity: {
              urn: urnOf('schemaField'),
              exists: true,
              structuredProperties: { properties: [{ values: [{ stringValue: 'v' }] }] },
            },
          },
        ],
      },
      subTypes: { typeNames: ['Table'] },
    });
    const flow = `{ dataFlow(urn: "${urnOf('dataFlow')}") { orchestrator flowId cluster platform { name } }
      dataJob(urn: "${urnOf('dataJob')}") { jobId dataFlow { urn } } }`;
    expect(await graphql.data(flow)).toEqual({
      dataFlow: { orchestrator: 'airflow', flowId: 'daily', cluster: 'PROD', platform: { name: 'airflow' } },
      dataJob: { jobId: 'load', dataFlow: { urn: urnOf('dataFlow') } },
    });
  });

  it('of which an aspect holds anything shows what can be shown', async () => {
    const urn = dataset('odd');
    const odd = { a: 1 };
    await server.catalog.write(urn, {
      datasetProperties: { name: odd, description: 5, externalUrl: [], customProperties: 'x' },
      editableDatasetProperties: { name: [], description: odd },
      schemaMetadata: { schemaName: odd, version: 'x', fields: odd },
      subTypes: { typeNames: odd },
    });
    const flow = 'urn:li:dataFlow:(airflow ,odd,PROD)';
    await server.catalog.write(flow, { dataFlowInfo: {} });
    const document = `{ dataset(urn: "${urn}") { properties { name description externalUrl customProperties { key } }
      editableProperties { name description } schemaMetadata { name version fields { fieldPath } }
      subTypes { typeNames } }
      dataFlow(urn: "${flow}") { orchestrator platform { urn } } }`;
    expect(await graphql.data(document)).toEqual({
      dataset: {
        properties: { name: 'odd', description: null, externalUrl: null, customProperties: [] },
        editableProperties: { name: null, description: null },
        schemaMetadata: { name: '', version: null, fields: [] },
        subTypes: { typeNames: [] },
      },
      dataFlow: { orchestrator: 'airflow ', platform: { urn: 'urn:li:dataPlatform:airflow' } },
    });
  });

  it('that does not exist is null, of another type than asked for refused', async () => {
    const never = dataset('never');
    expect(await graphql.data(`{ dataset(urn: "${never}") { urn } entity(urn: "${never}") { urn } }`)).toEqual({
      dataset: null,
      entity: null,
    });
    expect(await graphql.refusal(`{ dataset(urn: "urn:li:tag:one") { urn } }`)).toBe(
      '400 BAD_REQUEST: urn:li:tag:one is a tag, not a dataset',
    );
    const urns = [urnOf('tag'), never, urnOf('domain')];
    const document = 'query($urns: [String!]!) { entities(urns: $urns) { urn } }';
    expect(await graphql.data(document, { urns })).toEqual({
      entities: [{ urn: urnOf('tag') }, null, { urn: urnOf('domain') }],
    });
    const { body } = await graphql.send(document, { urns: [urnOf('tag'), 'nonsense'] });
    expect(body.data).toEqual({ entities: [{ urn: urnOf('tag') }, null] });
    expect(body.errors?.[0]).toMatchObject({ path: ['entities', 1], extensions: { code: 400 } });
  });

  it('of a deleted dataset is gone with it, as its schema fields are', async () => {
    const { catalog } = server;
    const field = `urn:li:schemaField:(${dataset('gone')},id)`;
    await catalog.dataset('gone');
    await catalog.write(field, { status: { removed: false } });
    await catalog.delete(dataset('gone'));
    await catalog.dataset('gone');
    expect(await graphql.data(`{ entity(urn: "${field}") { urn } }`)).toEqual({ entity: null });
  });
});

describe('reading many', () => {
  const PAGE = `query($count: Int!) { searchAcrossEntities(input: {types: DATASET, query: "*", count: $count,
      orFilters: {and: {field: "platform", values: "s3"}}, searchFlags: {skipAggregates: true}}) {
    searchResults { entity { ... on Dataset { name platform { name properties { name } } structuredProperties { properties {
      structuredProperty { urn definition { displayName valueType { info { type } } } settings { isHidden } }
      values { ... on StringValue { stringValue } } valueEntities { urn ... on CorpUser { properties { name } } } } } } } } } }`;

  it('asks the store as often for ninety results as for one', async () => {
    const { catalog } = server;
    const name = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:s3,t${index},PROD)`;
    const names = Array.from({ length: 90 }, (_, index) => index);
    for (let property = 0; property < 5; property++) await catalog.define(`org.p${property}`);
    await catalog.batch(Object.fromEntries(names.map((index) => [name(index), {}])));
    for (const index of names) {
      await catalog.assign(name(index), { [`org.p${index % 5}`]: [`urn:li:corpuser:u${index}`], 'org.a': ['v'] });
      await catalog.write(`urn:li:corpuser:u${index}`, { corpUserInfo: { displayName: `User ${index}` } });
    }
    await catalog.index();
    const reads = async (count: number) => {
      let calls = 0;
      const entities = override(catalog.parts.store.entities, {
        get: (urn) => {
          calls++;
          return catalog.parts.store.entities.get(urn);
        },
        getMany: (urns, maxBytes) => {
          calls++;
          return catalog.parts.store.entities.getMany(urns, maxBytes);
        },
      });
      const store = override(catalog.parts.store, { entities });
      const counted = await createServer(catalog.replica({ store }), '1');
      const payload = { query: PAGE, variables: { count } };
      const { data } = (await counted.inject({ method: 'POST', url: '/api/graphql', payload })).json();
      await counted.close();
      expect(data.searchAcrossEntities.searchResults).toHaveLength(count);
      for (const { entity } of data.searchAcrossEntities.searchResults) {
        expect(entity.structuredProperties.properties).toHaveLength(2);
        expect(entity.structuredProperties.properties[0].valueEntities).toHaveLength(1);
        expect(entity.structuredProperties.properties[0].valueEntities[0].properties.name).toMatch(/^User /u);
      }
      return calls;
    };
    const forOne = await reads(1);
    expect(await reads(90)).toBe(forOne);
    expect(forOne).toBeLessThan(15);
  });
});
