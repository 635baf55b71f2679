import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeClient } from '../kubernetes/kube-client.ts';
import type { KubeObject, KubeRef } from '../kubernetes/kube-object.ts';
import { API_VERSION, type ResourceKind } from '../model/resource/identity.ts';
import { mapConcurrently } from '../operator/runtime/map-concurrently.ts';
import { KUBE_RESOURCES, refOf } from '../operator/source/kubernetes/kube-kinds.ts';
import { ControlPlane } from '../test/harness/kubernetes/control-plane.ts';
import { KubeBench, manifestOf } from '../test/harness/kubernetes/kube-bench.ts';
import { kubeClientOf } from '../test/harness/kubernetes/kube-client.ts';
import { kubePrograms } from '../test/harness/kubernetes/kube-programs.ts';
import type { OperatorProcess } from '../test/harness/kubernetes/operator-process.ts';
import type { Figure } from './servers.ts';

/** Within KEP-95: 10,000 of a kind, 1,500 in a namespace. */
const RESOURCES = Number(process.env.PROPLANE_BENCH_RESOURCES ?? 2000);
const IN_A_NAMESPACE = 1000;
const AT_ONCE = 16;
/** Resources that nobody works on, for the baseline. */
const BARE = 500;
const CHANGES = 25;
/** Since everything is looked at twice in the beginning of a term. */
const UNQUIET_S = 125;
/** All resources are to be looked at once in this time. */
const RESYNC_S = RESOURCES / 170;
const OBSERVED_S = 20;
const PROPERTY = 'com.example.bench.days';
const READY = 'proplane_resources{kind="DatasetProperties",state="ready"}';

/** Resources of a Kubernetes cluster: how soon they are Ready, and what it costs to look at all of them again. */
export async function operatorBenchmark(): Promise<Figure[]> {
  const programs = await kubePrograms();
  if ('missing' in programs) {
    console.log(`operator on Kubernetes: skipped, ${programs.missing}`);
    return [];
  }
  const plane = await ControlPlane.start();
  try {
    const bench = await KubeBench.create(plane);
    try {
      return await measure(bench);
    } finally {
      await bench.close();
    }
  } finally {
    await plane.stop();
  }
}

async function measure(bench: KubeBench): Promise<Figure[]> {
  const client = kubeClientOf(bench.cluster);
  const property = { qualifiedName: PROPERTY, valueType: 'number', entityTypes: ['dataset'] };
  await bench.kubectl.apply(manifestOf('StructuredProperty', 'days', property));
  const spaces = [bench.namespace];
  while (spaces.length * IN_A_NAMESPACE < RESOURCES) spaces.push((await bench.anotherNamespace()).name);
  const refs = await createResources(client, spaces, RESOURCES);
  const elsewhere = (await bench.anotherNamespace()).name;
  const bare = await writtenPerSecond(client, await createResources(client, [elsewhere], BARE));

  const settings = { WATCH_NAMESPACES: spaces.join(','), CONCURRENCY: String(AT_ONCE) };
  const started = performance.now();
  const operator = await bench.operate({ environment: { ...settings, RESYNC_INTERVAL_S: '3600' } });
  while ((await operator.metric(READY)) < RESOURCES) await sleep(100);
  const ready = (RESOURCES * 1000) / (performance.now() - started);
  await sleep(UNQUIET_S * 1000);
  const atRest = await changesPerSecond(client, refs);
  await operator.stop();

  const resyncing = await bench.operate({
    environment: { ...settings, CONCURRENCY: '1', RESYNC_INTERVAL_S: String(RESYNC_S) },
  });
  // Its first look at everything does not count.
  while ((await costs(resyncing)).looks < RESOURCES) await sleep(100);
  const before = await costs(resyncing);
  const meanwhile = await changesPerSecond(client, refs);
  await sleep(OBSERVED_S * 1000);
  const after = await costs(resyncing);
  const looks = after.looks - before.looks;
  const seconds = after.at - before.at;
  const cpuMs = ((after.cpu - before.cpu) * 1000) / looks;
  console.log(
    `${RESOURCES} resources are looked at in ${((RESOURCES * seconds) / looks).toFixed(0)} s, again and again: ` +
      `${cpuMs.toFixed(2)} ms of processor each`,
  );
  return [
    { name: 'resources of a cluster Ready from nothing', value: ready, baseline: bare, unit: 'resources/s' },
    {
      name: 'looks again, of those that are due',
      value: looks / seconds,
      baseline: RESOURCES / RESYNC_S,
      unit: 'looks/s',
    },
    {
      name: 'changes one after another, Ready while all is looked at again',
      value: meanwhile,
      baseline: atRest,
      unit: 'changes/s',
    },
  ];
}

async function createResources(client: KubeClient, spaces: readonly string[], count: number): Promise<KubeRef[]> {
  return await mapConcurrently([...Array(count).keys()], AT_ONCE, async (index) => {
    const id = {
      kind: 'DatasetProperties' satisfies ResourceKind,
      namespace: spaces[Math.floor(index / IN_A_NAMESPACE)] as string,
      name: `table-${index}`,
    } as const;
    const spec = {
      datasetUrn: `urn:li:dataset:(urn:li:dataPlatform:hive,bench.table_${index},PROD)`,
      whenMissing: 'Create',
      properties: [{ propertyRef: { qualifiedName: PROPERTY }, values: [index % 1000] }],
    };
    const object = { apiVersion: API_VERSION, kind: id.kind, metadata: { name: id.name }, spec };
    await client.create(KUBE_RESOURCES[id.kind], object, id.namespace);
    return refOf(id);
  });
}

/** The least that a cluster has to do for a resource: its first status, its finalizer, its status. */
async function writtenPerSecond(client: KubeClient, refs: readonly KubeRef[]): Promise<number> {
  const started = performance.now();
  await mapConcurrently(refs, AT_ONCE, async (ref) => {
    const status = (observedGeneration: number) =>
      client.patch(ref, [{ op: 'add', path: '/status', value: { observedGeneration, conditions: [] } }], 'status');
    await status(0);
    await client.patch(ref, [{ op: 'add', path: '/metadata/annotations', value: { 'bench.example.com/run': 'bare' } }]);
    await status(1);
  });
  return (refs.length * 1000) / (performance.now() - started);
}

/** Changes a value and waits until the resource is Ready with it; one after the other. */
async function changesPerSecond(client: KubeClient, refs: readonly KubeRef[]): Promise<number> {
  const started = performance.now();
  for (let change = 0; change < CHANGES; change += 1) {
    const ref = refs[Math.floor((change * refs.length) / CHANGES)] as KubeRef;
    const path = '/spec/properties/0/values';
    const changed = await client.patch(ref, [{ op: 'add', path, value: [Math.random()] }]);
    while (!isReady(await client.read(ref), changed.metadata.generation)) await sleep(5);
  }
  return (CHANGES * 1000) / (performance.now() - started);
}

function isReady({ status }: KubeObject, generation: number | undefined): boolean {
  const { observedGeneration, conditions = [] } = status as {
    observedGeneration?: number;
    conditions?: readonly { type: string; status: string }[];
  };
  return observedGeneration === generation && conditions.some((one) => one.type === 'Ready' && one.status === 'True');
}

async function costs(operator: OperatorProcess): Promise<{ at: number; cpu: number; looks: number }> {
  return {
    at: performance.now() / 1000,
    cpu: await operator.metric('process_cpu_seconds_total'),
    looks:
      (await operator.metric('controller_runtime_reconcile_total')) +
      (await operator.metric('proplane_resync_unchanged_total')),
  };
}
