import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ResourceKind } from '../../../model/resource/identity.ts';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { addProperty, entityPath, eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { conditionOf, KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import { described, ProxiedOperator, type Sent, subjectOf } from '../../harness/kubernetes/proxied-operator.ts';
import { datasetUrn, numberOn, numberProperty, propertyUrn, valuesOn } from '../../harness/kubernetes/wishes.ts';

const ROUNDS = 12;
const WANDERERS = ['wanderer-0', 'wanderer-1', 'wanderer-2', 'wanderer-3'];

type Shard = 'a' | 'b';

await describeWithCluster('two operators with a shard each', (cluster) => {
  let bench: KubeBench;
  const journal: Sent[] = [];
  let operators: Readonly<Record<Shard, ProxiedOperator>>;
  /** The shards that each resource was in. */
  const shardsOf = new Map<string, Set<Shard>>();

  beforeAll(async () => {
    bench = await KubeBench.create(cluster, { environment: { REQUEST_TIMEOUT_S: '2' } });
    await grantLease(bench.kubectl, cluster.users.operator);
    await grantNamespace(bench.kubectl, cluster.users.operator);
    const start = (SHARD: Shard, WATCH_LABEL_SELECTOR: string): Promise<ProxiedOperator> =>
      // What is done here is done because of a change, not because everything is looked at now and then.
      ProxiedOperator.start(bench, {
        journal,
        environment: { SHARD, WATCH_LABEL_SELECTOR, RESYNC_INTERVAL_S: '3600' },
      });
    operators = { a: await start('a', 'team=a'), b: await start('b', 'team notin (a), team') };
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
  });

  /** Metadata of a resource that belongs to a shard from now on. */
  function of(shard: Shard, name: string): object {
    shardsOf.set(name, new Set([...(shardsOf.get(name) ?? []), shard]));
    return { labels: { team: shard } };
  }
  const property = (shard: Shard, name: string, spec: object = {}): object =>
    numberProperty(name, spec, of(shard, name));
  const number = (shard: Shard, name: string, ref: string, value: unknown, spec: object = {}): object =>
    numberOn(name, ref, value, spec, of(shard, name));
  async function move(kind: 'sprop' | 'dprop', name: string, shard: Shard): Promise<void> {
    of(shard, name);
    await bench.kubectl.run('label', kind, name, `team=${shard}`, '--overwrite');
  }

  const values = (name: string) => valuesOn(bench.api, datasetUrn(name));
  const applied = (kind: ResourceKind, name: string) => bench.reason(kind, name, 'Applied');

  // biome-ignore lint/suspicious/noExplicitAny: as the API gives it
  async function definitionOf(name: string): Promise<any> {
    const { body } = await bench.api.get(entityPath('v3', propertyUrn(`e2e.${name}`)));
    return body.propertyDefinition?.value;
  }

  async function ownersOf(name: string): Promise<object[]> {
    return (await bench.api.get(`/owners?source=${bench.namespace}&name=${name}`)).body.owners;
  }

  const writesFor = (shard: Shard, name: string, since = 0): string[] =>
    journal
      .slice(since)
      .filter((one) => one.operator === operators[shard] && one.method !== 'GET' && subjectOf(one) === name)
      .map(described);

  const deletionsOf = (name: string): string[] =>
    journal.filter(({ method, path }) => method === 'DELETE' && path.endsWith(`e2e.${name}`)).map(described);

  let count = 0;
  /** An operator has come to everything that was to be done before. */
  async function works(shard: Shard): Promise<void> {
    count += 1;
    const name = `beat-${count}`;
    await bench.kubectl.apply(property(shard, name));
    await applied('StructuredProperty', name);
  }

  it('lead at the same time, each by a Lease and with a fence of its own', async () => {
    expect([await operators.a.isLeading(), await operators.b.isLeading()]).toEqual([true, true]);
    const { items } = await bench.kubectl.json('get', 'leases');
    const leases: { name: string; uid: string }[] = items.map((one: { metadata: object }) => one.metadata);
    expect(leases.map(({ name }) => name).sort()).toEqual(['proplane-operator-a', 'proplane-operator-b']);
    const { fences } = (await bench.api.get('/fences')).body;
    const found = fences.map(({ source, shard, lease }: Record<string, string>) => [source, shard, lease]);
    expect(found.sort()).toEqual(
      leases.map(({ name, uid }) => [bench.namespace, name.replace('proplane-operator-', ''), uid]).sort(),
    );
  });

  it('work on their own resources alone, and count only those', async () => {
    await bench.kubectl.apply(property('a', 'of-a'), property('b', 'of-b'));
    await applied('StructuredProperty', 'of-a');
    await applied('StructuredProperty', 'of-b');
    expect([writesFor('a', 'of-a'), writesFor('b', 'of-b')].map((writes) => writes.length > 0)).toEqual([true, true]);
    expect([...writesFor('a', 'of-b'), ...writesFor('b', 'of-a')]).toEqual([]);
    for (const shard of ['a', 'b'] as const)
      expect(await operators[shard].process.metric('proplane_resources')).toBe(1);
  });

  it('find what a resource of the other shard defines, and hear of its changes', async () => {
    await bench.kubectl.apply(number('b', 'refers', 'referred', 30));
    await bench.reason('DatasetProperties', 'refers', 'ReferenceNotFound');
    await bench.kubectl.apply(property('a', 'referred'));
    await applied('DatasetProperties', 'refers');
    expect(await values('refers')).toEqual({ 'e2e.referred': [30] });
    await bench.kubectl.apply(property('a', 'referred', { removed: true }));
    await bench.reason('DatasetProperties', 'refers', 'ReferenceRemoved');
    await bench.kubectl.apply(property('a', 'referred'));
    await applied('DatasetProperties', 'refers');
    await bench.kubectl.apply(property('a', 'referred', { allowedValues: [{ value: 90 }], version: '20260101000000' }));
    await bench.reason('DatasetProperties', 'refers', 'InvalidValue');
    await bench.kubectl.apply(number('b', 'refers', 'referred', 90));
    await applied('DatasetProperties', 'refers');
    expect(await values('refers')).toEqual({ 'e2e.referred': [90] });
  });

  it('let the oldest win, whichever shard it is in, and the next one take over with all values', async () => {
    await bench.kubectl.apply(property('b', 'heritage-1', { qualifiedName: 'e2e.heritage', displayName: 'Older' }));
    await applied('StructuredProperty', 'heritage-1');
    const younger = property('a', 'heritage-2', { qualifiedName: 'e2e.heritage', displayName: 'Newer' });
    await bench.kubectl.apply(younger, number('a', 'heritage', 'heritage-1', 30));
    const refused = await bench.reason('StructuredProperty', 'heritage-2', 'Conflict');
    expect(conditionOf(refused, 'Ready').message).toContain('heritage-1');
    await applied('DatasetProperties', 'heritage');
    const byHand = `${entityPath('v3', datasetUrn('heritage-by-hand'), 'structuredProperties')}?createIfEntityNotExists=true`;
    expect((await bench.api.patch(byHand, addProperty(propertyUrn('e2e.heritage'), [{ double: 7 }]))).status).toBe(200);
    await bench.kubectl.run('delete', 'sprop', 'heritage-1', '--timeout=60s');
    await applied('StructuredProperty', 'heritage-2');
    expect((await definitionOf('heritage')).displayName).toBe('Newer');
    expect(await values('heritage-by-hand')).toEqual({ 'e2e.heritage': [7] });
    expect([await ownersOf('heritage-1'), await ownersOf('heritage-2')]).toMatchObject([[], [{}]]);
  });

  it('let the oldest give a dataset its value, whichever shard it is in', async () => {
    const both = { datasetUrn: datasetUrn('shared') };
    await bench.kubectl.apply(property('b', 'shared'), number('a', 'shared-1', 'shared', 1, both));
    await applied('DatasetProperties', 'shared-1');
    await bench.kubectl.apply(number('b', 'shared-2', 'shared', 2, both));
    await bench.reason('DatasetProperties', 'shared-2', 'Conflict');
    expect(await values('shared')).toEqual({ 'e2e.shared': [1] });
    await bench.kubectl.run('delete', 'dprop', 'shared-1', '--timeout=60s');
    await applied('DatasetProperties', 'shared-2');
    expect(await values('shared')).toEqual({ 'e2e.shared': [2] });
  });

  it('hand over a resource whose labels change as it is', async () => {
    await bench.kubectl.apply(property('a', 'moved'), number('a', 'moved-values', 'moved', 30));
    await applied('StructuredProperty', 'moved');
    await applied('DatasetProperties', 'moved-values');
    const marks = [await ownersOf('moved'), await ownersOf('moved-values')];
    await move('sprop', 'moved', 'b');
    await move('dprop', 'moved-values', 'b');
    await works('a');
    await works('b');
    const since = journal.length;
    for (const [kind, name] of [
      ['StructuredProperty', 'moved'],
      ['DatasetProperties', 'moved-values'],
    ] as const)
      expect((await applied(kind, name)).metadata.finalizers).toEqual([FINALIZER]);
    expect(await values('moved-values')).toEqual({ 'e2e.moved': [30] });
    expect([await ownersOf('moved'), await ownersOf('moved-values')]).toEqual(marks);
    expect(deletionsOf('moved')).toEqual([]);
    await bench.kubectl.apply(
      property('b', 'moved', { displayName: 'Moved' }),
      number('b', 'moved-values', 'moved', 90),
    );
    await eventually(async () => {
      expect((await definitionOf('moved')).displayName).toBe('Moved');
      expect(await values('moved-values')).toEqual({ 'e2e.moved': [90] });
    });
    expect([...writesFor('a', 'moved', since), ...writesFor('a', 'moved-values', since)]).toEqual([]);
    await bench.kubectl.run('delete', 'sprop/moved', 'dprop/moved-values', '--timeout=60s');
    expect([await definitionOf('moved'), await values('moved-values')]).toEqual([undefined, {}]);
  });

  it('hand over a resource that waits, and one that is being deleted', async () => {
    await bench.kubectl.apply(number('a', 'waits', 'awaited', 30));
    await bench.reason('DatasetProperties', 'waits', 'ReferenceNotFound');
    await move('dprop', 'waits', 'b');
    await bench.kubectl.apply(property('a', 'awaited'));
    await applied('DatasetProperties', 'waits');
    expect(writesFor('b', 'waits')).not.toEqual([]);
    await operators.b.process.kill();
    await bench.kubectl.run('delete', 'dprop/waits', '--wait=false');
    await works('a');
    expect(await values('waits')).toEqual({ 'e2e.awaited': [30] });
    await move('dprop', 'waits', 'a');
    await bench.gone('DatasetProperties', 'waits');
    expect(await values('waits')).toEqual({});
    await operators.b.restart();
    await operators.b.process.leads();
  });

  it('leave alone what no selector means, until its labels are those of one', async () => {
    await bench.kubectl.apply(numberProperty('nobodys'), property('a', 'left'));
    await applied('StructuredProperty', 'left');
    await bench.kubectl.run('label', 'sprop', 'left', 'team-');
    await bench.kubectl.apply(numberProperty('left', { displayName: 'Changed' }));
    await works('a');
    await works('b');
    const { metadata, status } = await bench.read('StructuredProperty', 'nobodys');
    expect([metadata.finalizers, status]).toEqual([undefined, undefined]);
    expect([...writesFor('a', 'nobodys'), ...writesFor('b', 'nobodys')]).toEqual([]);
    expect(await definitionOf('nobodys')).toBeUndefined();
    expect((await definitionOf('left')).displayName).toBeUndefined();
    await bench.kubectl.run('delete', 'sprop/left', '--wait=false');
    await works('a');
    await works('b');
    expect(await definitionOf('left')).toBeDefined();
    await move('sprop', 'left', 'b');
    await move('sprop', 'nobodys', 'a');
    await bench.gone('StructuredProperty', 'left');
    await applied('StructuredProperty', 'nobodys');
    expect(await definitionOf('left')).toBeUndefined();
  });

  it('clear the marks of a resource that somebody let go by hand, whichever shard it was in', async () => {
    await bench.kubectl.apply(property('a', 'loosened'));
    await applied('StructuredProperty', 'loosened');
    // So that it hears of both at once: otherwise it would put its finalizer back.
    operators.a.process.freeze();
    await bench.kubectl.run('patch', 'sprop', 'loosened', '--type=merge', '--patch={"metadata":{"finalizers":null}}');
    await bench.kubectl.run('delete', 'sprop', 'loosened', '--timeout=60s');
    await works('b');
    expect(await ownersOf('loosened')).toHaveLength(1);
    operators.a.process.thaw();
    await eventually(async () => expect(await ownersOf('loosened')).toEqual([]));
    expect(await definitionOf('loosened')).toBeDefined();
    expect(writesFor('b', 'loosened')).toEqual([]);
  });

  it('are not refused because of a new leader of the other shard', async () => {
    const since = journal.length;
    await operators.a.process.kill();
    await works('b');
    await operators.a.restart();
    await operators.a.process.leads();
    await works('b');
    await works('a');
    const { fences } = (await bench.api.get('/fences')).body;
    expect(fences).toHaveLength(2);
    const refused = journal.slice(since).filter(({ to, status }) => to === 'server' && status === 409);
    expect(refused.map(described)).toEqual([]);
  });

  it('end deletions that concern both, in whatever order', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `doomed-${index}`);
    const shard = (index: number): Shard => (index % 2 === 0 ? 'a' : 'b');
    await bench.kubectl.apply(
      ...names.map((name, index) => property(shard(index), name)),
      ...names.map((name, index) => number(shard(index + 1), name, name, index)),
    );
    for (const name of names) await applied('DatasetProperties', name);
    await bench.kubectl.run('delete', 'sprop', ...names.slice(0, 4), '--timeout=60s');
    for (const name of names.slice(0, 4)) {
      await bench.reason('DatasetProperties', name, 'ReferenceNotFound');
      expect(await values(name)).toEqual({});
    }
    const both = names.flatMap((name, index) => (index < 4 ? [`dprop/${name}`] : [`sprop/${name}`, `dprop/${name}`]));
    await bench.kubectl.run('delete', ...both, '--timeout=60s');
    for (const name of names) expect([await definitionOf(name), await ownersOf(name)]).toEqual([undefined, []]);
  });

  it('agree in the end on resources that move again and again', async () => {
    const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)]!;
    const shard = (): Shard => oneOf(['a', 'b']);
    const wished = new Map<string, number>();
    await bench.kubectl.apply(property('a', 'wandering'));
    for (let round = 0; round < ROUNDS; round += 1) {
      const names = WANDERERS.filter(() => Math.random() < 0.6);
      const manifests = names.map((name) => {
        wished.set(name, round);
        return number(shard(), name, 'wandering', round);
      });
      await bench.kubectl.apply(property(shard(), 'wandering', { displayName: `Round ${round}` }), ...manifests);
      const gone = oneOf(WANDERERS);
      if (Math.random() < 0.3 && wished.delete(gone)) await bench.kubectl.run('delete', 'dprop', gone, '--timeout=60s');
    }
    await applied('StructuredProperty', 'wandering');
    for (const name of wished.keys()) await applied('DatasetProperties', name);
    expect((await definitionOf('wandering')).displayName).toBe(`Round ${ROUNDS - 1}`);
    for (const name of WANDERERS) {
      const value = wished.get(name);
      expect([name, await values(name)]).toEqual([name, value === undefined ? {} : { 'e2e.wandering': [value] }]);
      expect(await ownersOf(name)).toHaveLength(value === undefined ? 0 : 1);
    }
    expect(deletionsOf('wandering')).toEqual([]);
  });

  it('have never written for a resource of the other shard', () => {
    const wrong = journal.filter((one) => {
      const shards = one.method === 'GET' ? undefined : shardsOf.get(subjectOf(one) ?? '');
      return shards !== undefined && !shards.has(one.operator === operators.a ? 'a' : 'b');
    });
    expect(wrong.map(described)).toEqual([]);
  });
});
