import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ResourceStatus } from '../../model/resource/status.ts';
import { eventually } from '../harness/api.ts';
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

function statusOf(key: string): ResourceStatus | undefined {
  return server.records.stored.get(key)?.status as ResourceStatus | undefined;
}

/** Waits until values are counted, which is a little later than they are written. */
async function heldOnce(...names: string[]): Promise<void> {
  const holders = () => names.map((name) => statusOf(`StructuredProperty/governance/${name}`)?.holders);
  await eventually(async () => expect(holders()).toEqual(names.map(() => 1)));
}

const annotated = (name: string, value = 'true') => ({ annotations: { [`catalog.proplane.dev/${name}`]: value } });

describe('steady state', () => {
  it('writes nothing, not even a status, when nothing has changed', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start({ resyncSeconds: 0.3 });
    await bench.reason('clicks', 'Applied');
    await heldOnce('retention');
    await bench.quiet();
    const before = [server.writes.length, server.statusWrites];
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect([server.writes.length, server.statusWrites]).toEqual(before);
    await bench.stop();
    await bench.start();
    await bench.quiet();
    expect([server.writes.length, server.statusWrites]).toEqual(before);
  });

  it('asks as few questions as it can: three for a dataset, however many its values are, two for a property', async () => {
    const values = [assign('retention', 90), assign('tier', 'gold'), assign('team', 'web')];
    const properties = [property(), textProperty('tier'), textProperty('team')];
    await bench.write('property.yaml', textProperty('alone'));
    await bench.write('all.yaml', ...properties, dataset({ properties: values }));
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await heldOnce('retention', 'tier', 'team');
    const again = annotated('reconcile-at', '2026-01-01T00:00:00Z');
    const asked = async (file: string, ...documents: object[]) => {
      await bench.quiet();
      server.requests.length = 0;
      await bench.write(file, ...documents);
      await eventually(async () => expect(server.requests.length).toBeGreaterThan(1));
      await bench.quiet();
      return server.requests.filter((request) => !request.includes('/resources'));
    };
    expect(await asked('all.yaml', ...properties, dataset({ properties: values }, again))).toEqual([
      'POST /openapi/v3/entity/structuredProperty/batchGet',
      'GET /owners',
      `GET /openapi/v3/entity/dataset/${encodeURIComponent(CLICKS)}`,
    ]);
    expect(await asked('property.yaml', textProperty('alone', {}, again))).toEqual([
      `GET /openapi/v3/entity/structuredProperty/${encodeURIComponent('urn:li:structuredProperty:com.example.alone')}`,
      'POST /openapi/v3/entity/scroll',
    ]);
  });

  it('writes nothing for comments, order of keys, labels or another file name', async () => {
    await bench.write('a.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    const before = server.writes.length;
    const { spec, ...rest } = property();
    await bench.write(
      'b.yaml',
      '# moved\n',
      { spec, ...rest, metadata: { ...rest.metadata, labels: { team: 'x' } } },
      dataset(),
    );
    await bench.remove('a.yaml');
    await eventually(async () =>
      expect(server.records.stored.get('DatasetProperties/governance/clicks')?.location).toContain('b.yaml'),
    );
    await bench.quiet();
    expect(server.writes.length).toBe(before);
    expect(statusOf('StructuredProperty/governance/retention')?.observedGeneration).toBe(1);
  });
});

