import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../harness/api.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { describeWithCluster, describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { grantCluster, grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { conditionOf, KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import type { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { described, ProxiedOperator, writesIn } from '../../harness/kubernetes/proxied-operator.ts';
import { type RoleFile, rightFor, rightsIn, roleWith } from '../../harness/kubernetes/rights.ts';
import { datasetUrn, numberOn, numberProperty, valuesOn } from '../../harness/kubernetes/wishes.ts';

const WITHOUT_FINALIZERS = ['--type=merge', '--patch={"metadata":{"finalizers":null}}'];

/** Has an operator do everything that it can do, in the namespace of `kubectl`. */
async function exercise(bench: KubeBench, operator: ProxiedOperator, kubectl: Kubectl, name: string): Promise<void> {
  const ready = (what: string, reason = 'Applied') =>
    kubectl.run('wait', what, `--for=jsonpath={.status.conditions[?(@.type=="Ready")].reason}=${reason}`);
  const kept = `${name}-kept`;
  const property = numberProperty(name, { qualifiedName: `rights.${name}` });
  await kubectl.apply(numberOn(name, name, 1));
  await ready(`dprop/${name}`, 'ReferenceNotFound');
  await kubectl.apply(property, numberProperty(kept, { qualifiedName: `rights.${kept}` }), numberOn(kept, kept, 1));
  for (const what of [`dprop/${name}`, `sprop/${name}`, `dprop/${kept}`, `sprop/${kept}`]) await ready(what);
  // What was let go by hand while nobody looked, it asks for one by one.
  await operator.process.kill();
  const both = [`dprop/${kept}`, `sprop/${kept}`];
  for (const what of both) await kubectl.run('patch', what, ...WITHOUT_FINALIZERS);
  await kubectl.run('delete', ...both, '--timeout=60s');
  await operator.restart();
  await operator.process.leads();
  // An event that was there before: the same happens again.
  await kubectl.run('delete', `sprop/${name}`, '--timeout=60s');
  await ready(`dprop/${name}`, 'ReferenceNotFound');
  expect(await valuesOn(bench.api, datasetUrn(name))).toEqual({});
  await kubectl.apply(property);
  await ready(`dprop/${name}`);
  await kubectl.run('delete', `dprop/${name}`, `sprop/${name}`, '--timeout=60s');
}

/** That an operator was refused nothing, and used all that it was granted. */
async function usesExactly(operator: ProxiedOperator, ...files: readonly RoleFile[]): Promise<void> {
  const sent = () => operator.journal.filter(({ to }) => to === 'cluster');
  // What AccessTokens need is tried in access-tokens.test.ts, with what roles grant and nothing else.
  const isTried = (right: string) => !right.includes('accesstokens');
  const used = () => [...new Set(sent().map(rightFor))].sort();
  await eventually(async () => expect(used().filter(isTried)).toEqual((await rightsIn(...files)).filter(isTried)));
  const refused = sent().filter(({ status }) => status === 401 || status === 403);
  expect(refused.map(described)).toEqual([]);
}

await describeWithCluster('an operator with the rights of one namespace', (cluster) => {
  let bench: KubeBench;
  let operator: ProxiedOperator;

  beforeAll(async () => {
    bench = await KubeBench.create(cluster, { environment: { REQUEST_TIMEOUT_S: '2' } });
    await grantLease(bench.kubectl, cluster.users.operator);
    await grantNamespace(bench.kubectl, cluster.users.operator);
    operator = await ProxiedOperator.start(bench);
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
  });

  it('is refused nothing, and needs all of them', async () => {
    await exercise(bench, operator, bench.kubectl, 'one');
    await usesExactly(operator, 'namespaced.yaml', 'leader.yaml');
  });

  it('knows nothing of other namespaces', async () => {
    const other = await bench.anotherNamespace();
    await other.kubectl.apply(numberProperty('unseen'), numberOn('unseen', 'unseen', 1));
    const properties = [{ propertyRef: { namespace: other.name, name: 'unseen' }, values: [1] }];
    await bench.kubectl.apply(numberOn('refers', 'unseen', 1, { properties }));
    await bench.reason('DatasetProperties', 'refers', 'ReferenceNotFound');
    const { items } = await other.kubectl.json('get', 'sprop,dprop');
    expect(items.map((item: { status?: object }) => item.status)).toEqual([undefined, undefined]);
    expect(operator.journal.filter(({ path }) => path.includes(other.name)).map(described)).toEqual([]);
  });

  describe('of which one is missing', () => {
    const isOf = (plural: string) => (rule: { resources: readonly string[] }) => rule.resources.includes(plural);
    const without = (file: RoleFile, plural: string, verb?: string) =>
      roleWith(file, (rules) =>
        rules.flatMap((rule) => {
          if (!isOf(plural)(rule)) return [rule];
          return verb === undefined ? [] : [{ ...rule, verbs: rule.verbs.filter((one) => one !== verb) }];
        }),
      );
    const grantAll = async (file: RoleFile): Promise<unknown> =>
      bench.kubectl.apply(await roleWith(file, (rules) => rules));

    let count = 0;
    /** A new property is in place. */
    async function works(): Promise<void> {
      count += 1;
      await bench.kubectl.apply(numberProperty(`work-${count}`));
      await bench.reason('StructuredProperty', `work-${count}`, 'Applied');
    }

    async function restartWith(role: object): Promise<void> {
      await operator.process.stop();
      await bench.kubectl.apply(role);
      await operator.restart();
    }

    const told = (text: RegExp): Promise<void> => eventually(async () => expect(operator.process.output).toMatch(text));

    afterEach(async () => {
      await grantAll('namespaced.yaml');
      await grantAll('leader.yaml');
    });

    it.each([
      ['list resources', 'list', /Cannot list structuredproperties[^\n]+; grant the verbs get, list and watch on it/u],
      [
        'watch resources',
        'watch',
        /Cannot watch structuredproperties[^\n]+; grant the verbs get, list and watch on it/u,
      ],
    ])('says that it may not %s, and begins when it may', async (_, verb, text) => {
      await restartWith(await without('namespaced.yaml', 'structuredproperties', verb));
      await told(text);
      await grantAll('namespaced.yaml');
      await works();
    });

    it('says on each resource that it may not add its finalizer, writes nothing for it, and goes on when it may', async () => {
      await restartWith(await without('namespaced.yaml', 'structuredproperties', 'patch'));
      await operator.process.leads();
      const since = operator.journal.length;
      await bench.kubectl.apply(numberProperty('bare'));
      const found = await bench.reason('StructuredProperty', 'bare', 'KubernetesForbidden');
      const text = /cannot patch resource \\?"structuredproperties\\?" in API group \\?"catalog.proplane.dev\\?"/u;
      expect(conditionOf(found, 'Ready').message).toMatch(text);
      await told(text);
      const writes = writesIn(operator.journal.slice(since)).filter(({ to }) => to === 'server');
      expect(writes.map(described)).toEqual([]);
      await grantAll('namespaced.yaml');
      await bench.reason('StructuredProperty', 'bare', 'Applied');
    });

    it('says once that it may not write statuses, and writes them when it may', async () => {
      await restartWith(await without('namespaced.yaml', 'structuredproperties/status'));
      await operator.process.leads();
      const names = ['mute-1', 'mute-2', 'mute-3'];
      await bench.kubectl.apply(...names.map((name) => numberProperty(name)));
      await told(/cannot patch resource \\?"structuredproperties\/status\\?" in API group/u);
      const attempts = (name: string): number =>
        operator.journal.filter(({ path, status }) => path.endsWith(`/${name}/status`) && status === 403).length;
      await eventually(async () => expect(Math.min(...names.map(attempts))).toBeGreaterThan(2));
      expect(operator.process.output.match(/Problem: [^\n]*cannot be written/gu)).toHaveLength(1);
      await grantAll('namespaced.yaml');
      for (const name of names) await bench.reason('StructuredProperty', name, 'Applied');
    });

    it('says once that it may not write events, and works all the same', async () => {
      await restartWith(await without('namespaced.yaml', 'events'));
      await operator.process.leads();
      await works();
      await works();
      await told(/events cannot be written: [^\n]*cannot create resource \\?"events\\?" in API group/u);
      expect(operator.process.output.match(/events cannot be written/gu)).toHaveLength(1);
      await grantAll('namespaced.yaml');
      await bench.kubectl.apply(numberProperty('eventful'));
      await eventually(async () => {
        const { items } = await bench.kubectl.json('get', 'events', '--field-selector=involvedObject.name=eventful');
        expect(items).not.toEqual([]);
      });
    });

    it('says that it may not take the Lease, and leads when it may', async () => {
      await restartWith(await without('leader.yaml', 'leases', 'update'));
      await told(/cannot take the Lease [^\n]*cannot update resource \\?"leases\\?" in API group/u);
      expect((await operator.process.get('/ready')).status).toBe(200);
      await grantAll('leader.yaml');
      await works();
    });
  });
});

await describeWithControlPlane('an operator with the rights of all namespaces', () => {
  let plane: ControlPlane;
  let bench: KubeBench;
  let operator: ProxiedOperator;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    bench = await KubeBench.create(plane, { environment: { REQUEST_TIMEOUT_S: '2' } });
    await grantLease(bench.kubectl, plane.users.operator);
    const environment = { SOURCE_NAME: '', WATCH_NAMESPACES: '' };
    operator = await ProxiedOperator.start(bench, { environment, standby: true });
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
    await plane?.stop();
  });

  it('says what to do when it may not know the name of its source, and begins when it may', async () => {
    const text = /set SOURCE_NAME, or grant \\?"get\\?" on the namespace kube-system/u;
    await eventually(async () => expect(operator.process.output).toMatch(text));
    await grantCluster(bench.kubectl, plane.users.operator);
    await operator.process.leads();
    operator.journal.length = 0;
    await operator.process.stop();
    await operator.restart();
    await operator.process.leads();
  });

  it('works in each of them, is refused nothing, and needs all of its rights', async () => {
    const other = await bench.anotherNamespace();
    await exercise(bench, operator, bench.kubectl, 'here');
    await exercise(bench, operator, other.kubectl, 'there');
    await bench.kubectl.run('delete', 'lease', '--all');
    await operator.process.leads(2);
    await usesExactly(operator, 'cluster.yaml', 'leader.yaml');
  });

  it('finds resources of other namespaces, also of those that are made while it works', async () => {
    const other = await bench.anotherNamespace();
    const properties = [{ propertyRef: { namespace: other.name, name: 'found' }, values: [1] }];
    await bench.kubectl.apply(numberOn('finds', 'found', 1, { properties }));
    await bench.reason('DatasetProperties', 'finds', 'ReferenceNotFound');
    await other.kubectl.apply(numberProperty('found'));
    await bench.reason('DatasetProperties', 'finds', 'Applied');
    const { metadata } = await bench.kubectl.json('get', 'namespace', 'kube-system');
    const { owners } = (await bench.api.get(`/owners?source=${metadata.uid}`)).body;
    const marks = owners.map(({ namespace, name }: Record<string, string>) => [namespace, name]);
    expect(marks.sort()).toEqual(
      [
        [bench.namespace, 'finds'],
        [other.name, 'found'],
      ].sort(),
    );
  });
});
