import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { entityPath, eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { conditionOf, KubeBench, manifestOf } from '../../harness/kubernetes/kube-bench.ts';
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
  const journal: Sent[] = [];
  let operators: readonly ProxiedOperator[] = [];

  beforeAll(async () => {
    bench = await KubeBench.create(cluster);
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

  const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
  const propertyUrn = (name: string): string => `urn:li:structuredProperty:leaders.${name}`;

  const property = (name: string, spec: object = {}, metadata: object = {}): object =>
    manifestOf(
      'StructuredProperty',
      name,
      { qualifiedName: `leaders.${name}`, valueType: 'number', entityTypes: ['dataset'], ...spec },
      metadata,
    );
  const values = (name: string, value: number): object =>
    manifestOf('DatasetProperties', name, {
      datasetUrn: dataset(name),
      whenMissing: 'Create',
      properties: [{ propertyRef: { name }, values: [value] }],
    });

  async function displayNameOf(name: string): Promise<string | undefined> {
    const { body } = await bench.api.get(entityPath('v3', propertyUrn(name)));
    return body.propertyDefinition?.value.displayName;
  }

  async function valuesOf(name: string): Promise<unknown> {
    const { body } = await bench.api.get(`${entityPath('v3', dataset(name))}?aspects=structuredProperties`);
    return body.structuredProperties?.value.properties.map((one: { values: object[] }) => one.values);
  }

  let count = 0;
  /** Whoever leads does what is asked of it. */
  async function works(name: string): Promise<void> {
    count += 1;
    const displayName = `Change ${count}`;
    await bench.kubectl.apply(property(name, { displayName }));
    await bench.reason('StructuredProperty', name, 'Applied');
    expect(await displayNameOf(name)).toBe(displayName);
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

  const isWrite = (method: string, end: RegExp) => (request: Sent) =>
    request.method === method && end.test(decodeURIComponent(request.path));
  const writesFinalizer = (op: 'add' | 'remove') => (request: Sent) =>
    isWrite('PATCH', /properties\/[^/]+$/u)(request) &&
    request.to === 'cluster' &&
    request.body.includes(`"op":"${op}","path":"/metadata/finalizers`);

  it('one works; the other writes nothing and is ready to', async () => {
    for (const { process } of operators) expect((await process.get('/ready')).status).toBe(200);
    expect(await leader.isLeading()).toBe(true);
    expect(await standby.isLeading()).toBe(false);
    expect(leader.writes.length).toBeGreaterThan(0);
    const ofStandby = journal.filter((request) => request.operator === standby && !isForLease(request));
    expect(ofStandby.map(described)).toEqual([]);
  });

  it('a leader that was frozen past its lease sends no write when it thaws, though it has work to do', async () => {
    await bench.kubectl.apply(property('frozen', { displayName: 'Before' }));
    await bench.reason('StructuredProperty', 'frozen', 'Applied');
    const terms = standby.process.terms + 1;
    leader.process.freeze();
    // It is told of these as soon as it thaws.
    await bench.kubectl.apply(property('frozen', { displayName: 'Meanwhile' }), property('fresh'));
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
    expect(await displayNameOf('frozen')).toBe('Meanwhile');
  });

  /**
   * A write of the leader that is on its way when it is frozen. The other one takes over, the world goes on, then the
   * write arrives: while the old leader is still frozen, or after it has thawed.
   */
  const LATE: Record<
    string,
    {
      /** What stands before. */
      readonly before?: (name: string) => Promise<unknown>;
      readonly provoke: (name: string) => Promise<unknown>;
      readonly fits: (request: Sent) => boolean;
      /** What is wished of the new leader, until it is done. */
      readonly meanwhile: (name: string) => Promise<unknown>;
      readonly holds: (name: string) => Promise<unknown>;
      readonly refused: readonly number[];
    }
  > = {
    'a definition': {
      before: (name) => bench.kubectl.apply(property(name)),
      provoke: (name) => bench.kubectl.apply(property(name, { displayName: 'Late' })),
      fits: isWrite('POST', /\/propertyDefinition$/u),
      meanwhile: async (name) => {
        await bench.kubectl.apply(property(name, { displayName: 'New' }));
        await bench.reason('StructuredProperty', name, 'Applied');
      },
      holds: async (name) => expect(await displayNameOf(name)).toBe('New'),
      refused: [409],
    },
    'values of a dataset': {
      before: (name) => bench.kubectl.apply(property(name), values(name, 1)),
      provoke: (name) => bench.kubectl.apply(values(name, 2)),
      fits: isWrite('PATCH', /\/structuredProperties$/u),
      meanwhile: async (name) => {
        await bench.kubectl.apply(values(name, 3));
        await bench.reason('DatasetProperties', name, 'Applied');
      },
      holds: async (name) => expect(await valuesOf(name)).toEqual([[{ double: 3 }]]),
      refused: [409],
    },
    'the deletion of a definition': {
      before: (name) => bench.kubectl.apply(property(name)),
      provoke: (name) => bench.kubectl.run('delete', 'sprop', name, '--wait=false'),
      fits: isWrite('DELETE', /\/structuredProperty\//u),
      meanwhile: async (name) => {
        await bench.gone('StructuredProperty', name);
        await bench.kubectl.apply(property(name, { displayName: 'Again' }));
        await bench.reason('StructuredProperty', name, 'Applied');
      },
      holds: async (name) => expect(await displayNameOf(name)).toBe('Again'),
      refused: [409],
    },
    'the clearing of owner marks': {
      before: (name) => bench.kubectl.apply(property(name, { deletionPolicy: 'Retain' })),
      provoke: (name) => bench.kubectl.run('delete', 'sprop', name, '--wait=false'),
      fits: isWrite('DELETE', /\/owners$/u),
      meanwhile: async (name) => {
        await bench.gone('StructuredProperty', name);
        await bench.kubectl.apply(property(name));
        await bench.reason('StructuredProperty', name, 'Applied');
      },
      holds: async (name) => {
        const { body } = await bench.api.get(`/owners?urn=${propertyUrn(name)}`);
        expect(body.owners).toHaveLength(1);
      },
      refused: [409],
    },
    'a finalizer': {
      provoke: (name) => bench.kubectl.apply(property(name)),
      fits: writesFinalizer('add'),
      meanwhile: (name) => bench.reason('StructuredProperty', name, 'Applied'),
      holds: async (name) =>
        expect((await bench.read('StructuredProperty', name)).metadata.finalizers).toEqual([FINALIZER]),
      refused: [422],
    },
    'the removal of a finalizer': {
      before: (name) => bench.kubectl.apply(property(name)),
      provoke: (name) => bench.kubectl.run('delete', 'sprop', name, '--wait=false'),
      fits: writesFinalizer('remove'),
      meanwhile: async (name) => {
        await bench.gone('StructuredProperty', name);
        await bench.kubectl.apply(property(name));
        await bench.reason('StructuredProperty', name, 'Applied');
      },
      holds: async (name) =>
        expect((await bench.read('StructuredProperty', name)).metadata.finalizers).toEqual([FINALIZER]),
      refused: [422],
    },
    'a status': {
      before: (name) => bench.kubectl.apply(property(name, { allowedValues: [{ value: 1 }] }), values(name, 1)),
      provoke: (name) => bench.kubectl.apply(values(name, 2)),
      fits: (request) => isWrite('PATCH', /\/status$/u)(request) && request.body.includes('InvalidValue'),
      meanwhile: async (name) => {
        await bench.kubectl.apply(values(name, 1));
        await bench.reason('DatasetProperties', name, 'Applied');
      },
      holds: async (name) => {
        const object = await bench.read('DatasetProperties', name);
        expect(conditionOf(object, 'Ready').reason).toBe('Applied');
        expect(conditionOf(object, 'Stalled')).toBeUndefined();
      },
      refused: [422],
    },
  };

  describe('of a leader that was frozen on its way', () => {
    it.each(Object.keys(LATE))('%s is refused after another leader has begun', async (what) => {
      const { before, provoke, fits, meanwhile, holds, refused } = LATE[what]!;
      const name = what.replaceAll(' ', '-');
      if (before !== undefined) {
        await before(name);
        await bench.reason('StructuredProperty', name, 'Applied');
        if ((await bench.read('DatasetProperties', name)) !== undefined)
          await bench.reason('DatasetProperties', name, 'Applied');
      }
      const terms = standby.process.terms + 1;
      const hold = new Hold(leader, fits);
      await provoke(name);
      const request = await hold.request;
      leader.process.freeze();
      await takesOver(standby, terms);
      await meanwhile(name);
      const sent = journal.length;
      hold.release();
      await eventually(async () => expect(request.status).toBeDefined());
      expect(refused).toContain(request.status);
      await holds(name);
      leader.process.thaw();
      await eventually(async () => expect(await leader.isLeading()).toBe(false));
      await works(`${name}-after`);
      expect(writesSince(sent, leader)).toEqual([]);
      await holds(name);
    });
  });

  it('a late status of a frozen leader for a resource that has not changed since is put right by the new one', async () => {
    await bench.kubectl.apply(property('stale', { allowedValues: [{ value: 1 }] }));
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
    await bench.kubectl.apply(property('unwatched'));
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