describe('status', () => {
  it('follows the kstatus rules from first sight on', async () => {
    await bench.write('a.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'ReferenceNotFound');
    await bench.quiet();
    const waiting = statusOf('DatasetProperties/governance/clicks');
    expect(waiting).toMatchObject({ observedGeneration: 1 });
    expect(waiting?.conditions.map(({ type, status }) => [type, status])).toEqual([
      ['Ready', 'False'],
      ['Reconciling', 'True'],
    ]);
    await bench.write('b.yaml', property());
    await bench.reason('clicks', 'Applied');
    await eventually(async () => {
      const ready = statusOf('DatasetProperties/governance/clicks');
      expect(ready?.conditions.map(({ type, status }) => [type, status])).toEqual([['Ready', 'True']]);
      expect(ready).toMatchObject({ targets: 1, applied: 1, conflicts: 0 });
    });
    expect(statusOf('StructuredProperty/governance/retention')?.urn).toBe(RETENTION);
  });

  it('raises the generation with an edit', async () => {
    await bench.write('a.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('a.yaml', property({ description: 'how long' }));
    await eventually(async () =>
      expect(statusOf('StructuredProperty/governance/retention')?.observedGeneration).toBe(2),
    );
  });
});

describe('bad input', () => {
  it('names every violated rule with file and line, and writes nothing', async () => {
    await bench.write('bad.yaml', '# a comment\n', property({ cardinality: 'SOME', version: 'soon', colour: 'red' }));
    await bench.start();
    const { message, state } = await bench.reason('retention', 'Invalid');
    expect(state).toBe('stalled');
    expect(message).toMatch(/resources\/bad\.yaml:\d+: spec\.cardinality: /u);
    expect(message).toMatch(/resources\/bad\.yaml:\d+: spec\.version: must be 14 digits/u);
    expect(message).toMatch(/resources\/bad\.yaml:\d+: spec: unknown field "colour"/u);
    expect(server.writes).toEqual([]);
  });

  it('tells what the server refuses, prefixed with the place', async () => {
    await bench.write('a.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('a.yaml', property({ allowedValues: [{ value: 90 }] }));
    const { message } = await bench.reason('retention', 'BreakingChange');
    expect(message).toMatch(/^resources\/a\.yaml:1: allowedValues: Cannot restrict values/u);
  });

  it('writes none of the values when one of them, on whichever entity, is wrong', async () => {
    server.catalogue.addDataset(VIEWS);
    await bench.write('property.yaml', property());
    const fields = [{ fieldPath: 'email', properties: [assign('retention', 31)] }];
    await bench.write('dataset.yaml', dataset({ datasetUrns: [CLICKS, VIEWS], fields }));
    await bench.start();
    const { message } = await bench.reason('clicks', 'InvalidValue');
    expect(message).toContain('resources/dataset.yaml:1: spec.fields[0].properties[0].values[0]: ');
    expect(message).toContain('{double=31.0} should be one of [{double=30.0}, {double=90.0}, {double=365.0}]');
    expect(server.writes.filter((write) => write.startsWith('PATCH'))).toEqual([]);
  });

  it('refuses a changed qualified name and keeps the old property', async () => {
    await bench.write('a.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('a.yaml', property({ qualifiedName: 'com.example.other' }));
    expect((await bench.reason('retention', 'ImmutableField')).message).toContain(RETENTION);
    expect([...server.catalogue.properties.keys()]).toEqual([RETENTION]);
  });

  it('leaves a soft-deleted property soft deleted when its new definition is refused, also for a moment', async () => {
    await bench.write('a.yaml', property({ removed: true }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    const writes = [...server.writes];
    await bench.write('a.yaml', property({ removed: true, valueType: 'string', allowedValues: undefined }));
    await bench.reason('retention', 'BreakingChange');
    expect(server.writes).toEqual(writes);
    expect(server.catalogue.properties.get(RETENTION)?.removed).toBe(true);
    await bench.write('a.yaml', property({ removed: true, description: 'kept' }));
    await bench.reason('retention', 'Applied');
    expect(server.catalogue.properties.get(RETENTION)).toMatchObject({
      removed: true,
      definition: { description: 'kept' },
    });
  });
});

describe('drift', () => {
  it('is repaired at a resync, and told', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start({ resyncSeconds: 0.2 });
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    const value = { propertyUrn: RETENTION, values: [{ double: 30 }] };
    server.catalogue.patchAssignments(CLICKS, [{ op: 'add', ...value }], { create: false });
    await eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] }));
    await eventually(async () =>
      expect(statusOf('DatasetProperties/governance/clicks')?.drift).toMatchObject({ repaired: 1 }),
    );
    server.catalogue.setRemoved(RETENTION, true, undefined);
    const repaired = (times: number) =>
      eventually(async () =>
        expect(statusOf('StructuredProperty/governance/retention')?.drift).toMatchObject({ repaired: times }),
      );
    await repaired(1);
    expect(server.catalogue.properties.get(RETENTION)?.removed).toBe(false);
    server.catalogue.delete(RETENTION);
    await repaired(2);
    await eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] }));
    expect(bench.events.filter(({ type }) => type === 'DriftRepaired').length).toBeGreaterThanOrEqual(3);
  });

  it('is not what an edit changes', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('all.yaml', property({ description: 'new' }), dataset({ properties: [assign('retention', 30)] }));
    await eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [30] }));
    await bench.quiet();
    expect(bench.events.filter(({ type }) => type === 'DriftRepaired')).toEqual([]);
  });
});

