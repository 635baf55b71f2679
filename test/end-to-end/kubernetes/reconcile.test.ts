import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ANNOTATIONS } from '../../../model/resource/annotations.ts';
import { entityPath, eventually } from '../../harness/api.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { conditionOf, KubeBench, manifestOf } from '../../harness/kubernetes/kube-bench.ts';
import type { OperatorProcess } from '../../harness/kubernetes/operator-process.ts';

await describeWithCluster('the operator over a cluster', (cluster) => {
  let bench: KubeBench;
  let operator: OperatorProcess;
  /** As it was before everything else; nobody changes it. */
  let quiet: object;
  const looks = () => operator.metric('proplane_resync_unchanged_total');
  let looksBefore: number;

  beforeAll(async () => {
    bench = await KubeBench.create(cluster);
    operator = await bench.operate({ environment: { RESYNC_INTERVAL_S: '1' } });
    await bench.kubectl.apply(number('quiet'));
    quiet = await bench.reason('StructuredProperty', 'quiet', 'Applied');
    looksBefore = await looks();
  }, 1_800_000);

  afterAll(async () => {
    await bench?.close();
  });

  const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
  const propertyUrn = (name: string): string => `urn:li:structuredProperty:${name}`;

  const number = (name: string, spec: object = {}, metadata: object = {}): object =>
    manifestOf(
      'StructuredProperty',
      name,
      { qualifiedName: `e2e.${name}`, valueType: 'number', entityTypes: ['dataset'], ...spec },
      metadata,
    );

  const assigned = (
    name: string,
    property: string,
    values: unknown[],
    spec: object = {},
    metadata: object = {},
  ): object =>
    manifestOf(
      'DatasetProperties',
      name,
      {
        datasetUrn: dataset(name),
        whenMissing: 'Create',
        properties: [{ propertyRef: { name: property }, values }],
        ...spec,
      },
      metadata,
    );

  async function valuesOf(urn: string): Promise<Record<string, unknown[]>> {
    const { body } = await bench.api.get(`${entityPath('v3', urn)}?aspects=structuredProperties`);
    const properties: { propertyUrn: string; values: object[] }[] = body.structuredProperties?.value.properties ?? [];
    return Object.fromEntries(
      properties.map((one) => [
        one.propertyUrn.replace(propertyUrn(''), ''),
        one.values.flatMap((value) => Object.values(value)),
      ]),
    );
  }

  it('puts values on datasets, whatever comes first', async () => {
    await bench.kubectl.apply(assigned('first', 'late', [30]));
    await bench.reason('DatasetProperties', 'first', 'ReferenceNotFound');
    await bench.kubectl.apply(number('late'));
    await bench.kubectl.run('wait', '--for=condition=Ready', 'dprop/first', 'sprop/late', '--timeout=30s');
    expect(await valuesOf(dataset('first'))).toEqual({ 'e2e.late': [30] });
    const { metadata, status } = await bench.read('StructuredProperty', 'late');
    expect(metadata.finalizers).toEqual(['catalog.proplane.dev/finalizer']);
    expect(status.observedGeneration).toBe(1);
    await eventually(async () => expect((await bench.read('StructuredProperty', 'late')).status.holders).toBe(1));
  });

  it('says in the condition what the server refuses, and leaves it at that until the resource changes', async () => {
    await bench.kubectl.apply(number('narrow', { allowedValues: [{ value: 1 }, { value: 2 }] }));
    await bench.reason('StructuredProperty', 'narrow', 'Applied');
    await bench.kubectl.apply(assigned('outside', 'narrow', [3]));
    const refused = await bench.reason('DatasetProperties', 'outside', 'InvalidValue');
    expect(conditionOf(refused, 'Stalled').status).toBe('True');
    expect(conditionOf(refused, 'Ready').message).toContain('spec.properties[0].values[0]');
    await bench.kubectl.apply(assigned('outside', 'narrow', [2]));
    const mended = await bench.reason('DatasetProperties', 'outside', 'Applied');
    expect(conditionOf(mended, 'Stalled')).toBeUndefined();
  });

  it('repairs what was changed by hand, and tells', async () => {
    await bench.kubectl.apply(number('drifting'), assigned('drifted', 'drifting', [30]));
    await bench.reason('DatasetProperties', 'drifted', 'Applied');
    const patch = { patch: [{ op: 'remove', path: `/properties/${propertyUrn('e2e.drifting')}` }] };
    expect((await bench.api.patch(entityPath('v3', dataset('drifted'), 'structuredProperties'), patch)).status).toBe(
      200,
    );
    await eventually(async () => expect(await valuesOf(dataset('drifted'))).toEqual({ 'e2e.drifting': [30] }));
    const { status } = await eventually(async () => {
      const found = await bench.read('DatasetProperties', 'drifted');
      expect(found.status.drift?.repaired).toBe(1);
      return found;
    });
    expect(status.drift.message).toContain('e2e.drifting');
    await eventually(async () =>
      expect(await bench.kubectl.run('describe', 'dprop', 'drifted')).toContain('DriftRepaired'),
    );
  });

  it('takes over what a catalogue has already, unless it is told not to', async () => {
    const urn = propertyUrn('e2e.standing');
    const definition = {
      qualifiedName: 'e2e.standing',
      valueType: 'urn:li:dataType:datahub.number',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
      cardinality: 'SINGLE',
      displayName: 'Old',
    };
    expect((await bench.api.post(entityPath('v3', urn, 'propertyDefinition'), definition)).status).toBe(200);
    const cautious = { annotations: { [ANNOTATIONS.adopt]: 'false' } };
    await bench.kubectl.apply(number('standing', { displayName: 'New' }, cautious));
    const refused = await bench.reason('StructuredProperty', 'standing', 'Conflict');
    expect(conditionOf(refused, 'Ready').message).toContain(`annotate ${ANNOTATIONS.adopt}=true`);
    expect(refused.metadata.finalizers).toBeUndefined();
    await bench.kubectl.run('annotate', 'sprop/standing', `${ANNOTATIONS.adopt}=true`, '--overwrite');
    await bench.reason('StructuredProperty', 'standing', 'Applied');
    const { body } = await bench.api.get(entityPath('v3', urn, 'propertyDefinition'));
    expect(body.propertyDefinition.value.displayName).toBe('New');
    await eventually(async () => expect(await bench.kubectl.run('describe', 'sprop', 'standing')).toContain('Adopted'));
  });

  it('leaves a paused resource as it is, and goes on afterwards', async () => {
    await bench.kubectl.apply(number('resting'));
    await bench.reason('StructuredProperty', 'resting', 'Applied');
    await bench.kubectl.run('annotate', 'sprop/resting', `${ANNOTATIONS.paused}=true`);
    await bench.kubectl.apply(
      number('resting', { displayName: 'Changed' }, { annotations: { [ANNOTATIONS.paused]: 'true' } }),
    );
    await eventually(async () => {
      const found = await bench.read('StructuredProperty', 'resting');
      expect(conditionOf(found, 'Paused')?.status).toBe('True');
      expect(conditionOf(found, 'Ready').status).toBe('True');
      expect(found.status.observedGeneration).toBe(1);
    });
    await bench.kubectl.run('annotate', 'sprop/resting', `${ANNOTATIONS.paused}-`);
    const found = await bench.reason('StructuredProperty', 'resting', 'Applied');
    expect(found.status.observedGeneration).toBe(2);
    expect(conditionOf(found, 'Paused')).toBeUndefined();
  });

  it('only compares what is to be observed', async () => {
    const observed = { annotations: { [ANNOTATIONS.observeOnly]: 'true' } };
    await bench.kubectl.apply(number('seen', {}, observed));
    const found = await bench.reason('StructuredProperty', 'seen', 'ObserveOnly');
    expect(conditionOf(found, 'Drifted').message).toContain('does not exist');
    expect(found.metadata.finalizers).toBeUndefined();
    expect((await bench.api.get(entityPath('v3', propertyUrn('e2e.seen')))).status).toBe(404);
  });

  it('looks again at once when the annotation asks for it', async () => {
    await bench.kubectl.apply(number('asked'));
    await bench.reason('StructuredProperty', 'asked', 'Applied');
    await bench.kubectl.run('annotate', 'sprop/asked', `${ANNOTATIONS.reconcileAt}=now-1`);
    await eventually(async () =>
      expect((await bench.read('StructuredProperty', 'asked')).status.lastHandledReconcileAt).toBe('now-1'),
    );
  });

  it('puts a finalizer back that somebody removed, and keeps what was made when one is deleted without it', async () => {
    await bench.kubectl.apply(number('loose'));
    await bench.reason('StructuredProperty', 'loose', 'Applied');
    const loosen = ['patch', 'sprop/loose', '--type=merge', '--patch={"metadata":{"finalizers":null}}'];
    await bench.kubectl.run(...loosen);
    await eventually(async () =>
      expect((await bench.read('StructuredProperty', 'loose')).metadata.finalizers).toHaveLength(1),
    );
    await bench.kubectl.run('annotate', 'sprop/loose', `${ANNOTATIONS.paused}=true`);
    await eventually(async () =>
      expect(conditionOf(await bench.read('StructuredProperty', 'loose'), 'Paused')?.status).toBe('True'),
    );
    await bench.kubectl.run('delete', 'sprop/loose', '--wait=false');
    await bench.kubectl.run(...loosen);
    await bench.gone('StructuredProperty', 'loose');
    const urn = propertyUrn('e2e.loose');
    await eventually(async () => expect((await bench.api.get(`/owners?urn=${urn}`)).body.owners).toEqual([]));
    expect((await bench.api.get(entityPath('v3', urn))).status).toBe(200);
  });

  it('waits with a deletion for the finalizers of others', async () => {
    await bench.kubectl.apply(number('wanted', {}, { finalizers: ['example.com/backup'] }));
    await bench.reason('StructuredProperty', 'wanted', 'Applied');
    await bench.kubectl.run('delete', 'sprop/wanted', '--wait=false');
    const found = await bench.reason('StructuredProperty', 'wanted', 'FinalizersAwaited');
    expect(conditionOf(found, 'Reconciling').status).toBe('True');
    expect((await bench.api.get(entityPath('v3', propertyUrn('e2e.wanted')))).status).toBe(200);
    await bench.kubectl.run(
      'patch',
      'sprop/wanted',
      '--type=json',
      '--patch=[{"op":"remove","path":"/metadata/finalizers/0"}]',
    );
    await bench.gone('StructuredProperty', 'wanted');
    expect((await bench.api.get(entityPath('v3', propertyUrn('e2e.wanted')))).status).toBe(404);
  });

  it('finds the datasets that a selector means, and says how many they are', async () => {
    const wide = (namePattern: string): object =>
      manifestOf('DatasetProperties', 'wide', {
        datasetSelector: { platform: 'hive', namePattern },
        properties: [{ propertyRef: { name: 'spread' }, values: [1] }],
      });
    const urns = [0, 1, 2].map((index) => dataset(`many.${index}`));
    for (const urn of urns) {
      const path = `${entityPath('v3', urn, 'structuredProperties')}?createIfEntityNotExists=true`;
      expect((await bench.api.patch(path, { patch: [] })).status).toBe(200);
    }
    await bench.kubectl.apply(number('spread'), wide('many.*'));
    await eventually(async () => {
      const { status } = await bench.read('DatasetProperties', 'wide');
      expect(status).toMatchObject({ targets: 3, applied: 3, conflicts: 0 });
    });
    await bench.kubectl.apply(wide('many.2'));
    await eventually(async () => {
      expect((await bench.read('DatasetProperties', 'wide')).status).toMatchObject({ targets: 1, applied: 1 });
      expect(await Promise.all(urns.map(valuesOf))).toEqual([{}, {}, { 'e2e.spread': [1] }]);
    });
  });

  it('tells its metrics under the names that dashboards know', async () => {
    const url = /"url":"(http:[^"]+)"/u.exec(operator.output)?.[1] ?? '';
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(
      /controller_runtime_reconcile_total\{controller="structuredproperty",result="success"\} [1-9]/u,
    );
    expect(metrics).toMatch(/rest_client_requests_total\{[^}]*code="200"[^}]*method="PATCH"[^}]*\} [1-9]/u);
    expect(metrics).toContain('leader_election_master_status{name="proplane-operator"} 1');
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it('writes nothing when nothing has changed, however often it looks', async () => {
    // Each of three rounds looks at every resource.
    const many = 3 * (await operator.metric('proplane_resources'));
    await eventually(async () => expect((await looks()) - looksBefore).toBeGreaterThan(many));
    expect(await bench.read('StructuredProperty', 'quiet')).toEqual(quiet);
  });

  it('puts a finalizer back that somebody removed while no operator was there', async () => {
    await bench.kubectl.apply(number('unguarded'));
    await bench.reason('StructuredProperty', 'unguarded', 'Applied');
    expect(await operator.stop()).toBe(0);
    await bench.kubectl.run('patch', 'sprop/unguarded', '--type=merge', '--patch={"metadata":{"finalizers":null}}');
    operator = await bench.operate();
    await eventually(async () =>
      expect((await bench.read('StructuredProperty', 'unguarded')).metadata.finalizers).toHaveLength(1),
    );
  });
});
