import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConflictError, RejectedError, UnavailableError } from '../../../client/http-errors.ts';
import { OperatorMetrics } from '../../../operator/metrics/operator-metrics.ts';
import { done, type Outcome, requeue, terminal } from '../../../operator/reconcile/outcome.ts';
import type { ReconcileEnd } from '../../../operator/reconcile/reconciler.ts';
import type { ResourceRow, RowState } from '../../../operator/snapshot.ts';
import { SourceError, type SourceResource } from '../../../operator/source/port.ts';
import { seriesOf } from './series.ts';

/** Names and labels of every metric, without those of the process: what dashboards are made for. */
const METRICS: Record<string, readonly string[]> = {
  controller_runtime_active_workers: ['controller'],
  controller_runtime_max_concurrent_reconciles: ['controller'],
  controller_runtime_reconcile_errors_total: ['controller'],
  controller_runtime_reconcile_panics_total: ['controller'],
  controller_runtime_reconcile_time_seconds: ['controller'],
  controller_runtime_reconcile_total: ['controller', 'result'],
  controller_runtime_terminal_reconcile_errors_total: ['controller'],
  leader_election_master_status: ['name'],
  leader_election_slowpath_total: ['name'],
  proplane_api_request_duration_seconds: ['code', 'method'],
  proplane_api_requests_total: ['code', 'method'],
  proplane_drift_repaired_total: ['kind'],
  proplane_resources: ['kind', 'state'],
  proplane_resync_unchanged_total: ['kind'],
  proplane_time_to_delete_seconds: ['kind'],
  proplane_time_to_ready_seconds: ['kind'],
  rest_client_request_duration_seconds: ['host', 'verb'],
  rest_client_requests_total: ['code', 'host', 'method'],
  workqueue_adds_total: ['controller', 'name'],
  workqueue_depth: ['controller', 'name', 'priority'],
  workqueue_longest_running_processor_seconds: ['controller', 'name'],
  workqueue_queue_duration_seconds: ['controller', 'name'],
  workqueue_retries_total: ['controller', 'name'],
  workqueue_unfinished_work_seconds: ['controller', 'name'],
  workqueue_work_duration_seconds: ['controller', 'name'],
};

let now: number;
let rows: ResourceRow[];
let metrics: OperatorMetrics;
beforeEach(() => {
  now = 1_700_000_000_000;
  rows = [];
  metrics = new OperatorMetrics({ concurrency: 4, rows: () => rows, now: () => now });
});

const series = (text: string) => seriesOf(metrics.registry, text);

const entry = (name: string, rest: Partial<SourceResource> = {}): SourceResource => ({
  id: { kind: 'StructuredProperty', namespace: 'a', name },
  wish: { kind: 'unknown' },
  generation: 1,
  created: now,
  deleting: false,
  ...rest,
});

const row = (name: string, state: RowState): ResourceRow => ({
  ...entry(name).id,
  state,
  reason: '',
  message: '',
  created: 0,
});

/** As it is when it is ready in a generation. */
const readyIn = (generation: number): Pick<SourceResource, 'status'> => ({
  status: {
    observedGeneration: generation,
    conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '' }],
  },
});

const ended = (outcome: Outcome) => ({ outcome: outcome as NonNullable<ReconcileEnd['outcome']> });
const ready = ended(done('ready', 'Ready', ''));
const gone = ended(done('gone', 'Deleted', ''));
const waits = ended(requeue('event', 'PropertyNotReady', ''));