describe('annotations', () => {
  it('paused: neither an edit nor a deletion has an effect, and Ready stays as it was', async () => {
    await bench.write('a.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.quiet();
    const before = server.writes.length;
    await bench.write('a.yaml', property({ description: 'later' }, annotated('paused')));
    await bench.reason('retention', 'Paused');
    const status = statusOf('StructuredProperty/governance/retention');
    expect(status?.observedGeneration).toBe(1);
    expect(status?.conditions.map(({ type, status }) => [type, status])).toEqual([
      ['Ready', 'True'],
      ['Paused', 'True'],
    ]);
    await bench.stop();
    await bench.remove('a.yaml');
    await bench.start();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await bench.quiet();
    expect(server.writes.length).toBe(before);
    await bench.write('a.yaml', property({ description: 'later' }));
    await bench.reason('retention', 'Applied');
    expect(server.catalogue.properties.get(RETENTION)?.definition?.description).toBe('later');
  });

  it('observe-only: differences are told, nothing is written or deleted', async () => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset({}, annotated('observe-only')));
    await bench.start();
    await bench.reason('clicks', 'ObserveOnly');
    const drifted = () =>
      statusOf('DatasetProperties/governance/clicks')?.conditions.find(({ type }) => type === 'Drifted');
    await eventually(async () => expect(drifted()).toMatchObject({ status: 'True' }));
    expect(drifted()?.message).toContain(RETENTION);
    expect(server.catalogue.values(CLICKS)).toEqual({});
    await bench.write('property.yaml', property({ description: 'x' }, annotated('observe-only')));
    await bench.reason('retention', 'ObserveOnly');
    await bench.stop();
    await bench.remove('property.yaml');
    await bench.start();
    await eventually(async () => expect(bench.row('retention')).toBeUndefined());
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
  });

  it('reconcile-at: a new value has the resource looked at now', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    const value = { propertyUrn: RETENTION, values: [{ double: 30 }] };
    server.catalogue.patchAssignments(CLICKS, [{ op: 'add', ...value }], { create: false });
    await bench.write('all.yaml', property(), dataset({}, annotated('reconcile-at', '2026-01-01T00:00:00Z')));
    await eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] }));
  });
});

describe('a server that is away', () => {
  it('is waited for at the start, and again while it runs; what changed meanwhile is done when it is back', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    await bench.write('all.yaml', property(), dataset());
    const starting = bench.start();
    await eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerLost'));
    server = await new FakeServer().listen(port);
    server.catalogue.addDataset(CLICKS);
    await starting;
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    server.failing = 503;
    await bench.write('more.yaml', textProperty('tier'));
    await bench.write('all.yaml', property(), dataset({ properties: [assign('retention', 30)] }));
    await eventually(async () =>
      expect(bench.operator.snapshot().problems.map(({ reason }) => reason)).toContain('ScanFailed'),
    );
    expect(bench.row('clicks')?.reason).toBe('Applied');
    server.failing = undefined;
    await bench.reason('tier', 'Applied');
    await eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [30] }));
  });

  it('is waited for when it is too old to tell owner marks with an entity', async () => {
    jest.spyOn(server.catalogue.marks, 'on').mockReturnValue(undefined as never);
    await bench.write('all.yaml', property());
    await bench.start();
    await bench.reason('retention', 'ServerUnavailable');
    expect(bench.row('retention')?.message).toContain('it is older than this operator');
    jest.restoreAllMocks();
    await bench.reason('retention', 'Applied');
  });

  it('does not call into question what was in place', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start({ resyncSeconds: 0.2 });
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    const port = Number(new URL(server.url).port);
    await server.close();
    await eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerLost'));
    expect(bench.row('clicks')?.state).toBe('ready');
    await server.listen(port);
    await eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerBack'));
  });

  it('stops while it waits for a server that never comes', async () => {
    await server.close();
    const starting = bench.start();
    await eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerLost'));
    await bench.stop();
    await starting;
    await server.listen();
  });
});
