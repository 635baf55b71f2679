import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MissingError } from '../../client/http-errors.ts';
import { FakeServer } from '../harness/fake-server.ts';
import { CLICKS, dataset, property, RETENTION, RETENTION_NAME } from '../harness/manifests.ts';
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

async function gone(name: string): Promise<void> {
  await bench.eventually(async () => {
    expect(bench.row(name)).toBeUndefined();
    expect([...server.records.stored.values()].filter((record) => record.name === name)).toEqual([]);
    expect([...server.catalogue.marks].filter((mark) => mark.name === name)).toEqual([]);
  });
}

describe.each(['while it runs', 'while it is stopped'])('a manifest deleted %s', (when) => {
  async function deleteFile(file: string): Promise<void> {
    if (when === 'while it runs') return await bench.remove(file);
    await bench.stop();
    await bench.remove(file);
    await bench.start();
  }

  it.each([
    ['HardDelete', undefined],
    ['SoftDelete', true],
    ['Retain', false],
  ])('runs the policy %s of a property', async (deletionPolicy, removed) => {
    await bench.write('property.yaml', property({ deletionPolicy }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    await deleteFile('property.yaml');
    await gone('retention');
    expect(server.catalogue.properties.get(RETENTION)?.removed).toBe(removed);
  });

  it.each([
    ['Remove', {}],
    ['Retain', { [RETENTION_NAME]: [90] }],
  ])('runs the policy %s of values', async (deletionPolicy, values) => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset({ deletionPolicy }));
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await deleteFile('dataset.yaml');
    await gone('clicks');
    expect(server.catalogue.values(CLICKS)).toEqual(values);
  });

  it('does not need the property to be there for removing its values', async () => {
    await bench.write('property.yaml', property({ deletionPolicy: 'Retain' }));
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.remove('property.yaml');
    await gone('retention');
    await deleteFile('dataset.yaml');
    await gone('clicks');
    expect(server.catalogue.values(CLICKS)).toEqual({});
  });

  it('applies it again when it is restored', async () => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await deleteFile('property.yaml');
    await gone('retention');
    await bench.reason('clicks', 'ReferenceNotFound');
    await bench.write('property.yaml', property());
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });
});

describe('deletion', () => {
  it('follows the policy that was written last', async () => {
    await bench.write('property.yaml', property());
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('property.yaml', property({ deletionPolicy: 'Retain' }));
    await bench.eventually(async () =>
      expect([...server.catalogue.marks].map((mark) => mark.deletionPolicy)).toEqual(['Retain']),
    );
    await bench.remove('property.yaml');
    await gone('retention');
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
  });

  it.each([
    ...['GET /owners', 'GET /openapi', 'DELETE /openapi', 'GET /jobs', 'POST /openapi', 'DELETE /owners'].map(
      (request) => ['property', request] as const,
    ),
    ...['GET /owners', 'GET /openapi', 'PATCH /openapi', 'DELETE /owners'].map(
      (request) => ['dataset', request] as const,
    ),
  ])('of a %s is carried out although a proxy answers a %s with 404', async (kind, refused) => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    let isRefused = false;
    server.before = (request) => {
      if (isRefused || !request.startsWith(refused)) return;
      isRefused = true;
      throw new MissingError('404 page not found');
    };
    await bench.remove(`${kind}.yaml`);
    await gone(kind === 'property' ? 'retention' : 'clicks');
    expect(isRefused).toBe(true);
    expect(server.catalogue.properties.has(RETENTION)).toBe(kind === 'dataset');
    expect(server.catalogue.values(CLICKS)).toEqual({});
  });

  it('lets a resource that never owned anything go without touching the catalogue', async () => {
    await bench.write('property.yaml', property({ version: 'soon' }));
    await bench.start();
    await bench.reason('retention', 'Invalid');
    await bench.remove('property.yaml');
    await gone('retention');
    expect(server.writes).toEqual([]);
  });

  it('keeps the property and its values when another resource of another name takes it over', async () => {
    await bench.write('property.yaml', property());
    await bench.write(
      'dataset.yaml',
      dataset({ properties: [{ propertyRef: { qualifiedName: RETENTION_NAME }, values: [90] }] }),
    );
    await bench.start();
    await bench.reason('clicks', 'Applied');
    await bench.write('property.yaml', property({}, { name: 'renamed' }));
    await gone('retention');
    await bench.reason('renamed', 'Applied');
    expect(server.writes.filter((write) => write.startsWith('DELETE'))).toEqual([]);
    expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [90] });
  });

  it('removes nothing of a dataset that was deleted meanwhile, and lets the resource go', async () => {
    await bench.write('property.yaml', property());
    await bench.write('dataset.yaml', dataset());
    await bench.start();
    await bench.reason('clicks', 'Applied');
    server.catalogue.delete(CLICKS);
    await bench.remove('dataset.yaml');
    await gone('clicks');
  });
});

describe('a deleted property that many entities held', () => {
  it.each([
    ['', false],
    [', also when the operator is restarted meanwhile', true],
  ])('stays, telling how far the removal of its values is, until they are gone%s', async (_when, restarts) => {
    await bench.write('property.yaml', property({ deletionPolicy: 'HardDelete' }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    server.jobs = [{ kind: 'cascade', state: 'waiting', total: 0, processed: 0, remaining: 0 }];
    await bench.remove('property.yaml');
    await bench.eventually(async () => expect(bench.row('retention')?.message).toContain('its values are counted'));
    const progress = [...server.records.stored.values()].map(
      ({ status }) => status as { cascade?: object } | undefined,
    );
    expect(progress.filter((status) => status?.cascade !== undefined)).toEqual([]);
    server.jobs = [{ kind: 'cascade', state: 'running', total: 100, processed: 40, remaining: 60 }];
    await bench.eventually(async () => {
      const record = [...server.records.stored.values()].find(({ name }) => name === 'retention');
      expect(record?.status).toMatchObject({ cascade: { removed: 40, remaining: 60 } });
    });
    expect(server.catalogue.properties.has(RETENTION)).toBe(false);
    if (restarts) {
      await bench.stop();
      server.jobs = [{ kind: 'cascade', state: 'running', total: 100, processed: 70, remaining: 30 }];
      await bench.start();
    }
    await bench.eventually(async () => {
      expect(bench.row('retention')).toMatchObject({
        state: 'deleting',
        reason: 'Deleting',
        message: expect.stringContaining(restarts ? '70 values removed, 30 to go' : '40 values removed, 60 to go'),
      });
    });
    server.jobs = [{ kind: 'cascade', state: 'settling', total: 100, processed: 100, remaining: 0 }];
    await gone('retention');
  });
});

describe('a manifest that is renamed in the same save as a mistake', () => {
  it('deletes nothing: what is wrong in the file may be the new name of what is missing', async () => {
    await bench.write('property.yaml', property({ deletionPolicy: 'HardDelete' }));
    await bench.start();
    await bench.reason('retention', 'Applied');
    await bench.write('property.yaml', property({ cardinalty: 'SINGLE' }, { name: 'renamed' }));
    await bench.reason('renamed', 'Invalid');
    await bench.pass(60_000);
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
    await bench.write('property.yaml', property({}, { name: 'renamed' }));
    await bench.reason('renamed', 'Applied');
    await gone('retention');
    expect(server.catalogue.properties.has(RETENTION)).toBe(true);
  });
});
