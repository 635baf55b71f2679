import fc from 'fast-check';
import { ANNOTATIONS } from '../../model/resource/annotations.ts';
import { schemaFieldUrn } from '../../model/urn.ts';
import { dataset, property } from './manifests.ts';

/** Manifests about few things, so that they meet often: what a folder holds before and after a change. */

const NAMES = ['p0', 'p1', 'p2', 'p3'] as const;
const RESOURCES = ['r0', 'r1', 'r2'] as const;
export const DATASETS = ['d0', 'd1', 'd2'].map((name) => `urn:li:dataset:(urn:li:dataPlatform:hive,logs.${name},PROD)`);
/** Is there, without an owner, and has a value on the first dataset. */
export const BY_HAND = 'urn:li:structuredProperty:com.example.hand';

export const PROPERTIES = [...NAMES, 'moved']
  .map((name) => `urn:li:structuredProperty:com.example.${name}`)
  .concat(BY_HAND);
export const HOLDERS = DATASETS.flatMap((urn) => [urn, schemaFieldUrn(urn, 'email')]);

/** A manifest for each name that has one. */
export interface Folder {
  readonly manifests: readonly object[];
}

const often = <T>(usual: T, ...seldom: T[]) =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...seldom) });

const annotations = often<object>(
  {},
  { [ANNOTATIONS.paused]: 'true' },
  { [ANNOTATIONS.observeOnly]: 'true' },
  { [ANNOTATIONS.adopt]: 'true' },
);

/** Kinds of values that go with each other now and then only. */
const kinds = fc.oneof(
  { weight: 9, arbitrary: fc.constant({ valueType: 'number', allowedValues: [{ value: 30 }, { value: 90 }] }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      { valueType: 'number', allowedValues: [{ value: 30 }] },
      { valueType: 'number', allowedValues: undefined },
      { valueType: 'string', allowedValues: undefined },
    ),
  },
);

const propertyOf = (name: string) =>
  fc
    .record({
      qualifiedName: often(`com.example.${name}`, 'com.example.moved', 'com.example.p0'),
      kind: kinds,
      cardinality: often('SINGLE', 'MULTIPLE'),
      entityTypes: often(['dataset', 'schemaField'], ['dataset']),
      version: fc.constantFrom(undefined, '20260101000000', '20260201000000'),
      immutable: often(false, true),
      removed: often(false, true),
      deletionPolicy: fc.constantFrom('HardDelete', 'SoftDelete', 'Retain'),
      description: fc.constantFrom(undefined, 'one', 'other'),
      nonsense: fc.oneof(
        { weight: 40, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      annotations,
    })
    .map(({ kind, annotations: given, ...spec }) =>
      property({ ...kind, ...spec }, { name, annotations: given as Record<string, string> }),
    );

const values = fc.oneof(
  { weight: 12, arbitrary: fc.constant([30]) },
  { weight: 2, arbitrary: fc.constantFrom([90], [30, 90], ['x'], ['30']) },
);

/** What is assigned to one property. */
const assignment = fc.oneof(
  { weight: 20, arbitrary: fc.record({ propertyRef: fc.constantFrom(...NAMES).map((name) => ({ name })), values }) },
  {
    weight: 4,
    arbitrary: fc.record({
      propertyRef: fc.constantFrom(...NAMES).map((name) => ({ qualifiedName: `com.example.${name}` })),
      values,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      propertyRef: fc.constant({ qualifiedName: 'com.example.hand' }),
      values: fc.constantFrom(['by hand'], ['x']),
    }),
  },
  { weight: 1, arbitrary: fc.record({ propertyRef: fc.constant({ name: 'ghost' }), values }) },
);

const assignments = fc.uniqueArray(assignment, {
  selector: ({ propertyRef }) =>
    'name' in propertyRef ? `com.example.${propertyRef.name}` : propertyRef.qualifiedName,
  maxLength: 3,
});

const target = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...DATASETS).map((datasetUrn) => ({ datasetUrn })) },
  { weight: 2, arbitrary: fc.constant({ datasetUrns: DATASETS.slice(0, 2) }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('logs.*', 'logs.d0')
      .map((namePattern) => ({ datasetSelector: { platform: 'hive', namePattern } })),
  },
);

const valuesOf = (name: string) =>
  fc
    .record({
      target,
      properties: assignments,
      fields: fc.oneof(
        fc.constant([]),
        assignments.map((properties) => [{ fieldPath: 'email', properties }]),
      ),
      whenMissing: often('Wait', 'Create'),
      ownership: often('Merge', 'Replace'),
      deletionPolicy: fc.constantFrom('Remove', 'Retain'),
      annotations,
    })
    .map(({ target: meant, annotations: given, ...spec }) => {
      const manifest = dataset(spec, { name, annotations: given as Record<string, string> });
      const { datasetUrn: _standard, ...rest } = manifest.spec as Record<string, unknown>;
      return { ...manifest, spec: { ...rest, ...meant } };
    });

/** One manifest before and after: it stays, is changed, goes, or comes. */
const fateOf = (manifest: fc.Arbitrary<object>): fc.Arbitrary<{ before?: object; after?: object }> =>
  fc.oneof(
    { weight: 4, arbitrary: manifest.map((one) => ({ before: one, after: one })) },
    { weight: 6, arbitrary: fc.record({ before: manifest, after: manifest }) },
    { weight: 2, arbitrary: manifest.map((one) => ({ before: one })) },
    { weight: 2, arbitrary: manifest.map((one) => ({ after: one })) },
  );

/** A folder, and what somebody makes of it. */
export const changes: fc.Arbitrary<{ readonly before: Folder; readonly after: Folder }> = fc
  // Without bias: what is usual has to be usual, or hardly anything is applied.
  .noBias(
    fc.tuple(...NAMES.map((name) => fateOf(propertyOf(name))), ...RESOURCES.map((name) => fateOf(valuesOf(name)))),
  )
  .map((fates) => ({
    before: { manifests: fates.flatMap(({ before }) => before ?? []) },
    after: { manifests: fates.flatMap(({ after }) => after ?? []) },
  }));
