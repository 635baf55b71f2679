import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../../harness/fake-server.ts';
import { annotated, CLICKS, dataset, property, RETENTION, RETENTION_NAME } from '../../harness/manifests.ts';
import { OperatorBench } from '../../harness/operator-bench.ts';

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

describe('annotations', () => {
  it('paused: neither an edit nor a deletion has an effect, and Ready stays as it was', async () => {
    await bench.write('a.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.quiet();
    const before = server.writes.length;
    await bench.write('a.yaml', property({ description: 'later' }, annotated('paused')));
    await bench.reason('retention', 'Paused');
    const status = server.records.statusOf('StructuredProperty/governance/retention');
    expect(status?.observedGeneration).toBe(1);
    expect(status?.conditions.map(({ type, status }) => [type, status])).toEqual([
      ['Ready', 'True'],
      ['Paused', 'True'],
    ]);
    await bench.stop();
    await bench.remove('a.yaml');
    await bench.start();
    await bench.pass(60_000);
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
      server.records.statusOf('DatasetProperties/governance/clicks')?.conditions.find(({ type }) => type === 'Drifted');
    await bench.eventually(async () => expect(drifted()).toMatchObject({ status: 'True' }));
    expect(drifted()?.message).toContain(RETENTION);
    expect(server.catalogue.values(CLICKS)).toEqual({});
    await bench.write('property.yaml', property({ description: 'x' }, annotated('observe-only')));
    await bench.reason('retention', 'ObserveOnly');
    await bench.stop();
    await bench.remove('property.yaml');
    await bench.start();
    await bench.eventually(async () => expect(bench.row('retention')).toBeUndefined());
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
  });

  it('reconcile-at: a new value has the resource looked at now', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    const value = { propertyUrn: RETENTION, values: [{ double: 30 }] };
    server.catalogue.patchAssignments(CLICKS, [{ op: 'add', ...value }], { create: false });
    await bench.write('all.yaml', property(), dataset({}, annotated('reconcile-at', '2026-01-01T00:00:00Z')));
    await bench.eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] }));
  });
});
