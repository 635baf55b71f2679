import fc from 'fast-check';
import { dataset, property } from './manifests.ts';

/** Specs that are right as often as wrong, and just at the edge. What JSON cannot carry is left out. */

function often<T>(usual: readonly T[], seldom: readonly unknown[], weight = 6): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight, arbitrary: fc.constantFrom<unknown>(...usual) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...seldom) },
  );
}

const NOT_SCALARS = [{}, { a: 1 }, [], [1], [[1]]];

/** For each value type: other ways to write it, values that fit, values that do not. Some ways are equal. */
const TYPES: readonly (readonly [names: readonly string[], right: readonly unknown[], wrong: readonly unknown[]])[] = [
  [
    ['number', 'Number', 'urn:li:dataType:datahub.number', 'urn:li:dataType:NUMBER'],
    [
      30,
      '30',
      '30.0',
      ' 30 ',
      '3e1',
      '30.',
      '+30',
      0,
      '-0',
      '0',
      0.5,
      '.5',
      1e21,
      '1e21',
      2 ** 53,
      5e-324,
      -1e-7,
      1000,
      '1e3',
    ],
    ['gold', '', '.', '1e', '0x1e', '1_000', 'NaN', 'inf', 'Infinity', '1e400', true, '3 0', '1,5', ...NOT_SCALARS],
  ],
  [
    ['string', 'STRING', 'rich_text', 'urn:li:dataType:datahub.rich_text'],
    [
      'gold',
      'Gold',
      '',
      ' gold',
      'true',
      true,
      false,
      'line\nfeed',
      '30',
      'ГОЛЬД 価格 😀',
      '"quoted" \\',
      'x'.repeat(32_768),
    ],
    [30, 0.5, 'x'.repeat(32_769), ...NOT_SCALARS],
  ],
  [
    ['date', 'urn:li:dataType:datahub.Date'],
    ['2026-01-31', '2024-02-29', '2000-02-29', '1000-01-01', '9999-12-31'],
    [
      '2026-02-29',
      '1900-02-29',
      '0999-12-31',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '',
      30,
      true,
      ...NOT_SCALARS,
    ],
  ],
  [
    ['urn', 'urn:li:dataType:datahub.urn'],
    ['urn:li:corpuser:ada', 'urn:li:x1:a b', 'urn:li:dataset:(a,\nb)'],
    [
      'urn:li:corpuser:',
      'urn:li:corpuser: ada',
      'urn:li:corpuser:ada\u00a0',
      'urn:x:corpuser:ada',
      'urn:li:1x:a',
      'ada',
      30,
      true,
      ...NOT_SCALARS,
    ],
  ],
];

const valueRules = fc.constantFrom(...TYPES).chain(([names, right, wrong]) =>
  fc.record({
    valueType: often(names, ['nummer', '', 'number ', 'date.', 'ſtring', `${'x'.repeat(250)}.number`]),
    allowedValues: fc.option(fc.array(fc.record({ value: often(right, wrong, 60) }), { maxLength: 6 }), {
      nil: undefined,
      freq: 4,
    }),
  }),
);

const entityTypes = (usual: readonly unknown[]) =>
  often(usual, [[], ['planet'], ['dataset', 7], Array.from({ length: 65 }, () => 'dataset')], 20);

const structuredPropertySpecs = fc
  .record({
    rules: valueRules,
    qualifiedName: often(
      ['com.example.one'],
      [
        'com.example.other',
        'données.価格.😀',
        'a b',
        'a\u00a0b',
        'a\ufeffb',
        'a\u000bb',
        '',
        'x'.repeat(512),
        'x'.repeat(513),
        7,
      ],
      20,
    ),
    cardinality: often([undefined, 'SINGLE', 'MULTIPLE'], ['single'], 20),
    entityTypes: entityTypes([['dataset'], ['DATASET', 'dataFlow'], ['urn:li:entityType:datahub.schemafield']]),
    typeQualifier: often([undefined, { allowedTypes: ['corpuser'] }], [{}, { allowedTypes: [] }], 20),
    version: often(
      [undefined, '20260101000000', '20260201000000', '99999999999999'],
      ['2026', '2026010100000', '202601010000000', '2026010100000x', '２0260101000000', '', 20260101000000],
      20,
    ),
    immutable: often([undefined, true], ['true'], 30),
    displayName: often([undefined, 'Größe 価格'], ['x'.repeat(513)], 30),
  })
  .map(({ rules, ...spec }) => ({ ...rules, ...spec }));

