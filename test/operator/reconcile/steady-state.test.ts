import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../../harness/fake-server.ts';
import {
  annotated,
  assign,
  CLICKS,
  dataset,
  property,
  RETENTION,
  RETENTION_NAME,
  textProperty,
} from '../../harness/manifests.ts';
import { OperatorBench } from '../../harness/operator-bench.ts';

/** What becomes of what is in place. */

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

/** Waits until values are counted, which is a little later than they are written. */
async function heldOnce(...names: string[]): Promise<void> {
  const holders = () => names.map((name) => server.records.statusOf(`StructuredProperty/governance/${name}`)?.holders);
  await bench.eventually(async () => expect(holders()).toEqual(names.map(() => 1)));
}

describe('steady state', () => {
  it('writes nothing, not even a status, when nothing has changed', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start({ resyncSeconds: 1 });
    await bench.reason('clicks', 'Applied');
    await heldOnce('retention');
    await bench.quiet();
    const before = [server.writes.length, server.statusWrites];
    server.requests.length = 0;
    const looks = () => server.requests.filter((request) => request.endsWith('/dataset/batchGet'));
    await bench.eventually(async () => expect(looks().length).toBeGreaterThan(3));
    expect([server.writes.length, server.statusWrites]).toEqual(before);
    await bench.stop();
    await bench.start();
    await bench.pass(60_000);
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
    // By then it has looked at everything twice, and does so again in an hour only.
    await bench.pass(130_000);
    const again = annotated('reconcile-at', '2026-01-01T00:00:00Z');
    const asked = async (file: string, ...documents: object[]) => {
      await bench.quiet();
      server.requests.length = 0;
      await bench.write(file, ...documents);
      await bench.eventually(async () => expect(server.requests.length).toBeGreaterThan(1));
      await bench.quiet();
      return server.requests.filter((request) => /openapi|owners/u.test(request));
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
    await bench.eventually(async () =>
      expect(server.records.stored.get('DatasetProperties/governance/clicks')?.location).toContain('b.yaml'),
    );
    await bench.quiet();
    expect(server.writes.length).toBe(before);
    expect(server.records.statusOf('StructuredProperty/governance/retention')?.observedGeneration).toBe(1);
  });
});

describe('drift', () => {
  it('is repaired at a resync, and told', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start({ resyncSeconds: 1 });
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    const value = { propertyUrn: RETENTION, values: [{ double: 30 }] };
    server.catalogue.patchAssignments(CLICKS, [{ op: 'add', ...value }], { create: false });
    await bench.eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] }));
    await bench.eventually(async () =>
      expect(server.records.statusOf('DatasetProperties/governance/clicks')?.drift).toMatchObject({ repaired: 1 }),
    );
    server.catalogue.setRemoved(RETENTION, true, undefined);
    const repaired = (times: number) =>
      bench.eventually(async () =>
        expect(server.records.statusOf('StructuredProperty/governance/retention')?.drift).toMatchObject({
          repaired: times,
        }),
      );
    await repaired(1);
    expect(server.catalogue.properties.get(RETENTION)?.removed).toBe(false);
    server.catalogue.delete(RETENTION);
    await repaired(2);
    await bench.eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] }));
    expect(bench.events.filter(({ type }) => type === 'DriftRepaired').length).toBeGreaterThanOrEqual(3);
  });

  it('is not what an edit changes', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('all.yaml', property({ description: 'new' }), dataset({ properties: [assign('retention', 30)] }));
    await bench.eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [30] }));
    await bench.quiet();
    expect(bench.events.filter(({ type }) => type === 'DriftRepaired')).toEqual([]);
  });
});
