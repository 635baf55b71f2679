import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, entityPath, eventually } from '../harness/api.ts';
import { AWKWARD_NUMBERS, AWKWARD_TEXTS } from '../harness/awkward.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { Graphql } from '../harness/graphql.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** GraphQL in a real process; what the interface document says of it is tested in test/interface. */

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,SampleHiveDataset,PROD)';
const OTHER = 'urn:li:dataset:(urn:li:dataPlatform:hdfs,SampleHdfsDataset,PROD)';
const VERSIONED = 'com.example.privacy.retentionTime03';

const property = (name: string) => `urn:li:structuredProperty:${name}`;
const definition = (name: string, valueType: string, rest: object = {}) => ({
  qualifiedName: name,
  valueType: `urn:li:dataType:datahub.${valueType}`,
  cardinality: 'MULTIPLE',
  entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.dataFlow'],
  ...rest,
});

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;
  let graphql: Graphql;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({ deployment });
    api = new Api(proplane.url);
    graphql = new Graphql(api);
    const written = await api.post('/openapi/v3/entity/dataset?async=false', [
      { urn: DATASET, datasetProperties: { value: { description: 'Sample' } } },
      { urn: OTHER, datasetProperties: { value: { description: 'Sample' } } },
    ]);
    expect(written.status).toBe(200);
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  async function define(name: string, valueType: string, rest: object = {}): Promise<void> {
    const { status, body } = await api.post(
      entityPath('v3', property(name), 'propertyDefinition'),
      definition(name, valueType, rest),
    );
    expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  }

  async function put(urn: string, values: Record<string, readonly (string | number)[]>): Promise<void> {
    const properties = Object.entries(values).map(([name, list]) => ({
      propertyUrn: property(name),
      values: list.map((value) => (typeof value === 'number' ? { double: value } : { string: value })),
    }));
    const { status, body } = await api.post(entityPath('v3', urn, 'structuredProperties'), { properties });
    expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  }

  describe('filters on a property', () => {
    const scroll = (name: string, condition: string) => `query {
      scrollAcrossEntities(
        input: {
          types: DATASET,
          count: 10,
          query: "*",
          orFilters: {
            and: [ { field: "structuredProperties.${name}", ${condition} } ]
          }
        }
      ) { searchResults { entity { urn, type } } }
    }`;
    const urns = async (document: string) =>
      (await graphql.data(document)).scrollAcrossEntities.searchResults.map(
        ({ entity }: { entity: { urn: string } }) => entity.urn,
      );

    it('mean a versioned property by the same dotted name', async () => {
      await define(VERSIONED, 'string', { version: '20240614080000' });
      await put(OTHER, { [VERSIONED]: ['foo'] });
      await eventually(async () => {
        expect(await urns(scroll(VERSIONED, 'condition: EXISTS'))).toEqual([OTHER]);
        expect(await graphql.facet(`structuredProperties.${VERSIONED}`)).toEqual(['foo=1']);
      });
    });

    it('are refused while the property is soft deleted, and find nothing once it is hard deleted', async () => {
      const status = entityPath('v3', property(VERSIONED), 'status');
      await api.post(status, { removed: true });
      expect(await graphql.refusal(scroll(VERSIONED, 'condition: EXISTS'))).toBe(
        `400 BAD_REQUEST: Cannot filter on deleted Structured Property [${property(VERSIONED)}]`,
      );
      expect(await graphql.facet(`structuredProperties.${VERSIONED}`)).toEqual([]);
      await api.post(status, { removed: false });
      expect(await urns(scroll(VERSIONED, 'condition: EXISTS'))).toEqual([OTHER]);
      await api.delete(entityPath('v3', property(VERSIONED)));
      expect(await urns(scroll(VERSIONED, 'condition: EXISTS'))).toEqual([]);
      expect(await graphql.facet(`structuredProperties.${VERSIONED}`)).toEqual([]);
    });

    it('are answered at every address of the server and of the frontend', async () => {
      const frontend = new Api(proplane.frontendUrl);
      const clients = [
        ...['/api/graphql', '/api/v2/graphql', '/gms/api/graphql'].map((path) => new Graphql(api, path)),
        ...['/api/graphql', '/api/v2/graphql', '/api/gms/api/graphql', '/api/gms/api/v2/graphql'].map(
          (path) => new Graphql(frontend, path),
        ),
      ];
      for (const client of clients) expect(await client.facet('origin')).toEqual(['PROD=2']);
    });
  });

  describe('awkward values', () => {
    const text = { field: 'structuredProperties.awkward.text' };
    const number = { field: 'structuredProperties.awkward.number' };

    beforeAll(async () => {
      await define('awkward.text', 'string');
      await define('awkward.number', 'number');
      await put(DATASET, { 'awkward.text': AWKWARD_TEXTS, 'awkward.number': AWKWARD_NUMBERS });
      await put(OTHER, { 'awkward.text': ['other'], 'awkward.number': [-0, 7] });
      await eventually(async () => {
        expect(await graphql.find([{ ...text, condition: 'EXISTS' }])).toEqual([OTHER, DATASET]);
        expect(await graphql.find([{ ...number, values: ['7'] }])).toEqual([OTHER]);
      });
    });

    it('are found by their pieces, wildcards being text', async () => {
      const found = (condition: string, value: string) => graphql.find([{ ...text, condition, values: [value] }]);
      expect(await found('CONTAIN', '*?')).toEqual([DATASET]);
      expect(await found('START_WITH', '"QUOTED" AND \\')).toEqual([DATASET]);
      expect(await found('END_WITH', `${'y'.repeat(100)}Z`)).toEqual([DATASET]);
      expect(await found('CONTAIN', 'o*r')).toEqual([]);
      expect(await found('CONTAIN', 'THE')).toEqual([OTHER]);
    });

    it('are shown exactly by the entity', async () => {
      const document = `query($urn: String!) { dataset(urn: $urn) { structuredProperties { properties {
        structuredProperty { urn } values { ... on StringValue { stringValue } ... on NumberValue { numberValue } } } } } }`;
      const { dataset } = await graphql.data(document, { urn: DATASET });
      const values = dataset.structuredProperties.properties.map((entry: { values: object[] }) =>
        entry.values.flatMap((value) => Object.values(value)),
      );
      expect(values).toEqual([AWKWARD_TEXTS, AWKWARD_NUMBERS]);
    });
  });

  describe('mutations', () => {
    it('define, put, take away and delete, and search follows', async () => {
      const create = `mutation { createStructuredProperty(input: {
        id: "made.by.graphql", valueType: "urn:li:dataType:datahub.string", cardinality: MULTIPLE,
        entityTypes: ["urn:li:entityType:datahub.dataset"], settings: {showInSearchFilters: true}
      }) { urn } }`;
      const urn = property('made.by.graphql');
      expect(await graphql.data(create)).toEqual({ createStructuredProperty: { urn } });
      const upsert = `mutation { upsertStructuredProperties(input: { assetUrn: "${OTHER}", structuredPropertyInputParams: [
        { structuredPropertyUrn: "${urn}", values: [{stringValue: "one"}, {stringValue: "two"}] } ] }) { properties { associatedUrn } } }`;
      await graphql.data(upsert);
      const field = 'structuredProperties.made.by.graphql';
      await eventually(async () => expect(await graphql.facet(field)).toEqual(['one=1', 'two=1']));
      await eventually(async () => {
        const { aggregateAcrossEntities } = await graphql.data(
          '{ aggregateAcrossEntities(input: {query: "*"}) { facets { field } } }',
        );
        expect(aggregateAcrossEntities.facets).toContainEqual({ field });
      });
      await graphql.data(`mutation { deleteStructuredProperty(input: {urn: "${urn}"}) }`);
      expect(await graphql.find([{ field, condition: 'EXISTS' }])).toEqual([]);
    });
  });
});
