import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Api, eventually } from '../../harness/api.ts';
import { CommandLine } from '../../harness/command-line.ts';
import type { Deployment } from '../../harness/deployments.ts';
import { embeddedDeployment } from '../../harness/embedded-deployment.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { applyCrds } from '../../harness/kubernetes/crds.ts';
import { describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { OperatorProcess } from '../../harness/kubernetes/operator-process.ts';
import { ProplaneProcess } from '../../harness/proplane-process.ts';

const RESOURCES = join(import.meta.dirname, '../../../examples/resources');

// A cluster of its own: this operator works on the resources of all namespaces.
await describeWithControlPlane('the examples on a cluster', () => {
  let plane: ControlPlane;
  let kubectl: Kubectl;
  let deployment: Deployment;
  let server: ProplaneProcess;
  let operator: OperatorProcess;
  let api: Api;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    kubectl = new Kubectl(plane.kubeconfig);
    await applyCrds(plane);
    deployment = await embeddedDeployment();
    server = await ProplaneProcess.start({ deployment, role: 'api-server' });
    api = new Api(server.url);
    const environment = { WATCH_NAMESPACES: '', RESYNC_INTERVAL_S: '5' };
    operator = new OperatorProcess({
      host: server.url,
      kubeconfig: plane.kubeconfig,
      namespace: 'default',
      environment,
    });
  });

  afterAll(async () => {
    await operator?.stop();
    await server?.kill();
    await deployment?.remove();
    await plane?.stop();
  });

  const allReady = (): Promise<string> =>
    kubectl.run('wait', '--for=condition=Ready', '--all', '--all-namespaces', '--timeout=90s', 'sprop,dprop');

  it('become Ready with one kubectl apply, as soon as their datasets are there', async () => {
    await kubectl.run('apply', '-R', '-f', RESOURCES);
    const loaded = await new CommandLine(server.url, 'dataset', 'upsert', '-f', 'examples/catalogue.yaml').end();
    expect(loaded).toMatchObject({ code: 0 });
    await allReady();
    const [system, marks] = await Promise.all([
      kubectl.json('get', 'namespace', 'kube-system'),
      api.get('/owners?count=1000'),
    ]);
    expect(new Set(marks.body.owners.map((mark: { source: string }) => mark.source))).toEqual(
      new Set([system.metadata.uid]),
    );
  });

  it('read well', async () => {
    const table = await kubectl.run('get', 'sprop,dprop', '--all-namespaces');
    expect(table).toMatch(/PROPERTY +TYPE +CARDINALITY +HOLDERS .*READY +REASON +AGE/u);
    expect(table).toMatch(/retention-days +com\.thistlequay\.\S+ +number +SINGLE +\d+ +.*True +Applied/u);
    await eventually(async () => {
      const { items } = await kubectl.json('get', 'sprop', '--all-namespaces');
      const holders = items.map((item: { status: { holders?: number } }) => item.status.holders ?? 0);
      expect(Math.max(...holders)).toBeGreaterThan(10);
    });
  });

  it('leave nothing behind when they are deleted, and become Ready again in any order', async () => {
    await kubectl.run('delete', 'sprop,dprop', '--all', '--all-namespaces', '--timeout=90s');
    expect((await api.get('/owners?count=1')).body.owners).toEqual([]);
    const files = readdirSync(RESOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.yaml'),
    );
    const anyOrder = files.toSorted((one, other) => hash(one) - hash(other));
    await kubectl.run('apply', ...anyOrder.flatMap((file) => ['-f', join(RESOURCES, file)]));
    await allReady();
  });
});

/** An order that has nothing to do with names, the same in every run. */
function hash(text: string): number {
  return [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7);
}
