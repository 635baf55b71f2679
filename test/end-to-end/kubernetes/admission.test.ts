import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Admission, type Manifest } from '../../harness/kubernetes/admission.ts';
import { applyCrds } from '../../harness/kubernetes/crds.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { Kubectl } from '../../harness/kubernetes/kubectl.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import { CLICKS, dataset, property, VIEWS } from '../../harness/manifests.ts';

const ROOT = join(import.meta.dirname, '../../..');
const OLD = '20260101000000';
const NEW = '20260201000000';

await describeWithCluster('admission', (cluster) => {
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  let kubectl: Kubectl;
  let admission: Admission;

  beforeAll(async () => {
    await applyCrds(cluster);
    namespace = await newNamespace(cluster);
    kubectl = new Kubectl(cluster.kubeconfig, namespace.name);
    admission = new Admission(cluster, namespace.name);
    await admission.arePoliciesInForce();
  });

  afterAll(() => namespace?.remove());

  const here = () => ({ namespace: namespace.name });
  const refusal = (manifest: Manifest) => admission.refusalOf(manifest);
  const refusalOfChange = (before: object, after: object) =>
    admission.refusalOfChange(property(before, here()), property(after, here()));

  describe('of a change refuses, and says what to do,', () => {
    it.each<[string, object, object, RegExp]>([
      [
        'another name',
        {},
        { qualifiedName: 'com.example.other', version: NEW },
        /spec\.qualifiedName: .*cannot be changed: undo the change, and make a new resource for the new name/u,
      ],
      [
        'another value type',
        { allowedValues: undefined },
        { allowedValues: undefined, valueType: 'string' },
        /spec\.valueType: .*from number to string without a greater version: undo the change, or set version to 14 digits \(yyyyMMddhhmmss\),/u,
      ],
      [
        'one value less, where there were many',
        { cardinality: 'MULTIPLE', version: OLD },
        { cardinality: 'SINGLE', version: OLD },
        /spec\.cardinality: .*from MULTIPLE to SINGLE .*greater than 20260101000000,/u,
      ],
      [
        'a list of allowed values where any value was allowed',
        { allowedValues: undefined },
        { allowedValues: [{ value: 30 }] },
        /spec\.allowedValues: .*cannot be introduced without a greater version, since any value was allowed before/u,
      ],
      [
        'allowed values that are gone',
        {},
        { allowedValues: [{ value: 90.0 }] },
        /spec\.allowedValues: cannot be removed without a greater version: "30", "365": undo the change/u,
      ],
      ['an empty list of allowed values', {}, { allowedValues: [] }, /"30", "90", "365"/u],
      [
        'a breaking change with a version that goes away',
        { version: OLD },
        { allowedValues: [{ value: 30 }] },
        /greater than 20260101000000/u,
      ],
      [
        'a breaking change with a lower version',
        { version: NEW },
        { allowedValues: [{ value: 30 }], version: OLD },
        /greater than 20260201000000/u,
      ],
    ])('%s', async (_what, before, after, message) => {
      expect(await refusalOfChange(before, after)).toMatch(message);
    });
  });

  it('names of many lost values the first ten', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ value: `${'v'.repeat(80)}${index}` }));
    const text = { valueType: 'string', allowedValues: many };
    expect(await refusalOfChange(text, { ...text, allowedValues: many.slice(0, 900) })).toMatch(
      /(?:"v{80}…", ){9}"v{80}…" and 90 more: undo the change/u,
    );
  });

  it('accepts every breaking change with a greater version', async () => {
    const before = { cardinality: 'MULTIPLE', version: OLD };
    const after = { valueType: 'string', cardinality: 'SINGLE', allowedValues: [{ value: 'a' }], version: NEW };
    expect(await refusalOfChange(before, after)).toBeUndefined();
    expect(await refusalOfChange({}, after)).toBeUndefined();
  });

  it.each<[string, object, object]>([
    ['another way to write the type', { valueType: 'number' }, { valueType: 'urn:li:dataType:datahub.NUMBER' }],
    ['more values', { cardinality: 'SINGLE' }, { cardinality: 'MULTIPLE' }],
    ['any value', {}, { allowedValues: undefined }],
    [
      'another order, more allowed values, and the same in another form',
      { allowedValues: [{ value: 30 }, { value: '90' }, { value: 1e3 }] },
      { allowedValues: [{ value: '1e3' }, { value: 90.0 }, { value: '30.0' }, { value: 7 }] },
    ],
    ['a version that goes away with nothing else', { version: OLD }, {}],
    ['fewer entity types', {}, { entityTypes: ['dataset'] }],
  ])('accepts without a version %s', async (_what, before, after) => {
    expect(await refusalOfChange(before, after)).toBeUndefined();
  });

  it.each<[string, object, RegExp]>([
    ['a version of other than 14 digits', { version: '2026' }, /spec\.version: .*must be 14 digits, yyyyMMddhhmmss/u],
    ['a version without quotes', { version: 20260101000000 }, /spec\.version: .*must be of type string/u],
    ['an unknown value type', { valueType: 'nummer' }, /unknown value type nummer; known are string, number/u],
    ['an unknown entity type', { entityTypes: ['planet'] }, /spec\.entityTypes\[0\]: .*unknown entity type planet/u],
    ['an allowed value of another type', { allowedValues: [{ value: 'x' }] }, /not of value type number: "x"/u],
    ['an allowed value beyond all numbers', { allowedValues: [{ value: '1e400' }] }, /type conversion error/u],
    ['an allowed value that is an object', { allowedValues: [{ value: {} }] }, /must be a single value: a text/u],
  ])('refuses %s', async (_what, spec, message) => {
    expect(await refusal(property(spec, here()))).toMatch(message);
  });

  it.each<[string, object, RegExp]>([
    [
      'no dataset and two',
      { datasetUrns: [CLICKS], datasetUrn: CLICKS },
      /spec: .*exactly one of datasetUrn, datasetUrns, datasetSelector is needed/u,
    ],
    ['an empty selector', { datasetSelector: {} }, /at least one of platform, environment, namePattern is needed/u],
    ['what is no dataset', { datasetUrn: 'clicks' }, /clicks is no dataset URN: urn:li:dataset:\(/u],
    ['a dataset twice', { datasetUrns: [CLICKS, CLICKS] }, /spec\.datasetUrns\[1\]: Duplicate value/u],
    [
      'a property without a name',
      { properties: [{ propertyRef: {}, values: 1 }] },
      /exactly one of name, qualifiedName/u,
    ],
    [
      'a property with two names',
      { properties: [{ propertyRef: { name: 'a', qualifiedName: 'a' }, values: 1 }] },
      /exactly one of name, qualifiedName/u,
    ],
    [
      'a namespace without a name',
      { properties: [{ propertyRef: { qualifiedName: 'a', namespace: 'b' }, values: 1 }] },
      /namespace goes with name/u,
    ],
    [
      'a property twice',
      { properties: [1, 2].map((values) => ({ propertyRef: { name: 'a' }, values })) },
      /a property is listed twice/u,
    ],
    [
      'a field twice',
      { fields: [1, 2].map(() => ({ fieldPath: 'email', properties: [] })) },
      /spec\.fields\[1\]: Duplicate value/u,
    ],
    ['no value', { properties: [{ propertyRef: { name: 'a' }, values: [] }] }, /should have at least 1 items/u],
    [
      'a value that is a list',
      { fields: [{ fieldPath: 'a', properties: [{ propertyRef: { name: 'a' }, values: [[1]] }] }] },
      /texts, finite numbers, true or false/u,
    ],
  ])('refuses %s', async (_what, spec, message) => {
    expect(await refusal(dataset(spec, here()))).toMatch(message);
  });

  it('stores values as they were written, and fills in the defaults', async () => {
    const values = [true, false, 1e3, '30', 30.5, '2026-01-31', 'ГОЛЬД 価格 😀', ''];
    const assigned = values.map((value, index) => ({ propertyRef: { name: `p${index}` }, values: value }));
    const list = [{ propertyRef: { name: 'list' }, values }];
    const made = dataset({ properties: assigned, fields: [{ fieldPath: 'größe', properties: list }] }, here());
    await kubectl.apply(made, property({ displayName: 'Größe 価格' }, here()));
    const { spec } = await kubectl.json('get', 'dprop', 'clicks');
    expect(spec).toEqual({ ...made.spec, whenMissing: 'Wait', ownership: 'Merge', deletionPolicy: 'Remove' });
    const defined = await kubectl.json('get', 'sprop', 'retention');
    expect(defined.spec).toMatchObject({
      cardinality: 'SINGLE',
      immutable: false,
      removed: false,
      deletionPolicy: 'HardDelete',
    });
    await kubectl.run('delete', 'proplane', '--all');
  });

  it('takes the largest lists', async () => {
    const thousand = <T>(of: (index: number) => T) => Array.from({ length: 1000 }, (_, index) => of(index));
    const allowed = thousand((index) => ({ value: `value ${index}`, description: 'd'.repeat(100) }));
    const before = { valueType: 'string', allowedValues: allowed };
    expect(await refusalOfChange(before, { ...before, allowedValues: allowed.toReversed() })).toBeUndefined();
    const urns = thousand((index) => CLICKS.replace('clicks', `clicks${index}`));
    const fields = thousand((index) => ({
      fieldPath: `field_${index}`,
      properties: ['a', 'b', 'c'].map((name) => ({ propertyRef: { name }, values: ['gold', index] })),
    }));
    const properties = Array.from({ length: 256 }, (_, index) => ({
      propertyRef: { name: `p${index}` },
      values: index,
    }));
    expect(await refusal(dataset({ datasetUrns: urns, properties, fields }, here()))).toBeUndefined();
    const twice = { fieldPath: 'twice', properties: [...properties.slice(1), properties[1]] };
    expect(await refusal(dataset({ fields: [...fields.slice(1), twice] }, here()))).toMatch(
      /key "p1".* already exists/u,
    );
    expect(await refusal(property({ ...before, allowedValues: [...allowed, { value: 'x' }] }, here()))).toMatch(
      /must have at most 1000 items/u,
    );
  });

  it('takes the examples', async () => {
    const anywhere = new Kubectl(cluster.kubeconfig);
    const namespaces = ['governance', 'logistics', 'payments'];
    await anywhere.apply(...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
    const apply = ['apply', '-R', '-f', join(ROOT, 'examples/resources'), '--dry-run=server'];
    await anywhere.run(...apply);
    await anywhere.run(...apply, '--server-side');
  });

  it('lets two owners share the datasets and the fields of one resource', async () => {
    const { apiVersion, kind, metadata } = dataset({}, here());
    const field = (fieldPath: string) => ({
      fieldPath,
      properties: [{ propertyRef: { name: 'a' }, values: fieldPath }],
    });
    const share = (owner: string, urn: string) =>
      admission.applyAs(owner, { apiVersion, kind, metadata, spec: { datasetUrns: [urn], fields: [field(owner)] } });
    await share('one', CLICKS);
    await share('other', VIEWS);
    await share('one', CLICKS);
    const { spec } = await kubectl.json('get', 'dprop', 'clicks');
    expect(spec).toMatchObject({ datasetUrns: [CLICKS, VIEWS], fields: [field('one'), field('other')] });
    await kubectl.run('delete', 'proplane', '--all');
  });
});
