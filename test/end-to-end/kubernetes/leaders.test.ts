import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import { LATE_WRITES } from '../../harness/kubernetes/late-writes.ts';
import { LeaderWishes } from '../../harness/kubernetes/leader-wishes.ts';
import {
  described,
  Hold,
  isForLease,
  ProxiedOperator,
  type Sent,
  writesIn,
} from '../../harness/kubernetes/proxied-operator.ts';

const OPERATORS = ['one', 'two'] as const;

await describeWithCluster('two operators with one Lease', (cluster) => {
  let bench: KubeBench;
  let wishes: LeaderWishes;
  const journal: Sent[] = [];
  let operators: readonly ProxiedOperator[] = [];

  beforeAll(async () => {
    bench = await KubeBench.create(cluster);
    wishes = new LeaderWishes(bench);
    await grantLease(bench.kubectl, cluster.users.operator);
    await grantNamespace(bench.kubectl, cluster.users.operator);
    const first = await ProxiedOperator.start(bench, { journal });
    operators = [first, await ProxiedOperator.start(bench, { journal, standby: true })];
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
  });

  let leader: ProxiedOperator;
  let standby: ProxiedOperator;

  /** Each test finds one that leads and one that stands by, whichever that is. */
  beforeEach(async () => {
    await eventually(async () => {
      const leads = await Promise.all(operators.map((one) => one.isLeading()));
      expect(leads.filter(Boolean)).toHaveLength(1);
      leader = operators[leads.indexOf(true)]!;
      standby = operators[leads.indexOf(false)]!;
      const { items } = await bench.kubectl.json('get', 'leases');
      expect(items[0].spec.holderIdentity).not.toBe('');
    });
    // It works, so that what it does from here on is most likely for the test.
    await leader.process.leads();
    await works('begin');
  });

  let count = 0;
  /** Whoever leads does what is asked of it. */
  async function works(name: string): Promise<void> {
    count += 1;
    const displayName = `Change ${count}`;
    await bench.kubectl.apply(wishes.property(name, { displayName }));
    await bench.reason('StructuredProperty', name, 'Applied');
    expect(await wishes.displayNameOf(name)).toBe(displayName);
  }

  function writesSince(start: number, one: ProxiedOperator): string[] {
    return writesIn(journal.slice(start))
      .filter(({ operator }) => operator === one)
      .map(described);
  }

  async function takesOver(one: ProxiedOperator, terms: number): Promise<void> {
    await one.process.leads(terms);
    expect(await one.isLeading()).toBe(true);
  }

  it('one works; the other writes nothing and is ready to', async () => {
    for (const { process } of operators) expect((await process.get('/ready')).status).toBe(200);
    expect(await leader.isLeading()).toBe(true);
    expect(await standby.isLeading()).toBe(false);
    expect(leader.writes.length).toBeGreaterThan(0);
    const ofStandby = journal.filter((request) => request.operator === standby && !isForLease(request));
    expect(ofStandby.map(described)).toEqual([]);
  });

  it('a leader that was frozen past its lease sends no write when it thaws, though it has work to do', async () => {
    await bench.kubectl.apply(wishes.property('frozen', { displayName: 'Before' }));
    await bench.reason('StructuredProperty', 'frozen', 'Applied');
    const terms = standby.process.terms + 1;
    leader.process.freeze();
    // It is told of these as soon as it thaws.
    await bench.kubectl.apply(wishes.property('frozen', { displayName: 'Meanwhile' }), wishes.property('fresh'));
    await takesOver(standby, terms);
    await bench.reason('StructuredProperty', 'frozen', 'Applied');
    const sent = journal.length;
    leader.process.thaw();
    await eventually(async () => {
      const asked = journal.slice(sent).filter((request) => request.operator === leader && isForLease(request));
      expect(asked.filter(({ method }) => method === 'GET').length).toBeGreaterThan(2);
    });
    expect(writesSince(sent, leader)).toEqual([]);
    expect(await leader.isLeading()).toBe(false);
    expect((await leader.process.get('/ready')).status).toBe(200);
    expect(await wishes.displayNameOf('frozen')).toBe('Meanwhile');
  });

  describe('of a leader that was frozen on its way', () => {
    it.each(Object.keys(LATE_WRITES))('%s is refused after another leader has begun', async (what) => {
      const { before, provoke, fits, meanwhile, holds, refused } = LATE_WRITES[what]!;
      const name = what.replaceAll(' ', '-');
      if (before !== undefined) {
        await before(wishes, name);
        await bench.reason('StructuredProperty', name, 'Applied');
        if ((await bench.read('DatasetProperties', name)) !== undefined)
          await bench.reason('DatasetProperties', name, 'Applied');
      }
      const terms = standby.process.terms + 1;
      const hold = new Hold(leader, fits);
      await provoke(wishes, name);
      const request = await hold.request;
      leader.process.freeze();
      await takesOver(standby, terms);
      await meanwhile(wishes, name);
      const sent = journal.length;
      hold.release();
      await eventually(async () => expect(request.status).toBeDefined());
      expect(refused).toContain(request.status);
      await holds(wishes, name);
      leader.process.thaw();
      await eventually(async () => expect(await leader.isLeading()).toBe(false));
      await works(`${name}-after`);
      expect(writesSince(sent, leader)).toEqual([]);
      await holds(wishes, name);
    });
  });

  it('a late status of a frozen leader for a resource that has not changed since is put right by the new one', async () => {
    await bench.kubectl.apply(wishes.property('stale', { allowedValues: [{ value: 1 }] }));
    await bench.reason('StructuredProperty', 'stale', 'Applied');
    const before = await bench.read('StructuredProperty', 'stale');
    const terms = standby.process.terms + 1;
    // What the old leader was about to say, to the resource exactly as it was and stayed.
    leader.process.freeze();
    await takesOver(standby, terms);
    const { uid, resourceVersion } = before.metadata;
    const conditions = before.status.conditions.map((one: object) => ({ ...one, status: 'False', reason: 'Late' }));
    const late = [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: '/status', value: { ...before.status, conditions } },
    ];
    const patch = ['--type=json', `--patch=${JSON.stringify(late)}`];
    await bench.kubectl.run('patch', 'sprop', 'stale', '--subresource=status', ...patch);
    await bench.reason('StructuredProperty', 'stale', 'Applied');
    leader.process.thaw();
  });

  it('a leader that is stopped gives its lease back, and the other one works', async () => {
    const terms = standby.process.terms + 1;
    expect(await leader.process.stop()).toBe(0);
    const puts = journal.filter((one) => one.operator === leader && one.method === 'PUT' && isForLease(one));
    expect(JSON.parse(puts.at(-1)!.body).spec.holderIdentity).toBe('');
    expect(puts.at(-1)!.status).toBe(200);
    await takesOver(standby, terms);
    await works('stopped');
    await leader.restart();
  });

  it('a leader that is killed is replaced', async () => {
    const terms = standby.process.terms + 1;
    await leader.process.kill();
    await takesOver(standby, terms);
    await works('killed');
    await leader.restart();
  });

  it('a leader that is killed is replaced when there is no other one', async () => {
    await standby.process.kill();
    await leader.process.kill();
    await leader.restart();
    await takesOver(leader, 1);
    await works('alone');
    await standby.restart();
  });

  it('whoever leads after the lease was deleted by hand is believed by the server', async () => {
    const { items: before } = await bench.kubectl.json('get', 'leases');
    await bench.kubectl.run('delete', 'leases', '--all');
    const uid = await eventually(async () => {
      const { items } = await bench.kubectl.json('get', 'leases');
      expect(items[0]?.spec.holderIdentity).toBeTruthy();
      return items[0].metadata.uid;
    });
    expect(uid).not.toBe(before[0].metadata.uid);
    await works('unleased');
    const { body } = await bench.api.get('/fences');
    expect(body.fences).toEqual([expect.objectContaining({ lease: uid, source: bench.namespace })]);
  });

  it('a leader that cannot renew its lease stops, and comes back by itself when it can', async () => {
    const terms = standby.process.terms + 1;
    await leader.cluster.down();
    await takesOver(standby, terms);
    await eventually(async () => expect(await leader.isLeading()).toBe(false));
    expect((await leader.process.get('/health')).status).toBe(200);
    await works('unreachable');
    await leader.cluster.up();
    await standby.process.stop();
    await takesOver(leader, leader.process.terms + 1);
    await works('reachable');
    await standby.restart();
  });

  it('both stop when neither can reach the cluster, and one of them works when they can', async () => {
    const begun = leader.process.terms + standby.process.terms;
    await Promise.all(operators.map((one) => one.cluster.down()));
    await eventually(async () => expect(await leader.isLeading()).toBe(false));
    await bench.kubectl.apply(wishes.property('unwatched'));
    await Promise.all(operators.map((one) => one.cluster.up()));
    await bench.reason('StructuredProperty', 'unwatched', 'Applied');
    expect(leader.process.terms + standby.process.terms).toBeGreaterThan(begun);
  });

  it('a leader that the server takes for an earlier one begins another term, and blames no resource for it', async () => {
    const { body } = await bench.api.get('/fences');
    const { source, shard, lease, created, transitions } = body.fences[0];
    const later = new URLSearchParams({ source, shard, lease, created, transitions: String(transitions + 1) });
    const headers = { 'x-proplane-fence': later.toString() };
    expect((await bench.api.send('PUT', '/fences', undefined, headers)).status).toBe(200);
    const sent = journal.length;
    await works('refused');
    expect(leader.process.output + standby.process.output).toContain('this term ends; if no other operator works');
    expect(journal.slice(sent).some((request) => request.body.includes('LostLeadership'))).toBe(false);
  });

  it('they never write at the same time', () => {
    const writers = writesIn(journal).map((one) => OPERATORS[operators.indexOf(one.operator)]);
    const terms = journal.filter((one) => one.path === '/fences' && one.method === 'PUT' && one.status === 200);
    const blocks = writers.filter((writer, at) => writer !== writers[at - 1]);
    // Each term has at most one row of writes of its own.
    expect(blocks.length).toBeLessThanOrEqual(terms.length);
    expect(terms.length).toBeGreaterThan(10);
  });
});
