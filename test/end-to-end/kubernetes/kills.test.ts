import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ResourceKind } from '../../../model/resource/identity.ts';
import { FINALIZER } from '../../../operator/source/kubernetes/finalizer.ts';
import { KUBE_RESOURCES } from '../../../operator/source/kubernetes/kube-kinds.ts';
import { entityPath, eventually, postBatch } from '../../harness/api.ts';
import { checkCatalogue } from '../../harness/check-catalogue.ts';
import type { OwnAnswer } from '../../harness/fault-proxy.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { grantLease, grantNamespace } from '../../harness/kubernetes/grants.ts';
import { KillAt } from '../../harness/kubernetes/kill-at.ts';
import {
  type End,
  type InCatalogue,
  KINDS,
  type Row,
  rowsOf,
  STORIES,
  VALUES,
} from '../../harness/kubernetes/kill-stories.ts';
import { KindHistory } from '../../harness/kubernetes/kind-history.ts';
import { conditionOf, KubeBench } from '../../harness/kubernetes/kube-bench.ts';
import { heirOf, type NamedStep, STEPS } from '../../harness/kubernetes/named-steps.ts';
import { described, ProxiedOperator, type Sent, writesIn } from '../../harness/kubernetes/proxied-operator.ts';
import {
  datasetUrn,
  fieldUrn,
  numberOn,
  numberProperty,
  ownersOf,
  propertyUrn,
  valuesOn,
} from '../../harness/kubernetes/wishes.ts';

const unharmedOf = (key: string): string => `${key}0`;
const namesOf = (key: string): string[] => [unharmedOf(key), ...rowsOf(key).map(({ victim }) => victim)];
const keyOf = (name: string): string => name.replace(/\d+$/u, '');
/** Whether its resources are applied only when it begins. */
const isNew = (key: string): boolean => STORIES[key]!.deletes === undefined && STORIES[key]!.changes === undefined;
const crowdOf = (key: string): string[] =>
  Array.from({ length: STORIES[key]!.byHand }, (_, index) => datasetUrn(`${key}-by-hand-${index}`));