export const structuredProperties = structuredPropertySpecs.map((spec) => property(spec));

/** A StructuredProperty before and after a change of some fields; now and then a value is lost. */
export const structuredPropertyChanges = fc
  .tuple(structuredPropertySpecs, structuredPropertySpecs, fc.nat({ max: 7 }))
  .chain(([before, other, lost]) =>
    fc.subarray(Object.keys(other) as (keyof typeof other)[]).map((fields) => {
      const kept = before.allowedValues?.filter((_, index) => index !== lost);
      const changed = Object.fromEntries(fields.map((field) => [field, other[field]]));
      return [property(before), property({ ...before, allowedValues: kept, ...changed })] as const;
    }),
  );

const KNOWN = fc.constantFrom(...Array.from({ length: 6 }, (_, index) => `p${index}`));

const propertyRefs = fc.oneof(
  { weight: 20, arbitrary: KNOWN.map((name) => ({ name }) as object) },
  { weight: 10, arbitrary: KNOWN.map((name) => ({ name, namespace: 'other' })) },
  { weight: 10, arbitrary: KNOWN.map((name) => ({ qualifiedName: `com.example.${name}` })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      {},
      { namespace: 'other' },
      { name: 'p0', qualifiedName: 'com.example.p0' },
      { qualifiedName: 'com.example.p0', namespace: 'other' },
      { name: '' },
      { name: 'x'.repeat(254) },
      { qualifiedName: 'x'.repeat(513) },
    ),
  },
);

const values = often(
  [30, [30], ['30', 30.5, true], 'gold', false, ['', 'a\nb'], Array.from({ length: 1000 }, (_, index) => index)],
  [[], [[1]], [{}], {}, { a: 1 }, 'x'.repeat(32_769), ['x'.repeat(32_769)], Array.from({ length: 1001 }, () => 1)],
  60,
);

const assignments = fc.array(fc.record({ propertyRef: propertyRefs, values }), { maxLength: 3 });

const URN = (platform: string, name: string, environment: string) =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${environment})`;

const datasetUrns = often(
  [URN('hive', 'logs.clicks', 'PROD'), URN('s3', 'a,b(c) 価\n格', 'DEV'), URN('hive', 'x'.repeat(970), 'PROD')],
  [
    'clicks',
    '',
    URN('', 'a', 'PROD'),
    URN('hive', '', 'PROD'),
    URN('hive', 'a', ''),
    URN('hi ve', 'a', 'PROD'),
    URN('hive', 'a', 'P D'),
    `${URN('hive', 'a', 'PROD')} `,
    'urn:li:chart:(a,b)',
    URN('hive', 'x'.repeat(1000), 'PROD'),
    7,
  ],
  20,
);

const selectors = often(
  [{ platform: 'hive' }, { environment: 'PROD', namePattern: 'logs.*' }],
  [{}, { platform: '' }, { namePattern: 'x'.repeat(1025) }],
  8,
);

const targets = fc.oneof(
  { weight: 8, arbitrary: fc.record({ datasetUrn: datasetUrns }) as fc.Arbitrary<object> },
  { weight: 4, arbitrary: fc.record({ datasetUrns: fc.array(datasetUrns, { maxLength: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ datasetSelector: selectors }) },
  { weight: 1, arbitrary: fc.record({ datasetUrn: datasetUrns, datasetSelector: selectors }) },
  { weight: 1, arbitrary: fc.constant({}) },
);

const fields = fc.array(
  fc.record({
    fieldPath: often(
      ['email', 'a.b', '[version=2.0].[type=string].größe', 'a b'],
      ['', ' a', 'a\u00a0', 'a\ufeff', '\u000ba', 'x'.repeat(2049)],
      20,
    ),
    properties: assignments,
  }),
  { maxLength: 3 },
);

export const datasetProperties = fc
  .record({
    target: targets,
    properties: fc.option(assignments, { nil: undefined }),
    fields: fc.option(fields, { nil: undefined }),
    ownership: often([undefined, 'Merge', 'Replace'], ['Share'], 30),
    deletionPolicy: often([undefined, 'Remove', 'Retain'], ['Orphan'], 30),
  })
  .map(({ target, ...rest }) => {
    const { datasetUrn: _standard, ...spec } = dataset(rest).spec as Record<string, unknown>;
    return { ...dataset(), spec: { ...spec, ...target } };
  });
