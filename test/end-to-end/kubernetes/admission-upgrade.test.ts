import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { SNAPSHOTS } from '../../../generate/crds/file-names.ts';
import { Admission } from '../../harness/kubernetes/admission.ts';
import { ControlPlane } from '../../harness/kubernetes/control-plane.ts';
import { applyCrds } from '../../harness/kubernetes/crds.ts';
import { describeWithControlPlane } from '../../harness/kubernetes/describe-cluster.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { property } from '../../harness/manifests.ts';

const CRDS = join(import.meta.dirname, '../../../crds');
const NAMESPACE = 'default';

/** A rule that comes later must not keep the operator from its work on what is stored: status, finalizers. */
await describeWithControlPlane('what was stored before a rule', () => {
  let plane: ControlPlane;
  let kubectl: Kubectl;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    kubectl = new Kubectl(plane.kubeconfig, NAMESPACE);
    const loose = SNAPSHOTS.map((file) => {
      const crd = parse(readFileSync(join(CRDS, file), 'utf8'));
      const { spec } = crd.spec.versions[0].schema.openAPIV3Schema.properties;
      crd.spec.versions[0].schema.openAPIV3Schema.properties.spec = {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: Object.fromEntries(
          ['qualifiedName', 'valueType', 'deletionPolicy', 'datasetUrn', 'ownership', 'removed']
            .filter((name) => name in spec.properties)
            .map((name) => [name, { type: spec.properties[name].type }]),
        ),
      };
      // They would name what is not in it.
      delete crd.spec.versions[0].selectableFields;
      return crd;
    });
    await kubectl.apply(...loose);
    await kubectl.run('wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all');
    const wrong = property(
      { version: '1', displayName: 'x'.repeat(513), allowedValues: [{ value: {} }, { value: 'x' }] },
      { namespace: NAMESPACE },
    );
    await kubectl.apply({ ...wrong, metadata: { ...wrong.metadata, finalizers: ['example.com/wait'] } });
    await applyCrds(plane);
    await new Admission(plane, NAMESPACE).arePoliciesInForce();
  });

  afterAll(() => plane?.stop());

  const patch = (body: object, ...more: string[]) =>
    kubectl.run('patch', 'sprop', 'retention', '--type=merge', `--patch=${JSON.stringify(body)}`, ...more);

  it('can be reported on', async () => {
    await patch({ status: { observedGeneration: 1, conditions: [] } }, '--subresource=status');
    expect((await kubectl.json('get', 'sprop', 'retention')).status.observedGeneration).toBe(1);
  });

  it('is refused when somebody changes it and leaves it wrong', async () => {
    await expect(patch({ spec: { description: 'still wrong' } })).rejects.toThrow('single value');
  });

  it('can be annotated, and deleted', async () => {
    await patch({ metadata: { annotations: { 'catalog.proplane.dev/paused': 'true' } } });
    await kubectl.run('delete', 'sprop', 'retention', '--wait=false');
    await patch({ metadata: { finalizers: null } });
    await kubectl.run('wait', '--for=delete', 'sprop/retention', '--timeout=30s');
  });
});