describe('the metrics of an operator', () => {
  it('have the names and labels that controller-runtime, client-go and this table say', async () => {
    metrics.apiRequest({ method: 'GET', status: 200, seconds: 0.1 });
    metrics.kubeRequest({ method: 'GET', host: 'kube:6443', status: 200, seconds: 0.1 });
    metrics.leads('proplane', true);
    const text = await metrics.registry.metrics();
    const names = [...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name = '']) => name);
    const ofProcess = /^(?:process|nodejs)_/u;
    expect(names.filter((name) => !ofProcess.test(name)).sort()).toEqual(Object.keys(METRICS).sort());
    expect(names.filter((name) => ofProcess.test(name))).toContain('process_cpu_seconds_total');
    for (const [name, labels] of Object.entries(METRICS)) {
      const found = [...text.matchAll(new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, 'gmu'))].map(([, list = '']) =>
        [...list.matchAll(/(\w+)=/gu)].map(([, label]) => label).sort(),
      );
      expect([name, ...new Set(found.map(String))]).toEqual([name, labels.join()]);
    }
    // Every metric is told what it is.
    expect(text.match(/^# HELP \S+ \S/gmu)?.length).toBe(names.length);
  });

  it('do not meet those of another operator in the same process', async () => {
    const other = new OperatorMetrics({ concurrency: 1, rows: () => [] });
    other.leads('proplane', true);
    expect(await series('leader_election_master_status{name="proplane"}')).toBeUndefined();
    expect(await seriesOf(other.registry, 'leader_election_master_status{name="proplane"}')).toBe(1);
    other.leads('proplane', false);
    expect(await seriesOf(other.registry, 'leader_election_master_status{name="proplane"}')).toBe(0);
    other.renewedSlowly('proplane');
    expect(await seriesOf(other.registry, 'leader_election_slowpath_total{name="proplane"}')).toBe(1);
  });
});

describe('reconciles', () => {
  const total = (result: string) =>
    series(`controller_runtime_reconcile_total{controller="structuredproperty",result="${result}"}`);
  const of = (name: string) => series(`controller_runtime_${name}{controller="structuredproperty"}`);
  const run = (end: ReconcileEnd) => metrics.reconcile(entry('a'))(end);

  it('are counted from zero, for each kind', async () => {
    for (const controller of ['structuredproperty', 'datasetproperties']) {
      for (const result of ['success', 'error', 'requeue', 'requeue_after']) {
        const name = `controller_runtime_reconcile_total{controller="${controller}",result="${result}"}`;
        expect(await series(name)).toBe(0);
      }
      expect(await series(`controller_runtime_max_concurrent_reconciles{controller="${controller}"}`)).toBe(4);
      expect(await series(`controller_runtime_reconcile_time_seconds_count{controller="${controller}"}`)).toBe(0);
    }
  });

  it.each<[string, ReconcileEnd, string]>([
    ['ready', ready, 'success'],
    ['gone', gone, 'success'],
    ['waits for an event', waits, 'success'],
    ['looks again with a growing delay', ended(requeue('backoff', 'Cascade', '')), 'requeue'],
    ['looks again after a time', ended(requeue(500, 'Cascade', '')), 'requeue_after'],
    ['stalled', ended(terminal('Invalid', '')), 'error'],
    ['refused', { ...ended(terminal('Invalid', '')), error: new RejectedError(400, '') }, 'error'],
    ['failed', { ...ended(requeue('backoff', 'WriteConflict', '')), error: new ConflictError('') }, 'error'],
    ['failed, and was ready before', { error: new UnavailableError('') }, 'error'],
  ])('count by their result: %s', async (_, end, result) => {
    run(end);
    expect(await total(result)).toBe(1);
    expect(await of('reconcile_errors_total')).toBe(result === 'error' ? 1 : 0);
    expect(await of('terminal_reconcile_errors_total')).toBe(end.outcome?.kind === 'terminal' ? 1 : 0);
    expect(await of('reconcile_panics_total')).toBe(0);
    expect(await of('reconcile_time_seconds_count')).toBe(1);
  });

  it('that fail by a fault of ours are told apart from failed requests', async () => {
    const failed = ended(requeue('backoff', 'InternalError', ''));
    for (const error of [new TypeError('oops'), new SourceError('WriteConflict', ''), new UnavailableError('')]) {
      run({ ...failed, error });
    }
    expect(await of('reconcile_panics_total')).toBe(1);
    expect(await of('reconcile_errors_total')).toBe(3);
  });

  it('are active until they end, and take the time in between', async () => {
    const ends = [metrics.reconcile(entry('a')), metrics.reconcile(entry('b'))];
    now += 1500;
    expect(await of('active_workers')).toBe(2);
    for (const end of ends) end(ready);
    expect(await of('active_workers')).toBe(0);
    expect(await of('reconcile_time_seconds_sum')).toBe(3);
  });
});

