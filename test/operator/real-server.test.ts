import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { apiServerEnvironment } from '../../api-server/config.ts';
import { type RunningApiServer, startApiServer } from '../../api-server/server.ts';
import { Api, entityPath } from '../harness/api.ts';
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
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** What only the real API server can prove: that it takes the operator's requests as the operator means them. */

let server: RunningApiServer;
let api: Api;
let bench: OperatorBench;
let data: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  data = await temporaryFolder();
  const config = apiServerEnvironment.parse({ API_PORT: '0', DATA_DIR: data.path });
  server = await startApiServer(config, pino({ level: 'silent' }));
  api = new Api(server.url);
  bench = await OperatorBench.create(server.url);
  await createDataset(CLICKS);
});

afterEach(async () => {
  await bench.close();
  await server.stop();
  await data.remove();
});

async function createDataset(urn: string): Promise<void> {
  const path = `${entityPath('v3', urn, 'structuredProperties')}?createIfEntityNotExists=true`;
  expect((await api.patch(path, { patch: [] })).status).toBe(200);
}

async function valuesOf(urn: string): Promise<Record<string, unknown[]> | undefined> {
  const { status, body } = await api.get(`${entityPath('v3', urn)}?aspects=structuredProperties`);
  if (status === 404) return undefined;
  const properties: { propertyUrn: string; values: object[] }[] = body.structuredProperties?.value.properties ?? [];
  return Object.fromEntries(
    properties.map(({ propertyUrn, values }) => [
      propertyUrn.replace('urn:li:structuredProperty:', ''),
      values.flatMap((value) => Object.values(value)),
    ]),
  );
}

/** A count may still change: the search index was behind when it was first asked. */
function withoutHolders(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'holders' ? undefined : value)));
}

describe('the operator and the API server', () => {
  it('create a missing dataset for values of its fields alone', async () => {
    const fields = [{ fieldPath: 'a/b~c.email', properties: [assign('retention', 30)] }];
    await bench.write(
      'all.yaml',
      property(),
      dataset({ datasetUrns: [VIEWS], whenMissing: 'Create', properties: [], fields }),
    );
    await bench.start();
    await bench.reason('clicks', 'Applied');
    expect(await valuesOf(`urn:li:schemaField:(${VIEWS},a/b~c.email)`)).toEqual({ [RETENTION_NAME]: [30] });
  });

  it('find the datasets that a selector means, and take values back', async () => {
    await createDataset(VIEWS);
    const select = (namePattern: string) => dataset({ datasetSelector: { platform: 'hive', namePattern } });
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', select('logs.*'));
    await bench.start({ resyncSeconds: 1 });
    await bench.eventually(async () => {
      expect(await valuesOf(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
      expect(await valuesOf(VIEWS)).toEqual({ [RETENTION_NAME]: [90] });
    });
    await bench.write('dataset.yaml', select('logs.v*'));
    await bench.eventually(async () => expect(await valuesOf(CLICKS)).toEqual({}));
    expect(await valuesOf(VIEWS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('soft delete, change while soft deleted, and restore', async () => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('property.yaml', property({ removed: true, description: 'hidden' }));
    await bench.reason('clicks', 'ReferenceRemoved');
    const { body } = await api.get(`${entityPath('v3', RETENTION)}?aspects=propertyDefinition&aspects=status`);
    expect(body.status.value.removed).toBe(true);
    expect(body.propertyDefinition.value.description).toBe('hidden');
    expect(await valuesOf(CLICKS)).toEqual({});
    await bench.write('property.yaml', property({ description: 'hidden' }));
    await bench.reason('clicks', 'Applied');
    expect(await valuesOf(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('make a breaking change and change the values in the same moment', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    const changed = property({ valueType: 'string', allowedValues: [{ value: 'long' }], version: '20260101000000' });
    await bench.write('all.yaml', changed, dataset({ properties: [assign('retention', 'long')] }));
    await bench.eventually(async () => expect(await valuesOf(CLICKS)).toEqual({ [RETENTION_NAME]: ['long'] }));
  });

  it.each(['HardDelete', 'SoftDelete', 'Retain'])('carry out %s and leave no mark', async (deletionPolicy) => {
    await bench.write('a.yaml', property({ deletionPolicy }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.remove('a.yaml');
    await bench.eventually(async () => expect(bench.row('retention')).toBeUndefined());
    const { status, body } = await api.get(`${entityPath('v3', RETENTION)}?aspects=propertyDefinition&aspects=status`);
    expect([status, body.status?.value.removed ?? false]).toEqual(
      deletionPolicy === 'HardDelete' ? [404, false] : [200, deletionPolicy === 'SoftDelete'],
    );
    expect((await api.get('/owners?source=directory')).body.owners).toEqual([]);
    expect((await api.get('/resources')).body.resources).toEqual([]);
  });

  it('let go of a property and of its values at once, in whichever order', async () => {
    await bench.write('a.yaml', property(), dataset(), dataset({ properties: [] }, { name: 'other' }));
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('a.yaml', dataset({ properties: [] }, { name: 'other' }));
    await bench.eventually(async () =>
      expect(bench.operator.snapshot().rows.map(({ name }) => name)).toEqual(['other']),
    );
    expect((await api.get(entityPath('v3', RETENTION))).status).toBe(404);
    expect(await valuesOf(CLICKS)).toEqual({});
    expect((await api.get('/owners?source=directory')).body.owners).toEqual([]);
  });

  it('agree about what is in place: nothing is written after a restart', async () => {
    await bench.write(
      'all.yaml',
      property({
        displayName: 'Retention',
        immutable: false,
        valueType: 'NUMBER',
        entityTypes: ['DATASET', 'schemafield'],
      }),
      textProperty('owner', {
        valueType: 'urn',
        typeQualifier: { allowedTypes: ['corpuser'] },
        cardinality: 'MULTIPLE',
      }),
      textProperty('since', { valueType: 'date' }),
      dataset({
        properties: [
          { propertyRef: { name: 'retention' }, values: '90' },
          assign('owner', 'urn:li:corpuser:ann', 'urn:li:corpuser:bob'),
          assign('since', '2026-01-01'),
        ],
      }),
    );
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.stop();
    bench.events.length = 0;
    const before = withoutHolders((await api.get('/resources')).body);
    await bench.start({ resyncSeconds: 1 });
    await bench.eventually(async () => expect(bench.row('clicks')?.state).toBe('ready'));
    await bench.pass(3000);
    expect(bench.events.map(({ type }) => type)).toEqual(['Started']);
    expect(withoutHolders((await api.get('/resources')).body)).toEqual(before);
  });

  it('keep the older resource of two that claim a value', async () => {
    await bench.write('a.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('b.yaml', dataset({ properties: [assign('retention', 30)] }, { name: 'second' }));
    await bench.reason('second', 'Conflict');
    await bench.write('a.yaml', property());
    await bench.reason('second', 'Applied');
    expect(await valuesOf(CLICKS)).toEqual({ [RETENTION_NAME]: [30] });
  });
});