await describeWithCluster('killed in the middle of it', (cluster) => {
  let bench: KubeBench;
  let operator: ProxiedOperator;
  let histories: Readonly<Record<ResourceKind, KindHistory>>;
  let kills: KillAt | undefined;
  /** What the catalogue was like whenever a resource was about to be let go, by name. */
  const partings = new Map<string, InCatalogue[]>();

  beforeAll(async () => {
    bench = await KubeBench.create(cluster, { environment: { REQUEST_TIMEOUT_S: '2' } });
    await grantLease(bench.kubectl, cluster.users.operator);
    await grantNamespace(bench.kubectl, cluster.users.operator);
    // Each victim of a story is kept in its reconcile.
    operator = await ProxiedOperator.start(bench, {
      environment: { CONCURRENCY: '48', LEASE_DURATION_S: '2', LEASE_RENEW_DEADLINE_S: '1.5', LEASE_RETRY_S: '0.2' },
    });
    // When it has begun, the new kinds can be watched.
    histories = {
      StructuredProperty: await KindHistory.of(cluster, 'StructuredProperty', bench.namespace),
      DatasetProperties: await KindHistory.of(cluster, 'DatasetProperties', bench.namespace),
      AccessToken: await KindHistory.of(cluster, 'AccessToken', bench.namespace),
    };
    operator.befall = async (request) => {
      await notePartings(request);
      return (await kills?.befalls('before', request)) ?? slowCascade(request);
    };
    operator.withhold = (request) => kills?.befalls('after', request);
    await prepare(Object.keys(STORIES).filter((key) => !isNew(key)));
    for (const key of Object.keys(STORIES).filter((key) => STORIES[key]!.adopts)) await fill(namesOf(key));
  }, 1_800_000);

  afterAll(async () => {
    await histories?.StructuredProperty.stop();
    await histories?.DatasetProperties.stop();
    await bench?.close();
  }, 120_000);

  const properties = (key: string, names: readonly string[]): object[] =>
    names.map((name) => numberProperty(name, { entityTypes: ['dataset', 'schemaField'], ...STORIES[key]!.property }));
  const values = (key: string, names: readonly string[], changes: object = {}): object[] =>
    names.map((name) => valuesAs(name, name, { ...STORIES[key]!.values, ...changes }));
  const heirs = (key: string): object[] =>
    namesOf(key).map((name) =>
      STORIES[key]!.deletes === 'sprop'
        ? numberProperty(heirOf(name), { qualifiedName: `e2e.${name}`, entityTypes: ['dataset', 'schemaField'] })
        : valuesAs(heirOf(name), name, { datasetUrn: datasetUrn(name) }),
    );

  function valuesAs(name: string, property: string, spec: object): object {
    const onField = { fieldPath: 'email', properties: [{ propertyRef: { name: property }, values: [VALUES.onField] }] };
    return numberOn(name, property, VALUES.onDataset, { fields: [onField], ...spec });
  }

  async function prepare(keys: readonly string[]): Promise<void> {
    await bench.kubectl.apply(numberProperty('bystander'), ...keys.flatMap((key) => properties(key, namesOf(key))));
    const names = keys.flatMap(namesOf);
    await eventually(async () => {
      for (const name of ['bystander', ...names]) expect([name, reasonOf('property', name)]).toEqual([name, 'Applied']);
    });
    const items = keys.flatMap((key) => crowdOf(key).map((urn) => holding(urn, ['bystander', ...namesOf(key)])));
    await postBatch(bench.api, 'dataset', items);
    await bench.kubectl.apply(...keys.flatMap((key) => values(key, namesOf(key))));
    await eventually(async () => {
      for (const name of names) {
        const holders = STORIES[keyOf(name)]!.byHand + 2;
        expect([name, reasonOf('values', name), holdersOf(name)]).toEqual([name, 'Applied', holders]);
      }
    });
    const bequeathed = keys.filter((key) => STORIES[key]!.hasHeir);
    await bench.kubectl.apply(...bequeathed.flatMap(heirs));
    await eventually(async () => {
      for (const name of bequeathed.flatMap(namesOf)) expect([name, reasonOfHeir(name)]).toEqual([name, 'Conflict']);
    });
  }

  /** Writes what they wish for, with another value, in nobody's name. */
  async function fill(names: readonly string[]): Promise<void> {
    const entityTypes = ['dataset', 'schemaField'].map((type) => `urn:li:entityType:datahub.${type}`);
    const definitions = names.map((name) => {
      const value = { qualifiedName: `e2e.${name}`, valueType: 'urn:li:dataType:datahub.number', entityTypes };
      return { urn: propertyUrn(`e2e.${name}`), propertyDefinition: { value } };
    });
    await postBatch(bench.api, 'structuredProperty', definitions);
    const held = (urnOf: (name: string) => string) => names.map((name) => holding(urnOf(name), [name]));
    await postBatch(bench.api, 'dataset', held(datasetUrn));
    await postBatch(bench.api, 'schemaField', held(fieldUrn));
  }

  function holding(urn: string, names: readonly string[]): object {
    const held = names.map((name) => ({ propertyUrn: propertyUrn(`e2e.${name}`), values: [{ double: 7 }] }));
    return { urn, status: { value: { removed: false } }, structuredProperties: { value: { properties: held } } };
  }

  const reasonOf = (part: keyof typeof KINDS, name: string): string | undefined =>
    conditionOf(histories[KINDS[part]].last(name), 'Ready')?.reason;
  const holdersOf = (name: string): number | undefined => histories.StructuredProperty.last(name)?.status?.holders;

  /** Of whichever kind it is. */
  const reasonOfHeir = (name: string): string | undefined =>
    reasonOf('property', heirOf(name)) ?? reasonOf('values', heirOf(name));

  async function endOf(name: string): Promise<End> {
    const heir = reasonOfHeir(name);
    return {
      property: reasonOf('property', name),
      values: reasonOf('values', name),
      holders: holdersOf(name),
      ...(heir === undefined ? {} : { heir }),
      catalogue: await inCatalogue(name),
    };
  }

  async function inCatalogue(name: string): Promise<InCatalogue> {
    const { api } = bench;
    const [property, onDataset, onField, byHand, owned, inherited] = await Promise.all([
      api.get(entityPath('v3', propertyUrn(`e2e.${name}`))),
      valuesOn(api, datasetUrn(name)),
      valuesOn(api, fieldUrn(name)),
      handsThatHold(name, keyOf(name)),
      kindsOwnedBy(name),
      kindsOwnedBy(heirOf(name)),
    ]);
    const { propertyDefinition, status } = property.body;
    const there = status?.value.removed ? 'soft deleted' : 'there';
    return {
      definition: propertyDefinition === undefined ? undefined : there,
      onDataset: onDataset[`e2e.${name}`]?.[0] as number | undefined,
      onField: onField[`e2e.${name}`]?.[0] as number | undefined,
      byHand,
      owned,
      inherited,
    };
  }

  async function kindsOwnedBy(name: string): Promise<string[]> {
    return (await ownersOf(bench.api, `name=${name}`)).map(({ kind }) => kind).sort();
  }

  async function handsThatHold(name: string, key: string): Promise<number> {
    const asked = crowdOf(key).map((urn) => ({ urn, structuredProperties: {} }));
    if (asked.length === 0) return 0;
    const { body } = await bench.api.post('/openapi/v3/entity/dataset/batchGet', asked);
    const urn = propertyUrn(`e2e.${name}`);
    // biome-ignore lint/suspicious/noExplicitAny: entities as the API gives them
    const holds = ({ structuredProperties }: any): boolean =>
      structuredProperties?.value.properties.some((one: { propertyUrn: string }) => one.propertyUrn === urn) ?? false;
    return body.filter(holds).length;
  }

  /** A cascade over so few is mostly over before anybody asks for it. */
  function slowCascade(request: Sent): OwnAnswer | undefined {
    const isSlow = ({ what, victim }: Row): boolean =>
      what === STEPS.cascadeSaid.what && STEPS.cascadeRead.fits(request, victim);
    const rows = kills?.isOver === false ? rowsOf('hard') : [];
    const counts = { total: 42, processed: 7, remaining: 35 };
    const job = { id: 'slow', kind: 'cascade', subject: '', state: 'running', pass: 1, created: 0, ...counts };
    return rows.some(isSlow) ? { status: 200, body: { jobs: [job] } } : undefined;
  }

  async function notePartings(request: Sent): Promise<void> {
    const name = request.path.slice(request.path.lastIndexOf('/') + 1);
    if (STORIES[keyOf(name)] === undefined) return;
    if (![STEPS.propertyReleased, STEPS.valuesReleased].some(({ fits }) => fits(request, name))) return;
    partings.set(name, [...(partings.get(name) ?? []), await inCatalogue(name)]);
  }

  async function begin(key: string, names: readonly string[], rows: readonly Row[] = []): Promise<void> {
    const { deletes, changes } = STORIES[key]!;
    if (deletes !== undefined) {
      await bench.kubectl.run('delete', deletes, ...names, '--wait=false');
      return;
    }
    if (changes !== undefined) {
      await bench.kubectl.apply(...values(key, names, changes));
      return;
    }
    // The values first, so that they have to wait.
    await bench.kubectl.apply(...values(key, names));
    await eventually(async () => {
      const kept = rows.filter((row) => kills?.reached.has(row)).map(({ victim }) => victim);
      const free = names.filter((name) => !kept.includes(name));
      expect(free.filter((name) => reasonOf('values', name) !== 'ReferenceNotFound')).toEqual([]);
    });
    await bench.kubectl.apply(...properties(key, names));
  }

  /** The dead one writes no more: its lease need not run out as well. */
  async function freeLease(): Promise<void> {
    const free = JSON.stringify({ spec: { holderIdentity: '' } });
    await bench.kubectl.run('patch', 'lease', 'proplane-operator', '--type=merge', `--patch=${free}`);
  }

  const ends = (key: string, name: string): Promise<void> =>
    eventually(async () => expect(await endOf(name)).toEqual(STORIES[key]!.end));

  describe.each(Object.keys(STORIES))('%s', (key) => {
    const { title, kills: whom, steps, end } = STORIES[key]!;
    const rows = rowsOf(key);
    let unharmed: readonly Sent[] = [];

    beforeAll(async () => {
      const since = operator.journal.length;
      await begin(key, [unharmedOf(key)]);
      await ends(key, unharmedOf(key));
      unharmed = writesIn(operator.journal.slice(since));
      kills = new KillAt(rows);
      await begin(
        key,
        rows.map(({ victim }) => victim),
        rows,
      );
      if (whom === 'operator') {
        await kills.kill(() => operator.process.kill());
        await freeLease();
        await operator.restart();
        await operator.process.leads();
      } else {
        await kills.kill(() => bench.server.kill());
        await bench.restartServer();
      }
    }, 400_000);

    it(`${title} has named steps only`, () => {
      const names = Object.keys(STORIES).flatMap(namesOf);
      const isNamed = (request: Sent): boolean => steps.some(({ fits }) => names.some((name) => fits(request, name)));
      const concerned = unharmed.filter(({ to }) => whom === 'operator' || to === 'server');
      expect(concerned.filter((request) => !isNamed(request)).map(described)).toEqual([]);
    });

    it.each(rows)(`${title} ends the same when the ${whom} is killed $name`, async ({ victim }) => {
      await ends(key, victim);
      for (const catalogue of partings.get(victim) ?? []) expect(catalogue).toEqual(end.catalogue);
      for (const kind of Object.values(KINDS)) {
        for (const name of [victim, heirOf(victim)]) {
          const states = histories[kind].statesOf(name);
          const isKept = states.map(({ metadata }) => metadata.finalizers?.includes(FINALIZER) ?? false);
          if (states.length > 0) expect(isKept.slice(isKept.indexOf(true))).not.toContain(false);
        }
      }
      if (isNew(key)) {
        const { adopts } = STORIES[key]!;
        expectProtected(victim, STEPS.propertyProtected, adopts ? STEPS.propertyMarked : STEPS.defined);
        expectProtected(victim, STEPS.valuesProtected, adopts ? STEPS.valueOnDataset : STEPS.datasetCreated);
      }
    });

    it('leaves other values alone', async () => {
      expect(await handsThatHold('bystander', key)).toBe(STORIES[key]!.byHand);
    });
  });

  /** Nothing is written for a resource before it has the finalizer. */
  function expectProtected(name: string, protects: NamedStep, writes: NamedStep): void {
    const done = operator.journal.findIndex((one) => protects.fits(one, name) && one.status === 200);
    expect(done).toBeGreaterThanOrEqual(0);
    expect(operator.journal.findIndex((one) => writes.fits(one, name))).toBeGreaterThan(done);
  }

  it('nothing is left in the store and the search index in the end', async () => {
    for (const kind of Object.values(KINDS)) {
      const { group, version, plural } = KUBE_RESOURCES[kind];
      // kubectl would delete one after the other, and not fast.
      const collection = `/apis/${group}/${version}/namespaces/${bench.namespace}/${plural}`;
      await bench.kubectl.run('delete', `--raw=${collection}`);
    }
    await eventually(async () => expect((await bench.kubectl.json('get', 'sprop,dprop')).items).toEqual([]));
    await eventually(async () => {
      const { body } = await bench.api.get('/jobs?kind=cascade');
      expect(body.jobs.filter(({ state }: { state: string }) => state !== 'done')).toEqual([]);
      expect((await bench.api.get('/metrics')).body).toMatch(/^proplane_outbox_entities 0$/mu);
    });
    await operator.process.kill();
    await bench.server.stop();
    const { store, search, close } = await bench.deployment.open();
    try {
      expect(await checkCatalogue(store, search)).toEqual([]);
    } finally {
      await close();
    }
  }, 120_000);
});
