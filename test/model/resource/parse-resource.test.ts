import { describe, expect, it } from '@jest/globals';
import { isMeantForUs, parseResource } from '../../../model/resource/parse-resource.ts';
import { CLICKS, dataset, property, VIEWS } from '../../harness/manifests.ts';

/** What is wrong with a document: paths and messages. */
function wrong(document: unknown): string[] {
  const parsed = parseResource(document);
  return parsed.valid ? [] : parsed.violations.map(({ path, message }) => `${path}: ${message}`);
}

describe('a manifest', () => {
  it('is completed with the defaults', () => {
    expect(parseResource(property())).toMatchObject({
      valid: true,
      id: { kind: 'StructuredProperty', namespace: 'governance', name: 'retention' },
      resource: { spec: { cardinality: 'SINGLE', immutable: false, removed: false, deletionPolicy: 'HardDelete' } },
    });
    expect(parseResource(dataset())).toMatchObject({
      resource: { spec: { whenMissing: 'Wait', ownership: 'Merge', deletionPolicy: 'Remove', fields: [] } },
    });
  });

  it('is in the namespace default when it names none', () => {
    const { metadata: _metadata, ...rest } = property();
    expect(parseResource({ ...rest, metadata: { name: 'x' } })).toMatchObject({ id: { namespace: 'default' } });
  });

  it('may carry what a cluster adds', () => {
    const { metadata, ...rest } = property();
    expect(
      wrong({ ...rest, metadata: { ...metadata, uid: 'u', generation: 3, managedFields: [] }, status: {} }),
    ).toEqual([]);
  });

  it('is told of all violated rules at once, also of those between fields', () => {
    const bad = dataset({
      datasetUrns: ['urn:li:dataset:clicks'],
      datasetSelector: {},
      properties: [
        { propertyRef: {}, values: 1 },
        { propertyRef: { qualifiedName: 'q', namespace: 'n' }, values: [] },
        { propertyRef: { name: 'p' }, values: [{}] },
        { propertyRef: { name: 'p' }, values: [1] },
      ],
      ownership: 'Share',
    });
    expect(wrong(bad)).toEqual([
      expect.stringMatching(/^spec\.datasetUrns\[0\]: urn:li:dataset:clicks is no dataset URN/u),
      'spec.datasetSelector: at least one of platform, environment, namePattern is needed',
      'spec.properties[0].propertyRef: exactly one of name, qualifiedName is needed',
      'spec.properties[1].propertyRef: namespace goes with name',
      'spec.properties[1].values: at least one value is needed',
      'spec.properties[2].values: must be a value or a list of values: texts, finite numbers, true or false',
      'spec.properties[3].propertyRef: the property is listed twice',
      expect.stringMatching(/^spec\.ownership: /u),
      'spec: exactly one of datasetUrn, datasetUrns, datasetSelector is needed',
    ]);
  });

  it.each([
    [
      'an unknown value type',
      { valueType: 'nummer' },
      /^spec\.valueType: unknown value type nummer; known are string/u,
    ],
    ['an unknown entity type', { entityTypes: ['planet'] }, /^spec\.entityTypes\[0\]: unknown entity type planet/u],
    [
      'an allowed value of another type',
      { allowedValues: [{ value: 'x' }] },
      /^spec\.allowedValues\[0\]\.value: .*number/u,
    ],
    ['a version that is a number', { version: 20260101000000 }, /^spec\.version: must be a string; put it in quotes/u],
    ['blanks in the name', { qualifiedName: 'a b' }, /^spec\.qualifiedName: must not contain blanks/u],
    ['a field that is missing', { valueType: undefined }, /^spec\.valueType: is required/u],
  ])('is refused for %s', (_what, spec, message) => {
    expect(wrong(property(spec))).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, object, RegExp]>([
    ['allowed values', property({ allowedValues: Array(1001).fill({ value: 30 }) }), /^spec\.allowedValues: /u],
    ['characters of the name', property({ qualifiedName: 'x'.repeat(513) }), /^spec\.qualifiedName: /u],
    ['entity types', property({ entityTypes: Array(65).fill('dataset') }), /^spec\.entityTypes: /u],
    [
      'characters of a value',
      dataset({ properties: [{ propertyRef: { name: 'p' }, values: 'x'.repeat(32_769) }] }),
      /^spec\.properties\[0\]\.values: /u,
    ],
  ])('has a limit for %s', (_what, manifest, message) => {
    expect(wrong(manifest)).toEqual([expect.stringMatching(message)]);
  });

  it('names each dataset once', () => {
    expect(wrong(dataset({ datasetUrns: [CLICKS, VIEWS, CLICKS] }))).toEqual([
      'spec.datasetUrns[2]: the dataset is listed twice',
    ]);
  });

  it.each([
    ['a short name', 'number'],
    ['another case', 'NUMBER'],
    ['a URN', 'urn:li:dataType:datahub.number'],
    ['a URN with another namespace word', 'urn:li:dataType:acme.number'],
  ])('names its value type by %s', (_what, valueType) => {
    expect(wrong(property({ valueType }))).toEqual([]);
  });

  it('keeps its identity however wrong the rest is, and says when it has none', () => {
    const nameless = { ...property(), metadata: {} };
    expect(parseResource({ ...property(), spec: 7 })).toMatchObject({ valid: false, id: { name: 'retention' } });
    expect(parseResource(nameless)).not.toHaveProperty('id');
    for (const document of [null, 7, 'text', [], {}]) expect(parseResource(document).valid).toBe(false);
  });

  it('may hold one value without a list', () => {
    expect(wrong(dataset({ properties: [{ propertyRef: { name: 'p' }, values: 'gold' }] }))).toEqual([]);
    expect(wrong(dataset({ datasetUrn: CLICKS }))).toEqual([]);
  });
});

describe('a document', () => {
  it.each([
    [{ apiVersion: 'catalog.proplane.dev/v1alpha1', kind: 'StructuredProperty' }, true],
    [{ apiVersion: 'catalog.proplane.dev/v9', kind: 'Anything' }, true],
    [{ apiVersion: 'mistyped/v1', kind: 'DatasetProperties' }, true],
    [{ apiVersion: 'v1', kind: 'ConfigMap' }, false],
    [{}, false],
    [null, false],
    ['text', false],
  ])('%j is meant for us: %s', (document, expected) => {
    expect(isMeantForUs(document)).toBe(expected);
  });
});
