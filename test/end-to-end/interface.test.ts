import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Api, addProperty, entityPath, eventually } from '../harness/api.ts';
import { type Deployment, onEachDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** The interface document from top to bottom, by HTTP against the process that `npm start` starts. */

const RETENTION = 'urn:li:structuredProperty:com.example.privacy.retentionTime';
const RETENTION_2 = 'urn:li:structuredProperty:com.example.privacy.retentionTime02';
const VERSIONED = 'urn:li:structuredProperty:com.example.privacy.retentionTime03';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,SampleHiveDataset,PROD)';
const OTHER = 'urn:li:dataset:(urn:li:dataPlatform:hdfs,SampleHdfsDataset,PROD)';

const retention = {
  qualifiedName: 'com.example.privacy.retentionTime',
  valueType: 'urn:li:dataType:datahub.number',
  description: 'How long to keep the data',
  displayName: 'Retention Time',
  cardinality: 'MULTIPLE',
  entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.dataFlow'],
  allowedValues: [
    { value: { double: 30 }, description: 'ephemeral, contains personal data' },
    { value: { double: 60 }, description: 'for monthly reports' },
    { value: { double: 365 }, description: 'not sensitive' },
  ],
};

const words = {
  qualifiedName: 'com.example.privacy.retentionTime02',
  displayName: 'Retention words',
  valueType: 'urn:li:dataType:datahub.string',
  cardinality: 'SINGLE',
  entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.dataFlow'],
  allowedValues: [{ value: { string: 'foo2' } }, { value: { string: 'bar2' } }],
};

