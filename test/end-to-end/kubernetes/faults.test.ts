import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ResourceKind } from '../../../model/resource/identity.ts';
import { entityPath, eventually } from '../../harness/api.ts';
import type { FaultProxy } from '../../harness/fault-proxy.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { broken, internalError, tooManyRequests, unavailable } from '../../harness/kubernetes/fault-answers.ts';
import { grantCluster, grantLease } from '../../harness/kubernetes/grants.ts';
import { KubeBench, manifestOf } from '../../harness/kubernetes/kube-bench.ts';
import { PlainWorld } from '../../harness/kubernetes/plain-world.ts';
import { described, isForLease, ProxiedOperator, type Sent } from '../../harness/kubernetes/proxied-operator.ts';

const CHANGES = 12;
const CONCURRENCY = 2;
const KINDS = ['structuredproperties', 'datasetproperties'];

await describeWithControlPlane('an operator between servers that fail', () => {
  let plane: ControlPlane;
  let bench: KubeBench;
  let operator: ProxiedOperator;
  let proxy: FaultProxy;
  let world: PlainWorld;
  /** Where in the journal the deletions are that nobody has looked at yet. */
  let checked = 0;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    bench = await KubeBench.create(plane);
    await grantCluster(bench.kubectl, plane.users.operator);
    await grantLease(bench.kubectl, plane.users.operator);
    operator = await ProxiedOperator.start(bench, {
      environment: {
        SOURCE_NAME: '',
        WATCH_NAMESPACES: '',
        WATCH_IDLE_S: '3',
        RESYNC_INTERVAL_S: '2',
        CONCURRENCY: String(CONCURRENCY),
        // What is broken here is not the lease: see leaders.test.ts.
        LEASE_DURATION_S: '30',
        LEASE_RENEW_DEADLINE_S: '20',
      },
    });
    proxy = operator.cluster;
    const { metadata } = await bench.kubectl.json('get', 'namespace', 'kube-system');
    world = await PlainWorld.create(bench, metadata.uid);
    await world.agrees();
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
    await plane?.stop();
  });

  const isOfOurs = ({ to, path }: Sent): boolean => to === 'cluster' && KINDS.some((plural) => path.includes(plural));
  const isWatch = ({ query }: Sent): boolean => query.has('watch');
  const watches = (since: number): Sent[] =>
    operator.journal.slice(since).filter((one) => isOfOurs(one) && isWatch(one));

  /** @throws what the check says, with what the operator said and asked for last. */
  async function explained(check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      const said = operator.process.output.split('\n').slice(-60);
      const asked = operator.journal.slice(-150).map(described);
      throw new Error([String(error), ...said, ...asked].join('\n'), { cause: error });
    }
  }

  /** Nothing is amiss any more: all agrees, the operator is the same process, and it has deleted only what it should. */
  async function goesOn(): Promise<void> {
    operator.befall = () => undefined;
    await world.changes(2);
    await explained(() => world.agrees());
    expect(operator.process.isRunning).toBe(true);
    world.checkDeletions(operator.journal.slice(checked));
    checked = operator.journal.length;
    world.turnPage();
    expect((await operator.process.get('/health')).status).toBe(200);
  }

  /** As many as it takes: by chance some lead to no request, as all do while there is no property to refer to. */
  async function changesUntil(check: () => void): Promise<void> {
    await world.changes(CHANGES);
    await eventually(async () => {
      await world.change();
      check();
    });
  }

  it('misses no change when its watches are cut again and again', async () => {
    for (let change = 0; change < CHANGES; change += 1) {
      if (change % 2 === 0) proxy.cutWatches();
      await world.change();
    }
    await goesOn();
  });

  it('opens watches again that have fallen silent, and gets what they have withheld', async () => {
    const since = operator.journal.length;
    proxy.silenceWatches();
    await world.changes(CHANGES);
    await eventually(async () => {
      for (const plural of KINDS)
        expect(watches(since).filter(({ path }) => path.endsWith(plural)).length).toBeGreaterThan(1);
    });
    proxy.unsilenceWatches();
    await goesOn();
  });

  it('is not led astray by a watch that breaks off inside a line', async () => {
    for (let change = 0; change < CHANGES; change += 1) {
      if (change % 3 === 0) proxy.truncateWatches();
      await world.change();
    }
    await goesOn();
  });

  it('goes on when the kube-apiserver was killed and started again', async () => {
    await Promise.all([plane.stopApiServer().then(() => plane.startApiServer()), world.changes(CHANGES)]);
    await goesOn();
  });

  it('lists again when the history is forgotten, and sees what has gone meanwhile', async () => {
    const kind: ResourceKind = 'StructuredProperty';
    const spec = { qualifiedName: 'faults.forgotten', valueType: 'string', entityTypes: ['dataset'] };
    await bench.kubectl.apply(manifestOf(kind, 'forgotten', spec));
    await bench.reason(kind, 'forgotten', 'Applied');
    const since = operator.journal.length;
    operator.befall = (request) => (isOfOurs(request) && isWatch(request) ? 'drop' : undefined);
    proxy.cutWatches();
    await world.changes(CHANGES);
    await bench.kubectl.run('delete', 'sprop', 'forgotten', '--wait=false');
    await bench.kubectl.run('patch', 'sprop', 'forgotten', '--type=merge', '--patch={"metadata":{"finalizers":null}}');
    expect(await bench.read(kind, 'forgotten')).toBeUndefined();
    await plane.forgetHistory();
    operator.befall = () => undefined;
    await eventually(async () => {
      const lists = operator.journal.slice(since).filter((one) => isOfOurs(one) && one.query.has('limit'));
      expect(lists.length).toBeGreaterThan(0);
    });
    // What it made stays, since somebody let it go by hand; it only belongs to nobody.
    const urn = 'urn:li:structuredProperty:faults.forgotten';
    await eventually(async () => expect((await bench.api.get(`/owners?urn=${urn}`)).body.owners).toEqual([]));
    expect((await bench.api.get(entityPath('v3', urn))).status).toBe(200);
    await goesOn();
  });

  it('carries out the deletion of what the cluster drops in the moment in which it gets its finalizer', async () => {
    const property = { qualifiedName: 'faults.dropped', valueType: 'string', entityTypes: ['dataset'] };
    const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,faults.dropped,PROD)';
    const values = {
      datasetUrn: dataset,
      whenMissing: 'Create',
      properties: [{ propertyRef: { qualifiedName: 'faults.dropped' }, values: ['x'] }],
    };
    await bench.kubectl.apply(
      manifestOf('StructuredProperty', 'dropped', property),
      manifestOf('DatasetProperties', 'dropped', values),
    );
    const held = async () =>
      (await bench.api.get(`${entityPath('v3', dataset)}?aspects=structuredProperties`)).body.structuredProperties
        .value;
    const urn = 'urn:li:structuredProperty:faults.dropped';
    for (const kind of ['StructuredProperty', 'DatasetProperties'] as const)
      await bench.reason(kind, 'dropped', 'Applied');
    expect((await held()).properties).toHaveLength(1);
    await plane.drop(`catalog.proplane.dev/datasetproperties/${bench.namespace}/dropped`);
    await eventually(async () => expect((await held()).properties).toEqual([]));
    expect((await bench.api.get(entityPath('v3', urn))).status).toBe(200);
    await plane.drop(`catalog.proplane.dev/structuredproperties/${bench.namespace}/dropped`);
    await eventually(async () => expect((await bench.api.get(entityPath('v3', urn))).status).toBe(404));
    await eventually(async () => expect((await bench.api.get(`/owners?urn=${urn}`)).body.owners).toEqual([]));
    checked = operator.journal.length;
    await goesOn();
  });

  it.each([
    ['too busy, and says when to ask again', tooManyRequests(1)],
    ['broken inside', internalError],
    ['resetting connections', 'drop'],
  ] as const)('tries again what a kube-apiserver refuses that is %s', async (_, fault) => {
    let refused = 0;
    operator.befall = (request) => {
      if (request.to !== 'cluster' || isForLease(request) || Math.random() < 0.5) return undefined;
      refused += 1;
      return fault;
    };
    proxy.cutWatches();
    await changesUntil(() => expect(refused).toBeGreaterThan(CHANGES));
    await goesOn();
  });

  it('asks again when a write was carried out and its answer lost', async () => {
    let lost = 0;
    proxy.after = ({ method, path }) => {
      if (method !== 'PATCH' || path.includes('/events') || Math.random() < 0.5) return undefined;
      lost += 1;
      return 'drop';
    };
    await changesUntil(() => expect(lost).toBeGreaterThan(1));
    proxy.after = () => undefined;
    await goesOn();
  });

  it('does not mind that answers are slow', async () => {
    operator.befall = async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
      return undefined;
    };
    await world.changes(CHANGES);
    await world.agrees();
    await goesOn();
  });

  it('begins nothing while the API server is away, says so once, and goes on when it is back', async () => {
    const lost = (): number => operator.process.output.split('ServerLost').length - 1;
    const back = (): number => operator.process.output.split('ServerBack').length - 1;
    const [lostBefore, backBefore] = [lost(), back()];
    operator.befall = ({ to }) => (to === 'server' ? 'drop' : undefined);
    await explained(() => changesUntil(() => expect(lost()).toBe(lostBefore + 1)));
    const since = operator.journal.length;
    await world.changes(CHANGES);
    const asked = () => operator.journal.slice(since).filter(({ to }) => to === 'server');
    const begun = await operator.process.metric('controller_runtime_reconcile_total');
    // More than one round of looking at everything.
    await eventually(async () => expect(asked().filter(({ path }) => path === '/ready').length).toBeGreaterThan(4));
    // What was under way has ended by then; each of those may have had several requests.
    const others = asked().filter(({ path }) => path !== '/ready');
    expect(others.length).toBeLessThanOrEqual(CONCURRENCY * 2);
    // Those that were under way may have ended only now.
    const ended = await operator.process.metric('controller_runtime_reconcile_total');
    expect(ended - begun).toBeLessThanOrEqual(CONCURRENCY);
    expect(lost()).toBe(lostBefore + 1);
    operator.befall = () => undefined;
    await eventually(async () => expect(back()).toBe(backBefore + 1));
    await goesOn();
  });

  it('goes on when the API server was killed and started again', async () => {
    await bench.server.kill();
    await world.changes(CHANGES);
    await bench.restartServer();
    await goesOn();
  });

  it('waits while the API server answers with errors, and asks again when it is told to', async () => {
    let refused = 0;
    operator.befall = ({ to }) => {
      if (to !== 'server' || Math.random() < 0.5) return undefined;
      refused += 1;
      return Math.random() < 0.5 ? unavailable(1) : broken;
    };
    await changesUntil(() => expect(refused).toBeGreaterThan(CHANGES));
    await goesOn();
  });
});
