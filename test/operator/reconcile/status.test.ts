import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../../harness/fake-server.ts';
import { assign, CLICKS, dataset, property, RETENTION, VIEWS } from '../../harness/manifests.ts';
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

describe('status', () => {
  it('follows the kstatus rules from first sight on', async () => {
    await bench.write('a.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'ReferenceNotFound');
    await bench.quiet();
    const waiting = server.records.statusOf('DatasetProperties/governance/clicks');
    expect(waiting).toMatchObject({ observedGeneration: 1 });
    expect(waiting?.conditions.map(({ type, status }) => [type, status])).toEqual([
      ['Ready', 'False'],
      ['Reconciling', 'True'],
    ]);
    await bench.write('b.yaml', property());
    await bench.reason('clicks', 'Applied');
    await bench.eventually(async () => {
      const ready = server.records.statusOf('DatasetProperties/governance/clicks');
      expect(ready?.conditions.map(({ type, status }) => [type, status])).toEqual([['Ready', 'True']]);
      expect(ready).toMatchObject({ targets: 1, applied: 1, conflicts: 0 });
    });
    expect(server.records.statusOf('StructuredProperty/governance/retention')?.urn).toBe(RETENTION);
  });

  it('raises the generation with an edit', async () => {
    await bench.write('a.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('a.yaml', property({ description: 'how long' }));
    await bench.eventually(async () =>
      expect(server.records.statusOf('StructuredProperty/governance/retention')?.observedGeneration).toBe(2),
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
