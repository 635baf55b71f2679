import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../harness/fake-server.ts';
import { assign, dataset, property, RETENTION, RETENTION_NAME, textProperty } from '../harness/manifests.ts';
import { OperatorBench } from '../harness/operator-bench.ts';

const DATASETS = 60;
const urnOf = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,logs.t${index},PROD)`;

let server: FakeServer;
let bench: OperatorBench;

beforeEach(async () => {
  server = await new FakeServer().listen();
  bench = await OperatorBench.create(server.url);
  const manifests = Array.from({ length: DATASETS }, (_, index) => {
    server.catalogue.addDataset(urnOf(index));
    const properties = [assign('retention', 90), assign('tier', 'gold')];
    return dataset({ datasetUrn: urnOf(index), properties }, { name: `t${index}` });
  });
  await bench.write('all.yaml', property(), textProperty('tier'), ...manifests);
  await bench.start();
  await ready();
  await bench.stop();
  server.requests.length = 0;
  server.writes.length = 0;
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

async function ready(): Promise<void> {
  await bench.eventually(async () => {
    const { rows } = bench.operator.snapshot();
    expect(rows.filter(({ state }) => state === 'ready')).toHaveLength(DATASETS + 2);
    // Values are counted a little later than they are written.
    const counts = ['retention', 'tier'].map((name) => {
      return server.records.statusOf(`StructuredProperty/governance/${name}`)?.holders;
    });
    expect(counts).toEqual([DATASETS, DATASETS]);
  });
  await bench.quiet();
}

describe('a look at everything again', () => {
  it('asks for all at once: the requests do not grow with the resources', async () => {
    await bench.start();
    await bench.quiet();
    const asked = server.requests.filter((request) => request.includes('/openapi') || request.includes('/owners'));
    expect(
      Object.fromEntries(
        Map.groupBy(asked, String)
          .entries()
          .map(([request, list]) => [request, list.length]),
      ),
    ).toEqual({
      // At the start, and once for all.
      'GET /owners': 2,
      // Of the two properties, and of those that values refer to.
      'POST /openapi/v3/entity/structuredProperty/batchGet': 1,
      'POST /openapi/v3/entity/dataset/batchGet': 1,
      'POST /openapi/v3/entity/scroll': 2,
    });
    expect(server.writes).toEqual([]);
  });

  it('sees what is not as it was, and only that is written', async () => {
    const value = { propertyUrn: RETENTION, values: [{ double: 30 }] };
    const changed = urnOf(7);
    server.catalogue.patchAssignments(changed, [{ op: 'add', ...value }], { create: false });
    server.catalogue.marks.clear(urnOf(8), RETENTION, {
      source: 'directory',
      kind: 'DatasetProperties',
      namespace: 'governance',
      name: 't8',
    });
    await bench.start({ resyncSeconds: 1 });
    const written = [`PATCH ${changed}/structuredProperties`, `PATCH ${urnOf(8)}/structuredProperties`];
    await bench.eventually(async () => expect(server.writes.toSorted()).toEqual(written.toSorted()));
    expect(server.catalogue.values(changed)).toMatchObject({ [RETENTION_NAME]: [90] });
    server.catalogue.patchAssignments(changed, [{ op: 'remove', propertyUrn: RETENTION }], { create: false });
    await bench.eventually(async () => expect(server.writes).toHaveLength(3));
    expect(bench.events.filter(({ type }) => type === 'DriftRepaired').map(({ id }) => id?.name)).toContain('t7');
    await bench.eventually(async () =>
      expect(server.catalogue.values(changed)).toMatchObject({ [RETENTION_NAME]: [90] }),
    );
  });

  it('sees a definition that somebody changed', async () => {
    server.catalogue.setRemoved(RETENTION, true, undefined);
    await bench.start();
    await bench.eventually(async () => expect(server.catalogue.properties.get(RETENTION)?.removed).toBe(false));
    await ready();
  });
});
