import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../harness/fake-server.ts';
import {
  assign,
  CLICKS,
  dataset,
  property,
  RETENTION,
  RETENTION_NAME,
  textProperty,
  VIEWS,
} from '../harness/manifests.ts';
import { OperatorBench } from '../harness/operator-bench.ts';

let server: FakeServer;
let bench: OperatorBench;

beforeEach(async () => {
  server = await new FakeServer().listen();
  server.catalogue.addDataset(CLICKS);
  bench = await OperatorBench.create(server.url);
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

describe('references and targets', () => {
  it('applies a value whose property comes in a later file', async () => {
    await bench.write('a.yaml', dataset());
    await bench.write('z.yaml', property());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('waits for a property that appears while it runs, and is woken by it', async () => {
    await bench.write('a.yaml', dataset());
    await bench.start();
    expect((await bench.reason('clicks', 'ReferenceNotFound')).message).toContain('governance/retention');
    await bench.write('b.yaml', property());
    await bench.reason('clicks', 'Applied');
  });

  it('finds properties in another namespace and by qualified name, defined by nobody here', async () => {
    server.catalogue.define(
      'urn:li:structuredProperty:com.example.tier',
      {
        qualifiedName: 'com.example.tier',
        valueType: 'string',
        entityTypes: ['dataset'],
      },
      undefined,
    );
    await bench.write(
      'all.yaml',
      property({}, { namespace: 'elsewhere' }),
      dataset({
        properties: [
          { propertyRef: { name: 'retention', namespace: 'elsewhere' }, values: 30 },
          { propertyRef: { qualifiedName: 'com.example.tier' }, values: ['gold'] },
        ],
      }),
    );
    await bench.start();
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [30], 'com.example.tier': ['gold'] });
  });

  it('keeps the values while the property that they refer to is not there', async () => {
    await bench.write('property.yaml', property({ deletionPolicy: 'Retain' }));
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.remove('property.yaml');
    await bench.reason('clicks', 'ReferenceNotFound');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('leaves the values of a soft-deleted property alone, says so, and goes on when it is restored', async () => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('property.yaml', property({ removed: true }));
    await bench.reason('clicks', 'ReferenceRemoved');
    expect(server.catalogue.values(CLICKS)).toEqual({});
    await bench.write('property.yaml', property());
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('waits for a dataset that does not exist, does the others, and notices when it appears', async () => {
    await bench.write('all.yaml', property(), dataset({ datasetUrns: [VIEWS, CLICKS] }));
    await bench.start();
    expect((await bench.reason('clicks', 'DatasetNotFound')).message).toContain(VIEWS);
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
    server.catalogue.addDataset(VIEWS);
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(VIEWS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('creates a missing dataset when it is told to, also for fields alone, and never deletes it', async () => {
    const spec = {
      datasetUrns: [VIEWS],
      whenMissing: 'Create',
      properties: [],
      fields: [{ fieldPath: 'email', properties: [assign('retention', 30)] }],
    };
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset(spec));
    await bench.start();
    await bench.reason('clicks', 'Applied');
    const field = `urn:li:schemaField:(${VIEWS},email)`;
    expect(server.catalogue.values(field)).toEqual({ [RETENTION_NAME]: [30] });
    await bench.remove('dataset.yaml');
    await bench.eventually(async () => expect(bench.row('clicks')).toBeUndefined());
    expect(server.catalogue.values(field)).toEqual({});
    expect(server.catalogue.values(VIEWS)).toEqual({});
  });

  it('gives a selector the datasets that match, and takes the values back from those that no longer do', async () => {
    server.catalogue.addDataset(VIEWS);
    server.catalogue.addDataset('urn:li:dataset:(urn:li:dataPlatform:kafka,logs.clicks,PROD)');
    const select = (namePattern: string) =>
      dataset({ datasetSelector: { platform: 'hive', environment: 'PROD', namePattern } });
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', select('logs.*'));
    await bench.start();
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
    expect(server.catalogue.values(VIEWS)).toEqual({ [RETENTION_NAME]: [90] });
    expect([...server.catalogue.marks]).toHaveLength(3);
    await bench.write('dataset.yaml', select('logs.c*'));
    await bench.eventually(async () => expect(server.catalogue.values(VIEWS)).toEqual({}));
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('follows an edit: changes a value, removes what is no longer listed, leaves what is not its own', async () => {
    await bench.write('properties.yaml', property(), textProperty('tier'), textProperty('note'));
    await bench.write('dataset.yaml', dataset({ properties: [assign('retention', 90), assign('tier', 'gold')] }));
    await bench.start();
    await bench.reason('clicks', 'Applied');
    const note = 'urn:li:structuredProperty:com.example.note';
    const value = { propertyUrn: note, values: [{ string: 'by hand' }] };
    server.catalogue.patchAssignments(CLICKS, [{ op: 'add', ...value }], { create: false });
    await bench.write('dataset.yaml', dataset({ properties: [assign('retention', 365)] }));
    await bench.eventually(async () =>
      expect(server.catalogue.values(CLICKS)).toEqual({ 'com.example.note': ['by hand'], [RETENTION_NAME]: [365] }),
    );
  });

  it('holds a dataset to exactly its list with Replace', async () => {
    await bench.write('properties.yaml', property(), textProperty('note'));
    await bench.start();
    await bench.reason('note', 'Applied');
    const note = 'urn:li:structuredProperty:com.example.note';
    const value = { propertyUrn: note, values: [{ string: 'by hand' }] };
    server.catalogue.patchAssignments(CLICKS, [{ op: 'add', ...value }], { create: false });
    await bench.write('dataset.yaml', dataset({ ownership: 'Replace' }));
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('reapplies a value after a breaking change of its property, made in the same moment', async () => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    const changed = property({ valueType: 'string', allowedValues: [{ value: 'long' }], version: '20260101000000' });
    await bench.write('dataset.yaml', dataset({ properties: [assign('retention', 'long')] }));
    await bench.write('property.yaml', changed);
    await bench.eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: ['long'] }));
    expect(server.catalogue.properties.get(RETENTION)?.definition?.version).toBe('20260101000000');
  });
});
