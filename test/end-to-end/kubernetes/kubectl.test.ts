import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { CRD_FILES } from '../../../generate/crds/file-names.ts';
import { applyCrds } from '../../harness/kubernetes/crds.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { dataset, property, textProperty, VIEWS } from '../../harness/manifests.ts';

const ROOT = join(import.meta.dirname, '../../..');
const OLD = '20260101000000';

await describeWithCluster('kubectl', (cluster) => {
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  let kubectl: Kubectl;

  beforeAll(async () => {
    await applyCrds(cluster);
    namespace = await newNamespace(cluster);
    kubectl = new Kubectl(cluster.kubeconfig, namespace.name);
  });

  afterAll(() => namespace?.remove());

  const here = () => ({ namespace: namespace.name });

  it('explains every field', async () => {
    for (const file of CRD_FILES) {
      for (const document of parseAllDocuments(readFileSync(join(ROOT, 'crds', file), 'utf8'))) {
        const crd = document.toJS();
        if (crd.kind !== 'CustomResourceDefinition') continue;
        expect(undescribed(crd.spec.names.kind, crd.spec.versions[0].schema.openAPIV3Schema)).toEqual([]);
      }
    }
    expect(await kubectl.run('explain', 'sprop.spec.allowedValues')).toMatch(/What values may be; absent: anything/u);
    expect(await kubectl.run('explain', 'sprop.spec.allowedValues.value')).toMatch(/a text, a number, true or false/u);
    expect(await kubectl.run('explain', 'dprop.spec.fields.properties.propertyRef.namespace')).toMatch(/own/u);
    expect(await kubectl.run('explain', 'sprop.status.cascade')).toMatch(/remaining.*\n\s+Values that are left/u);
  });

  it('shows what matters in columns, more with -o wide, and both kinds by their category', async () => {
    await kubectl.apply(property({ version: OLD }, here()), dataset({}, here()));
    await setStatus('sprop', 'retention', { holders: 1200 });
    await setStatus('dprop', 'clicks', { targets: 3, applied: 2 });
    const lines = async (...options: string[]) =>
      (await kubectl.run('get', ...options)).split('\n').map((line) => line.replaceAll(/\s{2,}/gu, '|'));
    const [properties, retention, , datasets, clicks] = await lines('sprop,dprop');
    expect(properties).toBe('NAME|PROPERTY|TYPE|CARDINALITY|HOLDERS|READY|REASON|AGE');
    expect(retention).toMatch(/retention\|com\.example\.retention\|number\|SINGLE\|1200\|True\|Applied\|\d+s$/u);
    expect(datasets).toBe('NAME|DATASET|TARGETS|APPLIED|READY|REASON|AGE');
    expect(clicks).toMatch(/clicks\|urn:li:dataset:\(.*,PROD\)\|3\|2\|True\|Applied\|\d+s$/u);
    expect(await lines('sprop', '-o', 'wide')).toEqual([
      'NAME|PROPERTY|TYPE|CARDINALITY|HOLDERS|VERSION|REMOVED|DELETION|READY|REASON|AGE|MESSAGE',
      expect.stringMatching(/\|20260101000000\|false\|HardDelete\|True\|Applied\|\d+s\|all is as wished$/u),
      '',
    ]);
    const named = await kubectl.run('get', 'proplane', '--output=name');
    expect(named.trim().split('\n').toSorted()).toEqual([
      'datasetproperties.catalog.proplane.dev/clicks',
      'structuredproperty.catalog.proplane.dev/retention',
    ]);
    await kubectl.run('wait', '--for=condition=Ready', 'sprop/retention', '--timeout=10s');
    await kubectl.run('delete', 'proplane', '--all');
  });

  it('selects by fields of the spec', async () => {
    await kubectl.apply(
      property({}, here()),
      textProperty('owner', {}, here()),
      dataset({}, here()),
      dataset({ datasetUrn: VIEWS }, { ...here(), name: 'views' }),
    );
    const names = async (kind: string, selector: string) =>
      (await kubectl.run('get', kind, `--field-selector=${selector}`, '--output=name')).trim().split('\n');
    expect(await names('sprop', 'spec.qualifiedName=com.example.owner')).toEqual([
      'structuredproperty.catalog.proplane.dev/owner',
    ]);
    expect(await names('sprop', 'spec.valueType=number,spec.removed=false')).toEqual([
      'structuredproperty.catalog.proplane.dev/retention',
    ]);
    const views = VIEWS.replaceAll(',', '\\,');
    expect(await names('dprop', `spec.datasetUrn=${views}`)).toEqual(['datasetproperties.catalog.proplane.dev/views']);
    await kubectl.run('delete', 'proplane', '--all');
  });

  it('reports what it does not know', async () => {
    const mistyped = property({ allowedVaules: [] }, here());
    await expect(kubectl.apply(mistyped)).rejects.toThrow('unknown field "allowedVaules"');
  });

  it('keeps the generation when the status changes, and the status when the spec does', async () => {
    await kubectl.apply(property({}, here()));
    await setStatus('sprop', 'retention', { cascade: { removed: 800, remaining: 400 }, lastHandledReconcileAt: 'now' });
    const reported = await kubectl.json('get', 'sprop', 'retention');
    expect(reported).toMatchObject({ metadata: { generation: 1 }, status: { cascade: { removed: 800 } } });
    await kubectl.apply({ ...property({ description: 'x' }, here()), status: { conditions: [] } });
    const changed = await kubectl.json('get', 'sprop', 'retention');
    expect(changed).toMatchObject({ metadata: { generation: 2 }, status: reported.status });
    await expect(setStatus('sprop', 'retention', { holders: -1 })).rejects.toThrow('status.holders');
    await kubectl.run('delete', 'proplane', '--all');
  });

  async function setStatus(kind: string, name: string, status: object) {
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Applied',
      message: 'all is as wished',
      lastTransitionTime: '2026-01-31T00:00:00Z',
    };
    const patch = JSON.stringify({ status: { observedGeneration: 1, conditions: [ready], ...status } });
    await kubectl.run('patch', kind, name, '--subresource=status', '--type=merge', `--patch=${patch}`);
  }
});

interface Field {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
}

/** Paths of the fields that nobody has described. The cluster describes metadata itself. */
function undescribed(path: string, { description, properties = {}, items }: Field): string[] {
  const own = description === undefined && !path.endsWith('.metadata') && !path.endsWith('[]') ? [path] : [];
  const below = Object.entries(properties).flatMap(([name, field]) => undescribed(`${path}.${name}`, field));
  return [...own, ...below, ...(items === undefined ? [] : undescribed(`${path}[]`, items))];
}
