import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnauthorizedError } from '../../../client/http-errors.ts';
import { FakeServer } from '../../harness/fake-server.ts';
import { assign, CLICKS, dataset, property, RETENTION_NAME, textProperty } from '../../harness/manifests.ts';
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

describe('a server that is away', () => {
  it('is waited for at the start, and again while it runs; what changed meanwhile is done when it is back', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    await bench.write('all.yaml', property(), dataset());
    const starting = bench.start();
    await bench.eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerLost'));
    server = await new FakeServer().listen(port);
    server.catalogue.addDataset(CLICKS);
    await starting;
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    server.failing = 503;
    await bench.write('more.yaml', textProperty('tier'));
    await bench.write('all.yaml', property(), dataset({ properties: [assign('retention', 30)] }));
    await bench.eventually(async () =>
      expect(bench.operator.snapshot().problems.map(({ reason }) => reason)).toContain('ScanFailed'),
    );
    expect(bench.row('clicks')?.reason).toBe('Applied');
    server.failing = undefined;
    await bench.reason('tier', 'Applied');
    await bench.eventually(async () => expect(server.catalogue.values(CLICKS)).toEqual({ [RETENTION_NAME]: [30] }));
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
    await bench.start({ resyncSeconds: 1 });
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    const port = Number(new URL(server.url).port);
    await server.close();
    await bench.eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerLost'));
    expect(bench.row('clicks')?.state).toBe('ready');
    await server.listen(port);
    await bench.eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerBack'));
  });

  it('stops while it waits for a server that never comes', async () => {
    await server.close();
    const starting = bench.start();
    await bench.eventually(async () => expect(bench.events.map(({ type }) => type)).toContain('ServerLost'));
    await bench.stop();
    await starting;
    await server.listen();
  });
});

describe('a server that refuses the credentials', () => {
  it('is asked again, and nothing is taken for gone; what to do is told', async () => {
    await bench.write('all.yaml', property(), dataset());
    await bench.start({ resyncSeconds: 1 });
    await bench.reason('clicks', 'Applied');
    await bench.quiet();
    const before = server.catalogue.values(CLICKS);
    server.before = (request) => {
      if (!request.startsWith('GET /ready')) throw new UnauthorizedError('the token has expired');
    };
    await bench.eventually(async () => {
      expect(bench.row('retention')).toMatchObject({ state: 'waiting', reason: 'Unauthorized' });
      expect(bench.row('retention')?.message).toMatch(
        /refuses our credentials \(the token has expired\).*PROPLANE_TOKEN/u,
      );
    });
    expect(server.catalogue.values(CLICKS)).toEqual(before);
    server.before = () => undefined;
    await bench.reason('retention', 'Applied');
    await bench.reason('clicks', 'Applied');
    expect(server.catalogue.values(CLICKS)).toEqual(before);
  });
});
