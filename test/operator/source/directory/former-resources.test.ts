import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeServer } from '../../../harness/fake-server.ts';
import { assign, dataset, property, RETENTION, textProperty } from '../../../harness/manifests.ts';
import { OperatorBench } from '../../../harness/operator-bench.ts';

/** Manifests that are gone when an operator starts, which nobody saw go. */

let server: FakeServer;
let bench: OperatorBench;

const urns = Array.from({ length: 6 }, (_, n) => `urn:li:dataset:(urn:li:dataPlatform:hive,d${n},PROD)`);

beforeEach(async () => {
  server = await new FakeServer().listen();
  for (const urn of urns) server.catalogue.addDataset(urn);
  bench = await OperatorBench.create(server.url);
});

afterEach(async () => {
  await bench.close();
  await server.close();
});

const held = () => server.records.held.get('directory')?.resources ?? [];
const valuesOn = () => urns.filter((urn) => Object.keys(server.catalogue.values(urn) ?? {}).length > 0).length;
const problem = () => bench.operator.snapshot().problems.find(({ reason }) => reason === 'DeletionsHeld');

/** A property with a value on so many datasets, by manifests of two folders. */
async function begin(holders: number, spec: object = {}): Promise<void> {
  await bench.write('properties/property.yaml', property(spec));
  const properties = [assign('retention', 30)];
  await bench.write('datasets/all.yaml', dataset({ datasetUrns: urns.slice(0, holders), properties }, { name: 'all' }));
  await bench.start();
  await bench.reason('all', 'Applied');
  await bench.stop();
}

const away = (folder: string) => rename(join(bench.folder, 'resources', folder), join(bench.folder, folder));

describe('a manifest that went while the operator was down', () => {
  it.each(['HardDelete', 'SoftDelete'])(
    'is asked about when a %s would hide more values than a handful',
    async (policy) => {
      await begin(6, { deletionPolicy: policy });
      await away('properties');
      await bench.start();
      await bench.eventually(async () => expect(held()).toMatchObject([{ name: 'retention', confirmed: false }]));
      await bench.eventually(async () => expect(problem()?.message).toContain('6 entities would lose values'));
      expect(server.catalogue.properties.get(RETENTION)?.removed).toBe(false);
      await bench.stop();
      await bench.start();
      await bench.eventually(async () => expect(problem()).toBeDefined());
      server.records.confirm();
      await bench.eventually(async () => expect(held()).toEqual([]));
      expect(server.catalogue.properties.get(RETENTION)?.removed ?? true).toBe(true);
    },
  );

  it('is deleted when that loses no more than a handful, or than was said', async () => {
    await begin(5);
    await away('properties');
    await bench.start();
    await bench.eventually(async () => expect(server.catalogue.properties.has(RETENTION)).toBe(false));
    expect(server.records.held.size).toBe(0);
  });

  it.each(['Remove', 'Retain'])(
    'is asked about when its values (%s) are on more than a handful of datasets',
    async (policy) => {
      await bench.write('property.yaml', property());
      const spec = { datasetUrns: urns, properties: [assign('retention', 30)], deletionPolicy: policy };
      await bench.write('datasets/all.yaml', dataset(spec, { name: 'all' }));
      await bench.start();
      await bench.reason('all', 'Applied');
      await bench.stop();
      await away('datasets');
      await bench.start();
      const names = policy === 'Remove' ? ['all'] : [];
      await bench.eventually(async () => {
        expect(held().map(({ name }) => name)).toEqual(names);
        expect(bench.row('all') === undefined).toBe(policy === 'Retain');
      });
      expect(valuesOn()).toBe(6);
    },
  );

  it('is not asked about when it goes while the operator looks', async () => {
    await begin(6);
    await bench.start();
    await bench.reason('all', 'Applied');
    await bench.remove('properties/property.yaml');
    await bench.eventually(async () => expect(server.catalogue.properties.has(RETENTION)).toBe(false));
  });

  it('is not asked about by a start that confirms', async () => {
    await begin(6);
    await away('properties');
    await bench.start({ confirmDeletions: true });
    await bench.eventually(async () => expect(server.catalogue.properties.has(RETENTION)).toBe(false));
  });
});

describe('globs that mean less than before', () => {
  const narrow = { manifests: ['resources/datasets/*.yaml'] };

  it('delete nothing unasked, whatever would be lost, also at the next start', async () => {
    await bench.write('properties/unused.yaml', textProperty('unused'));
    await begin(1);
    for (const _ of [1, 2]) {
      await bench.start(narrow);
      await bench.eventually(async () => expect(held().map(({ name }) => name)).toEqual(['retention', 'unused']));
      await bench.eventually(async () => expect(problem()?.message).toContain('resources/**/*.yaml'));
      await bench.quiet();
      await bench.stop();
    }
    expect([server.catalogue.properties.size, valuesOn()]).toEqual([2, 1]);
    await bench.start();
    await bench.eventually(async () => expect(server.records.held.size).toBe(0));
    await bench.quiet();
    expect([server.catalogue.properties.size, valuesOn()]).toEqual([2, 1]);
  });

  it('are told again after a crash before anything was asked', async () => {
    await begin(1);
    await bench.start(narrow);
    // The question does not reach the server in this life.
    let refused = 0;
    server.before = (request) => {
      if (request !== 'PUT /resources/held-deletions') return;
      refused += 1;
      throw new Error('out of order');
    };
    await bench.eventually(async () => expect(refused).toBeGreaterThan(0));
    await bench.stop();
    server.before = () => undefined;
    expect(server.records.held.size).toBe(0);
    await bench.start(narrow);
    await bench.eventually(async () => expect(held().map(({ name }) => name)).toEqual(['retention']));
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
  });
});
