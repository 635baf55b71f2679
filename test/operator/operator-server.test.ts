import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorMetrics } from '../../operator/metrics/operator-metrics.ts';
import { createOperatorServer, type OperatorServer } from '../../operator/operator-server.ts';

let server: OperatorServer;
let alive: boolean;
let ready: boolean;
beforeEach(async () => {
  alive = true;
  ready = false;
  const { registry } = new OperatorMetrics({ concurrency: 3, rows: () => [] });
  const address = { host: '127.0.0.1', port: 0, allowedHosts: [] };
  server = await createOperatorServer({ ...address, registry, isAlive: () => alive, isReady: () => ready });
});
afterEach(() => server.stop());

const ask = async (path: string) => {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

describe("the operator's own server", () => {
  it('shows the metrics to Prometheus', async () => {
    const { status, type, text } = await ask('/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('controller_runtime_max_concurrent_reconciles{controller="datasetproperties"} 3\n');
  });

  it('answers to probes as it is asked', async () => {
    expect(await ask('/health')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await ask('/ready')).toMatchObject({ status: 503, text: '{"ready":false}' });
    [alive, ready] = [false, true];
    expect(await ask('/health')).toMatchObject({ status: 503 });
    expect(await ask('/ready')).toMatchObject({ status: 200, text: '{"ready":true}' });
  });

  it('has nothing else', async () => {
    expect(await ask('/?x')).toMatchObject({
      status: 404,
      text: '{"error":"Not Found","message":"No endpoint GET /."}',
    });
  });

  it('says so when its port is taken', async () => {
    const { registry } = new OperatorMetrics({ concurrency: 1, rows: () => [] });
    const port = Number(new URL(server.url).port);
    const taken = { host: '127.0.0.1', port, allowedHosts: [], registry, isAlive: () => true, isReady: () => true };
    await expect(createOperatorServer(taken)).rejects.toThrow('OPERATOR_PORT');
  });
});
