import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { parseFile } from '../../../../operator/source/directory/parse-file.ts';
import { dataset, property } from '../../../harness/manifests.ts';

const parse = (...parts: (object | string)[]) =>
  parseFile(
    parts.map((part) => (typeof part === 'string' ? part : stringify(part))).join('---\n'),
    '/x/file.yaml',
    'file.yaml',
  );

describe('a file of manifests', () => {
  it('holds any number of documents, each with the line it starts in', () => {
    const { manifests, problems, broken } = parse('# heading\n\n', property(), dataset());
    expect(manifests.map(({ id, line }) => [id.kind, line])).toEqual([
      ['StructuredProperty', 4],
      ['DatasetProperties', expect.any(Number)],
    ]);
    expect([problems, broken]).toEqual([[], false]);
  });

  it('names file, line and column of what is not YAML', () => {
    const { problems, broken, malformed } = parse('a: 1\nb: [1, 2\nc: 3\n');
    expect([broken, malformed]).toEqual([true, true]);
    expect(problems[0]?.location).toMatch(/^file\.yaml:[23]:\d+$/u);
    expect(problems[0]?.message).toMatch(/^not valid YAML: /u);
  });

  it('names the line of each violated rule, also of an unknown field and of one that is missing', () => {
    const text = [
      'apiVersion: catalog.proplane.dev/v1alpha1',
      'kind: StructuredProperty',
      'metadata:',
      '  name: x',
      'spec:',
    ];
    const spec = ['  valueType: number', '  cardinality: SOME', '  colour: red', '  entityTypes: [dataset, planet]'];
    const { manifests } = parse([...text, ...spec, ''].join('\n'));
    const [manifest] = manifests;
    if (manifest?.wish.kind !== 'invalid') throw new Error('it should not be valid');
    expect(manifest.wish.violations.map(({ location, path }) => [location, path])).toEqual([
      ['file.yaml:5', 'spec.qualifiedName'],
      ['file.yaml:7', 'spec.cardinality'],
      ['file.yaml:9', 'spec.entityTypes[1]'],
      ['file.yaml:8', 'spec'],
    ]);
  });

  it('keeps dates as text', () => {
    const { manifests } = parse(
      'apiVersion: catalog.proplane.dev/v1alpha1\nkind: DatasetProperties\nmetadata: { name: x }\nspec:\n  datasetUrn: urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)\n  properties:\n    - { propertyRef: { name: p }, values: [2026-01-01] }\n',
    );
    const [manifest] = manifests;
    expect(manifest?.wish).toMatchObject({ resource: { spec: { properties: [{ values: ['2026-01-01'] }] } } });
  });

  it('notes what is for somebody else, and does not mind empty documents', () => {
    const { manifests, problems, broken } = parse('---\n# nothing\n', { apiVersion: 'v1', kind: 'ConfigMap' });
    expect([manifests, broken]).toEqual([[], false]);
    expect(problems).toEqual([expect.objectContaining({ severity: 'note', reason: 'Ignored' })]);
  });

  it.each([
    ['', true],
    ['\n \n# retention: 30\n---\n# nothing\n---\n', true],
    ['---\n~\n', true],
    ['{}', false],
    ['apiVersion: v1\nkind: ConfigMap\n', false],
    ['a: [', false],
  ])('of the text %j is empty: %j', (text, isEmpty) => {
    expect(parse(text).empty).toBe(isEmpty);
  });

  it.each([
    ['a mistyped kind', { ...property(), kind: 'StructuredPropertie' }],
    ['a mistyped group', { ...property(), apiVersion: 'catalog.proplane.de/v1', metadata: {} }],
    ['no name', { ...property(), metadata: { namespace: 'governance' } }],
  ])('does not take %s for a deletion: the file counts as broken, the rest is read', (_what, document) => {
    const { manifests, broken, malformed } = parse(document, dataset());
    expect([manifests.length, broken, malformed]).toEqual([1, true, false]);
  });

  it('refuses a document that would grow without bound', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (const [one, next] of ['ab', 'bc', 'cd', 'de', 'ef'])
      bomb.push(`${next}: &${next} [${Array(10).fill(`*${one}`).join(', ')}]`);
    expect(parse(`${bomb.join('\n')}\n`).broken).toBe(true);
  });
});