await onEachDeployment((newDeployment) => {
  let deployment: Deployment;
  let proplane: ProplaneProcess;
  let api: Api;

  beforeAll(async () => {
    deployment = await newDeployment();
    proplane = await ProplaneProcess.start({ deployment });
    api = new Api(proplane.url);
  });

  afterAll(async () => {
    await proplane?.kill();
    await deployment?.remove();
  });

  function search(query: string, more = ''): Promise<Answer> {
    const parameters = `aspects=datasetKey&aspects=structuredProperties&count=10&sort=urn&sortOrder=ASCENDING${more}`;
    return api.get(`/openapi/v3/entity/dataset?systemMetadata=false&${parameters}&query=${encodeURIComponent(query)}`);
  }

  async function urnsOf(query: string): Promise<string[]> {
    const { status, body } = await search(query);
    expect({ status, query, message: body.message }).toEqual({ status: 200, query, message: undefined });
    return body.entities.map((entity: { urn: string }) => entity.urn);
  }

  async function valuesOf(urn: string): Promise<unknown> {
    const { body } = await api.get(entityPath('v3', urn, 'structuredProperties'));
    return body.structuredProperties.value.properties;
  }

  describe('datasets', () => {
    it('are created one by one and in a batch', async () => {
      const key = { name: 'SampleHiveDataset', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' };
      const one = await api.post(entityPath('v3', DATASET, 'datasetKey'), key);
      expect(one.status).toBe(200);
      expect(one.body).toEqual({ urn: DATASET, datasetKey: { value: key } });
      const many = await api.post('/openapi/v3/entity/dataset?async=false', [
        { urn: OTHER, status: { value: { removed: false } } },
      ]);
      expect(many.status).toBe(200);
      expect(many.body[0]).toMatchObject({ urn: OTHER, status: { value: { removed: false } } });
    });
  });

  describe('definitions', () => {
    it('are written and read in both versions, each with its wrapper', async () => {
      const written = await api.post(entityPath('v3', RETENTION, 'propertyDefinition'), retention);
      expect(written.status).toBe(200);
      expect(written.body).toEqual({ urn: RETENTION, propertyDefinition: { value: retention } });
      const second = await api.post(entityPath('v2', RETENTION_2, 'propertyDefinition'), words);
      expect(second.body).toEqual({ urn: RETENTION_2, aspects: { propertyDefinition: { value: words } } });
      expect((await api.get(entityPath('v2', RETENTION, 'propertyDefinition'))).body).toEqual({ value: retention });
      expect((await api.get(entityPath('v3', RETENTION, 'propertyDefinition'))).body).toEqual({
        urn: RETENTION,
        propertyDefinition: { value: retention },
      });
    });

    it('are updated by posting them again', async () => {
      const wider = { ...retention, allowedValues: [...retention.allowedValues, { value: { double: 90 } }] };
      expect((await api.post(entityPath('v2', RETENTION, 'propertyDefinition'), wider)).status).toBe(200);
      const read = await api.get(entityPath('v2', RETENTION, 'propertyDefinition'));
      expect(read.body.value.allowedValues).toHaveLength(4);
    });

    it('refuse a breaking change without a version, naming each break, and keep what they were', async () => {
      const narrower = {
        ...retention,
        cardinality: 'SINGLE',
        valueType: 'urn:li:dataType:datahub.string',
        allowedValues: [],
      };
      const { status, body } = await api.post(entityPath('v3', RETENTION, 'propertyDefinition'), narrower);
      expect(status).toBe(400);
      expect(body.error).toBe('Validation Error');
      expect(body.message).toContain('Value type cannot be changed');
      expect(body.message).toContain('cardinality cannot be changed from MULTI to SINGLE');
      expect(body.message).toContain('Cannot restrict values that were previously allowed');
      const read = await api.get(entityPath('v2', RETENTION, 'propertyDefinition'));
      expect(read.body.value.cardinality).toBe('MULTIPLE');
    });

    it.each([
      ['an unknown data type', { valueType: 'urn:li:dataType:datahub.unknown' }, 'unknown data type'],
      ['an unknown entity type', { entityTypes: ['urn:li:entityType:datahub.nothing'] }, 'unknown entity type'],
      ['an entity type without namespace', { entityTypes: ['urn:li:entityType:dataset'] }, 'unknown entity type'],
      ['a version that is no 14 digits', { version: '2024' }, 'Invalid version specified. Must match [0-9]{14}'],
      ['an unknown field', { colour: 'red' }, 'unknown field "colour"'],
      ['an unknown cardinality', { cardinality: 'SOME' }, 'cardinality'],
      ['a name that is not the one in the URN', { qualifiedName: 'other' }, 'Cannot change the fully qualified name'],
    ])('refuse %s', async (_what, change, fragment) => {
      const urn = 'urn:li:structuredProperty:com.example.wrong';
      const { status, body } = await api.post(entityPath('v3', urn, 'propertyDefinition'), {
        ...retention,
        qualifiedName: 'com.example.wrong',
        ...change,
      });
      expect(status).toBe(400);
      expect(body.message).toContain(fragment);
      expect((await api.get(entityPath('v3', urn))).status).toBe(404);
    });
  });

  describe('properties on a dataset', () => {
    it('are set and replaced by POST', async () => {
      const properties = [{ propertyUrn: RETENTION, values: [{ double: 60 }] }];
      const { status, body } = await api.post(entityPath('v3', DATASET, 'structuredProperties'), { properties });
      expect(status).toBe(200);
      expect(body).toEqual({ urn: DATASET, structuredProperties: { value: { properties } } });
      const again = await api.post(entityPath('v2', OTHER, 'structuredProperties'), { properties });
      expect(again.body).toEqual({ urn: OTHER, aspects: { structuredProperties: { value: { properties } } } });
    });

    it('refuse a dataset or a property that does not exist, and write nothing', async () => {
      const nowhere = 'urn:li:dataset:(urn:li:dataPlatform:hive,nowhere,PROD)';
      const properties = [{ propertyUrn: RETENTION, values: [{ double: 60 }] }];
      expect((await api.post(entityPath('v3', nowhere, 'structuredProperties'), { properties })).status).toBe(404);
      expect(
        (await api.patch(entityPath('v3', nowhere, 'structuredProperties'), addProperty(RETENTION, []))).status,
      ).toBe(404);
      expect((await api.get(entityPath('v3', nowhere))).status).toBe(404);
      const unknown = 'urn:li:structuredProperty:com.example.unknown';
      const refused = await api.post(entityPath('v3', DATASET, 'structuredProperties'), {
        properties: [{ propertyUrn: unknown, values: [{ double: 1 }] }],
      });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain(`Unexpected null value found for ${unknown}`);
      expect(await valuesOf(DATASET)).toEqual(properties);
    });

    it('name every violated rule', async () => {
      const { status, body } = await api.post(entityPath('v3', DATASET, 'structuredProperties'), {
        properties: [
          { propertyUrn: RETENTION, values: [{ double: 31 }, { string: 'often' }] },
          { propertyUrn: RETENTION_2, values: [{ string: 'foo2' }, { string: 'baz' }] },
          { propertyUrn: RETENTION, values: [] },
        ],
      });
      expect(status).toBe(400);
      for (const fragment of [
        'value: {double=31.0} should be one of [',
        'value: {string=often} should be a number',
        'has cardinality 1',
        'value: {string=baz} should be one of [',
        'has multiple entries',
      ]) {
        expect(body.message).toContain(fragment);
      }
    });

    it('are patched one by one: the others stay, a property that is removed and added again is listed last', async () => {
      const added = await api.patch(
        entityPath('v3', DATASET, 'structuredProperties'),
        addProperty(RETENTION_2, [{ string: 'bar2' }]),
      );
      const first = { propertyUrn: RETENTION, values: [{ double: 60 }] };
      const second = { propertyUrn: RETENTION_2, values: [{ string: 'bar2' }] };
      expect(added.status).toBe(200);
      expect(added.body).toEqual({ urn: DATASET, structuredProperties: { value: { properties: [first, second] } } });
      const remove = {
        patch: [{ op: 'remove', path: `/properties/${RETENTION}` }],
        arrayPrimaryKeys: { properties: ['propertyUrn'] },
      };
      const removed = await api.patch(entityPath('v2', DATASET, 'structuredProperties'), remove);
      expect(removed.body).toEqual({
        urn: DATASET,
        aspects: { structuredProperties: { value: { properties: [second] } } },
      });
      const back = await api.patch(
        entityPath('v2', DATASET, 'structuredProperties'),
        addProperty(RETENTION, [{ double: 365 }]),
      );
      expect(back.body.aspects.structuredProperties.value.properties).toEqual([
        second,
        { propertyUrn: RETENTION, values: [{ double: 365 }] },
      ]);
    });

    it('are checked in a patch as in a POST', async () => {
      const before = await valuesOf(DATASET);
      const { status, body } = await api.patch(
        entityPath('v3', DATASET, 'structuredProperties'),
        addProperty(RETENTION_2, [{ string: 'baz' }]),
      );
      expect(status).toBe(400);
      expect(body.message).toContain('value: {string=baz} should be one of [');
      expect(await valuesOf(DATASET)).toEqual(before);
    });
  });

  describe('search by property values', () => {
    const field = 'structuredProperties.com_example_privacy_retentionTime';

    it.each([
      ['a range', `${field}:>300`, [DATASET]],
      ['a range with both ends', `${field}:[30 TO 60]`, [OTHER]],
      ['an open range', `${field}:{60 TO *}`, [DATASET]],
      ['existence', `_exists_:${field}`, [OTHER, DATASET]],
      ['equality', `${field}:60`, [OTHER]],
      ['equality of strings', 'structuredProperties.com_example_privacy_retentionTime02:bar2', [DATASET]],
      ['a wildcard', 'structuredProperties.com_example_privacy_retentionTime02:b?r*', [DATASET]],
      ['AND, OR, NOT and groups', `${field}:60 OR (${field}:365 AND NOT platform:hdfs)`, [OTHER, DATASET]],
      ['a field of the entity', 'platform:hive', [DATASET]],
      ['everything', '*', [OTHER, DATASET]],
      ['a name that nobody defined', 'structuredProperties.nobody:1', []],
    ])('finds by %s', (_what, query, expected) =>
      eventually(async () => expect(await urnsOf(query)).toEqual(expected)),
    );

    it('returns the aspects that are asked for', async () => {
      const { body } = await search(`${field}:365`);
      expect(body.entities).toEqual([
        {
          urn: DATASET,
          datasetKey: { value: { name: 'SampleHiveDataset', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' } },
          structuredProperties: {
            value: {
              properties: [
                { propertyUrn: RETENTION_2, values: [{ string: 'bar2' }] },
                { propertyUrn: RETENTION, values: [{ double: 365 }] },
              ],
            },
          },
        },
      ]);
    });

    it('points at the place of a mistake', async () => {
      for (const [query, place] of [
        [`${field}:[1 TO`, 'column'],
        [`${field}:many`, `column ${field.length + 2}: a number is expected`],
        ['colour:red', 'column 1: unknown field colour'],
      ] as const) {
        const { status, body } = await search(query);
        expect(status).toBe(400);
        expect(body.message).toContain(place);
      }
    });

    it('pages in order, each entity once', async () => {
      const first = await api.get('/openapi/v3/entity/dataset?count=1&aspects=datasetKey');
      const second = await api.get(
        `/openapi/v3/entity/dataset?count=1&aspects=datasetKey&scrollId=${first.body.scrollId}`,
      );
      expect([first, second].map(({ body }) => body.entities[0].urn)).toEqual([OTHER, DATASET]);
    });
  });

  describe('versions of a definition', () => {
    const field = (version: string) =>
      `structuredProperties._versioned.com_example_privacy_retentionTime03.${version}.string`;
    const definition = { ...words, qualifiedName: 'com.example.privacy.retentionTime03', cardinality: 'MULTIPLE' };

    it('let a breaking change pass and hide the old values, in reads and in search', async () => {
      await api.post(entityPath('v3', VERSIONED, 'propertyDefinition'), { ...definition, version: '20240614080000' });
      const path = entityPath('v3', DATASET, 'structuredProperties');
      await api.patch(path, addProperty(VERSIONED, [{ string: 'foo2' }, { string: 'bar2' }]));
      await eventually(async () => expect(await urnsOf(`${field('20240614080000')}:foo2`)).toEqual([DATASET]));
      expect(await urnsOf('structuredProperties.com_example_privacy_retentionTime03:foo2')).toEqual([]);
      const single = { ...definition, cardinality: 'SINGLE' };
      const same = await api.post(entityPath('v3', VERSIONED, 'propertyDefinition'), {
        ...single,
        version: '20240614080000',
      });
      expect(same.status).toBe(400);
      const greater = await api.post(entityPath('v3', VERSIONED, 'propertyDefinition'), {
        ...single,
        version: '20240614080001',
      });
      expect(greater.status).toBe(200);
      expect(JSON.stringify(await valuesOf(DATASET))).not.toContain('retentionTime03');
      expect(await urnsOf(`_exists_:${field('20240614080001')}`)).toEqual([]);
      await api.patch(path, addProperty(VERSIONED, [{ string: 'bar2' }]));
      await eventually(async () => expect(await urnsOf(field('20240614080001'))).toEqual([DATASET]));
      expect(await urnsOf(`${field('20240614080000')}:bar2`)).toEqual([]);
    });
  });

  describe('soft deletion', () => {
    const status = entityPath('v3', RETENTION, 'status');

    it('hides the values and denies definition, values and filters', async () => {
      const before = await valuesOf(DATASET);
      const removed = await api.post(`${status}?systemMetadata=false`, { removed: true });
      expect(removed.body).toEqual({ urn: RETENTION, status: { value: { removed: true } } });
      expect(JSON.stringify(await valuesOf(DATASET))).not.toContain(`"${RETENTION}"`);
      const definition = await api.post(entityPath('v3', RETENTION, 'propertyDefinition'), retention);
      expect([definition.status, definition.body.message]).toEqual([
        400,
        'Cannot mutate a soft deleted Structured Property Definition',
      ]);
      const value = await api.patch(
        entityPath('v3', DATASET, 'structuredProperties'),
        addProperty(RETENTION, [{ double: 30 }]),
      );
      expect([value.status, value.body.message]).toEqual([400, expect.stringContaining('Cannot apply a soft deleted')]);
      const filter = await search('structuredProperties.com_example_privacy_retentionTime:>1');
      expect([filter.status, filter.body.message]).toEqual([
        400,
        expect.stringContaining('Cannot filter on deleted Structured Property'),
      ]);
      const restored = await api.post(entityPath('v2', RETENTION, 'status'), { removed: false });
      expect(restored.body).toEqual({ urn: RETENTION, aspects: { status: { value: { removed: false } } } });
      expect(await valuesOf(DATASET)).toEqual(before);
    });

    it('is undone by deleting the status aspect too', async () => {
      await api.post(status, { removed: true });
      expect((await api.delete(status)).status).toBe(200);
      expect(JSON.stringify(await valuesOf(DATASET))).toContain(`"${RETENTION}"`);
    });
  });

  describe('hard deletion', () => {
    it('answers 200 without a body; no read and no search shows a value from then on; the name is free at once', async () => {
      const { status, body } = await api.delete(entityPath('v3', RETENTION));
      expect([status, body]).toEqual([200, '']);
      expect((await api.get(entityPath('v3', RETENTION))).status).toBe(404);
      expect(JSON.stringify(await valuesOf(DATASET))).not.toContain(`"${RETENTION}"`);
      expect(await urnsOf('_exists_:structuredProperties.com_example_privacy_retentionTime')).toEqual([]);
      const text = { ...words, qualifiedName: retention.qualifiedName };
      expect((await api.post(entityPath('v3', RETENTION, 'propertyDefinition'), text)).status).toBe(200);
      expect(JSON.stringify(await valuesOf(DATASET))).not.toContain(`"${RETENTION}"`);
      expect(await urnsOf('_exists_:structuredProperties.com_example_privacy_retentionTime')).toEqual([]);
    });
  });

  describe('addresses', () => {
    it('answer under /gms, through the frontend under /api/gms, and /openapi on the frontend', async () => {
      const path = entityPath('v3', DATASET, 'datasetKey');
      const frontend = new Api(proplane.frontendUrl);
      const expected = (await api.get(path)).body;
      expect(expected.urn).toBe(DATASET);
      expect((await api.get(`/gms${path}`)).body).toEqual(expected);
      expect((await frontend.get(`/api/gms${path}`)).body).toEqual(expected);
      expect((await frontend.get(path)).body).toEqual(expected);
      const slashed = 'urn:li:dataset:(urn:li:dataPlatform:s3,bucket/a b/100%/ü(1),PROD)';
      expect((await frontend.post(`/api/gms${entityPath('v3', slashed, 'status')}`, { removed: false })).body.urn).toBe(
        slashed,
      );
    });

    it('read a whole entity by its URN alone, directly and through the proxy', async () => {
      const path = `/entities/${encodeURIComponent(DATASET)}`;
      const { body } = await api.get(path);
      const { urn, aspects } = body.value['com.linkedin.metadata.snapshot.DatasetSnapshot'];
      expect(urn).toBe(DATASET);
      expect(aspects).toContainEqual({
        'com.linkedin.metadata.key.DatasetKey': {
          platform: 'urn:li:dataPlatform:hive',
          name: 'SampleHiveDataset',
          origin: 'PROD',
        },
      });
      expect((await new Api(proplane.frontendUrl).get(`/api/gms${path}`)).body).toEqual(body);
      expect(
        (await api.get(`/entities/${encodeURIComponent('urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)')}`))
          .status,
      ).toBe(404);
      const whole = await api.get(`/entitiesV2/${encodeURIComponent(DATASET)}`);
      expect(whole.body).toMatchObject({
        urn: DATASET,
        entityName: 'dataset',
        aspects: { datasetKey: { version: 0 } },
      });
    });

    it('tell that the server lives, is ready, and how it does', async () => {
      expect((await api.get('/health')).status).toBe(200);
      expect((await api.get('/ready')).body).toMatchObject({ ready: true });
      expect((await api.get('/metrics')).body).toContain('proplane_http_request_duration_seconds_bucket');
      expect((await api.get('/openapi/v3/api-docs')).body.openapi).toMatch(/^3\./u);
      expect((await api.get('/openapi/ui/')).status).toBe(200);
    });
  });
});
