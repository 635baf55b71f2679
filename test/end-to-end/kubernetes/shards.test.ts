import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { addProperty, entityPath, eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { conditionOf, KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import { described } from '../../harness/kubernetes/proxied-operator.ts';
import { type Shard, ShardBench } from '../../harness/kubernetes/shard-bench.ts';
import { datasetUrn, numberProperty, propertyUrn } from '../../harness/kubernetes/wishes.ts';
import { oneOf } from '../../harness/random.ts';

const ROUNDS = 12;
const WANDERERS = ['wanderer-0', 'wanderer-1', 'wanderer-2', 'wanderer-3'];

await describeWithCluster('two operators with a shard each', (cluster) => {
  let bench: KubeBench;
  let shards: ShardBench;

  beforeAll(async () => {
    bench = await KubeBench.create(cluster, { environment: { REQUEST_TIMEOUT_S: '2' } });
    shards = await ShardBench.start(bench, cluster);
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
  });

  it('lead at the same time, each by a Lease and with a fence of its own', async () => {
    expect([await shards.operators.a.isLeading(), await shards.operators.b.isLeading()]).toEqual([true, true]);
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
    await bench.kubectl.apply(shards.property('a', 'of-a'), shards.property('b', 'of-b'));
    await shards.applied('StructuredProperty', 'of-a');
    await shards.applied('StructuredProperty', 'of-b');
    expect([shards.writesFor('a', 'of-a'), shards.writesFor('b', 'of-b')].map((writes) => writes.length > 0)).toEqual([
      true,
      true,
    ]);
    expect([...shards.writesFor('a', 'of-b'), ...shards.writesFor('b', 'of-a')]).toEqual([]);
    for (const shard of ['a', 'b'] as const)
      expect(await shards.operators[shard].process.metric('proplane_resources')).toBe(1);
  });

  it('find what a resource of the other shard defines, and hear of its changes', async () => {
    await bench.kubectl.apply(shards.number('b', 'refers', 'referred', 30));
    await bench.reason('DatasetProperties', 'refers', 'ReferenceNotFound');
    await bench.kubectl.apply(shards.property('a', 'referred'));
    await shards.applied('DatasetProperties', 'refers');
    expect(await shards.values('refers')).toEqual({ 'e2e.referred': [30] });
    await bench.kubectl.apply(shards.property('a', 'referred', { removed: true }));
    await bench.reason('DatasetProperties', 'refers', 'ReferenceRemoved');
    await bench.kubectl.apply(shards.property('a', 'referred'));
    await shards.applied('DatasetProperties', 'refers');
    await bench.kubectl.apply(
      shards.property('a', 'referred', { allowedValues: [{ value: 90 }], version: '20260101000000' }),
    );
    await bench.reason('DatasetProperties', 'refers', 'InvalidValue');
    await bench.kubectl.apply(shards.number('b', 'refers', 'referred', 90));
    await shards.applied('DatasetProperties', 'refers');
    expect(await shards.values('refers')).toEqual({ 'e2e.referred': [90] });
  });

  it('let the oldest win, whichever shard it is in, and the next one take over with all values', async () => {
    await bench.kubectl.apply(
      shards.property('b', 'heritage-1', { qualifiedName: 'e2e.heritage', displayName: 'Older' }),
    );
    await shards.applied('StructuredProperty', 'heritage-1');
    const younger = shards.property('a', 'heritage-2', { qualifiedName: 'e2e.heritage', displayName: 'Newer' });
    await bench.kubectl.apply(younger, shards.number('a', 'heritage', 'heritage-1', 30));
    const refused = await bench.reason('StructuredProperty', 'heritage-2', 'Conflict');
    expect(conditionOf(refused, 'Ready').message).toContain('heritage-1');
    await shards.applied('DatasetProperties', 'heritage');
    const byHand = `${entityPath('v3', datasetUrn('heritage-by-hand'), 'structuredProperties')}?createIfEntityNotExists=true`;
    expect((await bench.api.patch(byHand, addProperty(propertyUrn('e2e.heritage'), [{ double: 7 }]))).status).toBe(200);
    await bench.kubectl.run('delete', 'sprop', 'heritage-1', '--timeout=60s');
    await shards.applied('StructuredProperty', 'heritage-2');
    expect((await shards.definitionOf('heritage')).displayName).toBe('Newer');
    expect(await shards.values('heritage-by-hand')).toEqual({ 'e2e.heritage': [7] });
    expect([await shards.ownersOf('heritage-1'), await shards.ownersOf('heritage-2')]).toMatchObject([[], [{}]]);
  });

  it('let the oldest give a dataset its value, whichever shard it is in', async () => {
    const both = { datasetUrn: datasetUrn('shared') };
    await bench.kubectl.apply(shards.property('b', 'shared'), shards.number('a', 'shared-1', 'shared', 1, both));
    await shards.applied('DatasetProperties', 'shared-1');
    await bench.kubectl.apply(shards.number('b', 'shared-2', 'shared', 2, both));
    await bench.reason('DatasetProperties', 'shared-2', 'Conflict');
    expect(await shards.values('shared')).toEqual({ 'e2e.shared': [1] });
    await bench.kubectl.run('delete', 'dprop', 'shared-1', '--timeout=60s');
    await shards.applied('DatasetProperties', 'shared-2');
    expect(await shards.values('shared')).toEqual({ 'e2e.shared': [2] });
  });

  it('hand over a resource whose labels change as it is', async () => {
    await bench.kubectl.apply(shards.property('a', 'moved'), shards.number('a', 'moved-values', 'moved', 30));
    await shards.applied('StructuredProperty', 'moved');
    await shards.applied('DatasetProperties', 'moved-values');
    const marks = [await shards.ownersOf('moved'), await shards.ownersOf('moved-values')];
    await shards.move('sprop', 'moved', 'b');
    await shards.move('dprop', 'moved-values', 'b');
    await shards.works('a');
    await shards.works('b');
    const since = shards.journal.length;
    for (const [kind, name] of [
      ['StructuredProperty', 'moved'],
      ['DatasetProperties', 'moved-values'],
    ] as const)
      expect((await shards.applied(kind, name)).metadata.finalizers).toEqual([FINALIZER]);
    expect(await shards.values('moved-values')).toEqual({ 'e2e.moved': [30] });
    expect([await shards.ownersOf('moved'), await shards.ownersOf('moved-values')]).toEqual(marks);
    expect(shards.deletionsOf('moved')).toEqual([]);
    await bench.kubectl.apply(
      shards.property('b', 'moved', { displayName: 'Moved' }),
      shards.number('b', 'moved-values', 'moved', 90),
    );
    await eventually(async () => {
      expect((await shards.definitionOf('moved')).displayName).toBe('Moved');
      expect(await shards.values('moved-values')).toEqual({ 'e2e.moved': [90] });
    });
    expect([...shards.writesFor('a', 'moved', since), ...shards.writesFor('a', 'moved-values', since)]).toEqual([]);
    await bench.kubectl.run('delete', 'sprop/moved', 'dprop/moved-values', '--timeout=60s');
    expect([await shards.definitionOf('moved'), await shards.values('moved-values')]).toEqual([undefined, {}]);
  });

  it('hand over a resource that waits, and one that is being deleted', async () => {
    await bench.kubectl.apply(shards.number('a', 'waits', 'awaited', 30));
    await bench.reason('DatasetProperties', 'waits', 'ReferenceNotFound');
    await shards.move('dprop', 'waits', 'b');
    await bench.kubectl.apply(shards.property('a', 'awaited'));
    await shards.applied('DatasetProperties', 'waits');
    expect(shards.writesFor('b', 'waits')).not.toEqual([]);
    await shards.operators.b.process.kill();
    await bench.kubectl.run('delete', 'dprop/waits', '--wait=false');
    await shards.works('a');
    expect(await shards.values('waits')).toEqual({ 'e2e.awaited': [30] });
    await shards.move('dprop', 'waits', 'a');
    await bench.gone('DatasetProperties', 'waits');
    expect(await shards.values('waits')).toEqual({});
    await shards.operators.b.restart();
    await shards.operators.b.process.leads();
  });

  it('leave alone what no selector means, until its labels are those of one', async () => {
    await bench.kubectl.apply(numberProperty('nobodys'), shards.property('a', 'left'));
    await shards.applied('StructuredProperty', 'left');
    await bench.kubectl.run('label', 'sprop', 'left', 'team-');
    await bench.kubectl.apply(numberProperty('left', { displayName: 'Changed' }));
    await shards.works('a');
    await shards.works('b');
    const { metadata, status } = await bench.read('StructuredProperty', 'nobodys');
    expect([metadata.finalizers, status]).toEqual([undefined, undefined]);
    expect([...shards.writesFor('a', 'nobodys'), ...shards.writesFor('b', 'nobodys')]).toEqual([]);
    expect(await shards.definitionOf('nobodys')).toBeUndefined();
    expect((await shards.definitionOf('left')).displayName).toBeUndefined();
    await bench.kubectl.run('delete', 'sprop/left', '--wait=false');
    await shards.works('a');
    await shards.works('b');
    expect(await shards.definitionOf('left')).toBeDefined();
    await shards.move('sprop', 'left', 'b');
    await shards.move('sprop', 'nobodys', 'a');
    await bench.gone('StructuredProperty', 'left');
    await shards.applied('StructuredProperty', 'nobodys');
    expect(await shards.definitionOf('left')).toBeUndefined();
  });

  it('clear the marks of a resource that somebody let go by hand, whichever shard it was in', async () => {
    await bench.kubectl.apply(shards.property('a', 'loosened'));
    await shards.applied('StructuredProperty', 'loosened');
    // So that it hears of both at once: otherwise it would put its finalizer back.
    shards.operators.a.process.freeze();
    await bench.kubectl.run('patch', 'sprop', 'loosened', '--type=merge', '--patch={"metadata":{"finalizers":null}}');
    await bench.kubectl.run('delete', 'sprop', 'loosened', '--timeout=60s');
    await shards.works('b');
    expect(await shards.ownersOf('loosened')).toHaveLength(1);
    shards.operators.a.process.thaw();
    await eventually(async () => expect(await shards.ownersOf('loosened')).toEqual([]));
    expect(await shards.definitionOf('loosened')).toBeDefined();
    expect(shards.writesFor('b', 'loosened')).toEqual([]);
  });

  it('are not refused because of a new leader of the other shard', async () => {
    const since = shards.journal.length;
    await shards.operators.a.process.kill();
    await shards.works('b');
    await shards.operators.a.restart();
    await shards.operators.a.process.leads();
    await shards.works('b');
    await shards.works('a');
    const { fences } = (await bench.api.get('/fences')).body;
    expect(fences).toHaveLength(2);
    const refused = shards.journal.slice(since).filter(({ to, status }) => to === 'server' && status === 409);
    expect(refused.map(described)).toEqual([]);
  });

  it('end deletions that concern both, in whatever order', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `doomed-${index}`);
    const shard = (index: number): Shard => (index % 2 === 0 ? 'a' : 'b');
    await bench.kubectl.apply(
      ...names.map((name, index) => shards.property(shard(index), name)),
      ...names.map((name, index) => shards.number(shard(index + 1), name, name, index)),
    );
    for (const name of names) await shards.applied('DatasetProperties', name);
    await bench.kubectl.run('delete', 'sprop', ...names.slice(0, 4), '--timeout=60s');
    for (const name of names.slice(0, 4)) {
      await bench.reason('DatasetProperties', name, 'ReferenceNotFound');
      expect(await shards.values(name)).toEqual({});
    }
    const both = names.flatMap((name, index) => (index < 4 ? [`dprop/${name}`] : [`sprop/${name}`, `dprop/${name}`]));
    await bench.kubectl.run('delete', ...both, '--timeout=60s');
    for (const name of names)
      expect([await shards.definitionOf(name), await shards.ownersOf(name)]).toEqual([undefined, []]);
  });

  it('agree in the end on resources that move again and again', async () => {
    const shard = (): Shard => oneOf(['a', 'b'] as const, Math.random);
    const wished = new Map<string, number>();
    await bench.kubectl.apply(shards.property('a', 'wandering'));
    for (let round = 0; round < ROUNDS; round += 1) {
      const names = WANDERERS.filter(() => Math.random() < 0.6);
      const manifests = names.map((name) => {
        wished.set(name, round);
        return shards.number(shard(), name, 'wandering', round);
      });
      await bench.kubectl.apply(shards.property(shard(), 'wandering', { displayName: `Round ${round}` }), ...manifests);
      const gone = oneOf(WANDERERS, Math.random);
      if (Math.random() < 0.3 && wished.delete(gone)) await bench.kubectl.run('delete', 'dprop', gone, '--timeout=60s');
    }
    await shards.applied('StructuredProperty', 'wandering');
    for (const name of wished.keys()) await shards.applied('DatasetProperties', name);
    expect((await shards.definitionOf('wandering')).displayName).toBe(`Round ${ROUNDS - 1}`);
    for (const name of WANDERERS) {
      const value = wished.get(name);
      expect([name, await shards.values(name)]).toEqual([
        name,
        value === undefined ? {} : { 'e2e.wandering': [value] },
      ]);
      expect(await shards.ownersOf(name)).toHaveLength(value === undefined ? 0 : 1);
    }
    expect(shards.deletionsOf('wandering')).toEqual([]);
  });

  it('have never written for a resource of the other shard', () => {
    expect(shards.strayWrites().map(described)).toEqual([]);
  });
});
