import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { entityPath, eventually, postBatch } from '../../harness/api.ts';
import { checkCatalogue } from '../../harness/check-catalogue.ts';
import { describeWithClusterOnEachDeployment } from '../../harness/kubernetes/describe-deployments.ts';
import { conditionOf, KubeBench, manifestOf } from '../../harness/kubernetes/kube-bench.ts';
import { ObjectHistory } from '../../harness/kubernetes/object-history.ts';
import type { OperatorProcess } from '../../harness/kubernetes/operator-process.ts';

const AT_ONCE = 250;
const PROPERTIES = ['plain', 'troubled'] as const;
type Name = (typeof PROPERTIES)[number];

const urnOf = (name: Name) => `urn:li:structuredProperty:e2e.cascade.${name}`;
const dataset = (index: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,cascade.t${index},PROD)`;

await describeWithClusterOnEachDeployment('kubectl delete of a property', (cluster, newDeployment, { embedded }) => {
  /** A soak run asks for more. */
  const HOLDERS = Number(process.env.PROPLANE_KUBE_HOLDERS ?? (embedded ? 10_000 : 400));

  let bench: KubeBench;
  let operator: OperatorProcess;

  beforeAll(async () => {
    const environment = { REQUEST_TIMEOUT_S: embedded ? '2' : '10' };
    bench = await KubeBench.create(cluster, { newDeployment, environment });
    operator = await bench.operate({ environment: { RESYNC_INTERVAL_S: '2' } });
    const spec = { valueType: 'number', entityTypes: ['dataset'] };
    const manifests = PROPERTIES.map((name) =>
      manifestOf('StructuredProperty', name, { ...spec, qualifiedName: `e2e.cascade.${name}` }),
    );
    await bench.kubectl.apply(...manifests);
    for (const name of PROPERTIES) await bench.reason('StructuredProperty', name, 'Applied');
    const properties = PROPERTIES.map((name) => ({ propertyUrn: urnOf(name), values: [{ double: 30 }] }));
    for (let first = 0; first < HOLDERS; first += AT_ONCE) {
      const items = Array.from({ length: Math.min(AT_ONCE, HOLDERS - first) }, (_, offset) => ({
        urn: dataset(first + offset),
        status: { value: { removed: false } },
        structuredProperties: { value: { properties } },
      }));
      await postBatch(bench.api, 'dataset', items);
    }
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
  }, 120_000);

  async function found(name: Name): Promise<number> {
    const query = encodeURIComponent(`_exists_:structuredProperties.e2e_cascade_${name}`);
    return (await bench.api.get(`/openapi/v3/entity/dataset?count=0&query=${query}`)).body.totalCount;
  }

  async function holdersSeen(name: Name, count: number): Promise<void> {
    await eventually(async () => {
      expect(await found(name)).toBe(count);
      expect((await bench.read('StructuredProperty', name)).status.holders).toBe(count);
    }, 300_000);
  }

  async function remove(name: Name): Promise<ObjectHistory> {
    const id = { kind: 'StructuredProperty', namespace: bench.namespace, name } as const;
    const history = await ObjectHistory.of(cluster, id);
    await bench.kubectl.run('delete', `sprop/${name}`, '--wait=false');
    await eventually(async () => expect(history.last?.status.cascade?.removed).toBeGreaterThan(0), 120_000);
    return history;
  }

  async function nothingIsLeft(name: Name): Promise<void> {
    expect(await found(name)).toBe(0);
    expect((await bench.api.get(entityPath('v3', urnOf(name)))).status).toBe(404);
    for (const index of [0, HOLDERS >> 1, HOLDERS - 1]) {
      const { body } = await bench.api.get(entityPath('v3', dataset(index), 'structuredProperties'));
      const held: { propertyUrn: string }[] = body.structuredProperties?.value.properties ?? [];
      expect(held.map(({ propertyUrn }) => propertyUrn)).not.toContain(urnOf(name));
    }
    expect((await bench.api.get(`/owners?urn=${urnOf(name)}`)).body.owners).toEqual([]);
  }

  /** What status.cascade said, each once. */
  function progressIn(history: ObjectHistory): { removed: number; remaining: number }[] {
    const said = history.states.map(({ status }) => JSON.stringify((status as { cascade?: object }).cascade));
    return [...new Set(said)].filter((text) => text !== undefined).map((text) => JSON.parse(text));
  }

  function expectProgress(history: ObjectHistory): void {
    const progress = progressIn(history);
    const removed = progress.map((one) => one.removed);
    expect(removed.length).toBeGreaterThan(0);
    expect(removed).toEqual(removed.toSorted((one, other) => one - other));
    for (const one of progress) expect(one.removed + one.remaining).toBe(HOLDERS);
  }

  it(`with ${HOLDERS} holders shows how far it is while it is Terminating, and ends when no value is left`, async () => {
    await holdersSeen('plain', HOLDERS);
    const history = await remove('plain');
    // So that there is time to look.
    operator.freeze();
    try {
      expect(await bench.kubectl.run('get', 'sprop', 'plain')).toMatch(/False +Deleting/u);
      const { metadata, status } = await bench.read('StructuredProperty', 'plain');
      expect(metadata.deletionTimestamp).toBeDefined();
      expect(conditionOf({ status }, 'Reconciling')).toMatchObject({ status: 'True', reason: 'Deleting' });
      expect(conditionOf({ status }, 'Ready').message).toMatch(/is gone; \d+ values removed, \d+ to go/u);
    } finally {
      operator.thaw();
    }
    await eventually(async () => expect(history.isGone).toBe(true), 300_000);
    await history.stop();
    expectProgress(history);
    await nothingIsLeft('plain');
    expect(await found('troubled')).toBe(HOLDERS);
  }, 600_000);

  it(`with ${HOLDERS} holders ends the same although the API server is killed in the middle`, async () => {
    await holdersSeen('troubled', HOLDERS);
    const history = await remove('troubled');
    await bench.server.kill();
    const { metadata } = await bench.read('StructuredProperty', 'troubled');
    expect(metadata.finalizers).toEqual(['catalog.proplane.dev/finalizer']);
    await bench.restartServer();
    await eventually(async () => expect(history.isGone).toBe(true), 300_000);
    await history.stop();
    expectProgress(history);
    await nothingIsLeft('troubled');
  }, 600_000);

  it('leaves nothing in the store and the search index either', async () => {
    for (const name of PROPERTIES) {
      await eventually(async () => {
        const { body } = await bench.api.get(`/jobs?subject=${encodeURIComponent(urnOf(name))}`);
        expect(body.jobs.map(({ state }: { state: string }) => state)).toEqual(['done']);
      }, 180_000);
    }
    await eventually(async () =>
      expect((await bench.api.get('/metrics')).body).toMatch(/^proplane_outbox_entities 0$/mu),
    );
    await operator.kill();
    await bench.server.stop();
    const { store, search, close } = await bench.deployment.open();
    try {
      for (const name of PROPERTIES) expect(await store.entities.countHolders(urnOf(name))).toBe(0);
      expect(await checkCatalogue(store, search)).toEqual([]);
    } finally {
      await close();
    }
  }, 600_000);
});