describe('requests', () => {
  it('to the Kubernetes API count by status, method and host', async () => {
    const host = 'kube:6443';
    metrics.kubeRequest({ method: 'GET', host, status: 410, seconds: 0.2 });
    metrics.kubeRequest({ method: 'GET', host, seconds: 0.1 });
    expect(await series('rest_client_requests_total{code="410",method="GET",host="kube:6443"}')).toBe(1);
    expect(await series('rest_client_requests_total{code="<error>",method="GET",host="kube:6443"}')).toBe(1);
    expect(await series('rest_client_request_duration_seconds_count{verb="GET",host="kube:6443"}')).toBe(2);
    const bucket = 'rest_client_request_duration_seconds_bucket{le="0.1",verb="GET",host="kube:6443"}';
    expect(await series(bucket)).toBe(1);
  });

  it('to the API server count by method and class of status', async () => {
    for (const status of [200, 204, 409, 503]) metrics.apiRequest({ method: 'POST', status, seconds: 0.1 });
    metrics.apiRequest({ method: 'POST', seconds: 30 });
    for (const [code, count] of Object.entries({ '2xx': 2, '4xx': 1, '5xx': 1, none: 1 })) {
      expect(await series(`proplane_api_requests_total{method="POST",code="${code}"}`)).toBe(count);
      expect(await series(`proplane_api_request_duration_seconds_count{method="POST",code="${code}"}`)).toBe(count);
    }
  });
});

describe('resources', () => {
  const time = async (to: 'ready' | 'delete', part = 'sum') =>
    series(`proplane_time_to_${to}_seconds_${part}{kind="StructuredProperty"}`);

  it('are counted by kind and state as they are at that moment', async () => {
    const count = (state: string, kind = 'StructuredProperty') =>
      series(`proplane_resources{kind="${kind}",state="${state}"}`);
    rows = [row('a', 'ready'), row('b', 'ready'), row('c', 'stalled')];
    expect([await count('ready'), await count('stalled'), await count('waiting')]).toEqual([2, 1, 0]);
    rows = [row('a', 'deleting')];
    expect([await count('ready'), await count('deleting')]).toEqual([0, 1]);
    expect(await count('ready', 'DatasetProperties')).toBe(0);
  });

  it('that are new take the time since their creation until they are ready', async () => {
    const made = entry('a', { created: now - 5000 });
    metrics.reconcile(made)(waits);
    now += 2000;
    metrics.reconcile(made)({ error: new UnavailableError('') });
    metrics.reconcile(made)(ready);
    expect([await time('ready', 'count'), await time('ready')]).toEqual([1, 7]);
    metrics.reconcile({ ...made, ...readyIn(1) })(ready);
    expect(await time('ready', 'count')).toBe(1);
  });

  it('that are changed take the time since that was first seen, anew with each change', async () => {
    const changed = entry('a', { created: now - 1e9, generation: 2, ...readyIn(1) });
    metrics.reconcile(changed)(waits);
    now += 10_000;
    metrics.reconcile({ ...changed, generation: 3 })(waits);
    now += 3000;
    metrics.reconcile({ ...changed, generation: 3 })(ready);
    expect([await time('ready', 'count'), await time('ready')]).toEqual([1, 3]);
  });

  it('that are deleted take the time since that was first seen until they are gone', async () => {
    const deleted = entry('a', { deleting: true, ...readyIn(1) });
    metrics.reconcile(deleted)(ended(requeue('backoff', 'Cascade', '')));
    now += 4000;
    metrics.reconcile(deleted)(gone);
    expect([await time('delete', 'count'), await time('delete')]).toEqual([1, 4]);
    expect(await time('ready', 'count')).toBe(0);
  });

  it('that are paused or not there any more are not waited for', async () => {
    metrics.reconcile(entry('a'))(waits);
    metrics.reconcile(entry('a'))(ended(done('paused', 'Paused', '')));
    metrics.reconcile(entry('b'))(waits);
    expect(await series('proplane_resources{kind="StructuredProperty",state="ready"}')).toBe(0);
    now += 60_000;
    for (const name of ['a', 'b']) metrics.reconcile(entry(name))(ready);
    expect([await time('ready', 'count'), await time('ready')]).toEqual([2, 0]);
  });

  it('whose drift was repaired are counted', async () => {
    const settled = entry('a', readyIn(1));
    metrics.reconcile(settled)({ ...ready, driftRepaired: true });
    metrics.reconcile(settled)({ ...ready, driftRepaired: false });
    metrics.reconcile(settled)(ready);
    expect(await series('proplane_drift_repaired_total{kind="StructuredProperty"}')).toBe(1);
    expect(await series('proplane_drift_repaired_total{kind="DatasetProperties"}')).toBe(0);
  });
});
