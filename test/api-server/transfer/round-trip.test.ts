import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EntityDocument } from '../../../api-server/store/port.ts';
import type { Stamp, StoredAspect, StoredAssignment } from '../../../model/entity/draft.ts';
import { datasetUrn, schemaFieldUrn } from '../../../model/urn.ts';
import { VALUE_TYPES } from '../../../model/value-type.ts';
import type { OwnerMark } from '../../../model/wire/owner-mark.ts';
import { definitionBody, property, TestCatalog } from '../../harness/catalog.ts';
import { exportedLines, importAll } from '../../harness/transfer.ts';
import { pairedName, plainName, platform, word } from '../../harness/urn-arbitraries.ts';

const RUNS = 60;

/** What JSON can hold: -0 is written as 0, and `__proto__` is in no body. */
const text = fc.string({ unit: 'grapheme' });
const json = fc
  .dictionary(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    { maxKeys: 4 },
  )
  .filter((value) => !JSON.stringify(value).includes('__proto__'));
const time = fc.nat({ max: 2_000_000_000_000 });
const stamp: fc.Arbitrary<Stamp> = fc.record({ time, actor: text });
const aspect: fc.Arbitrary<StoredAspect> = fc.record({
  value: json,
  version: fc.integer({ min: 1, max: 99 }),
  created: stamp,
  modified: stamp,
});
const mark: fc.Arbitrary<OwnerMark> = fc.record({
  source: text,
  kind: text,
  namespace: text,
  name: text,
  deletionPolicy: text,
});
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const value = fc.oneof(
  text.map((string) => ({ string })),
  number.map((double) => ({ double })),
);
const name = fc.stringMatching(/^[a-z]{1,6}(?:\.[a-z]{1,6})?$/u);
const assignment: fc.Arbitrary<StoredAssignment> = fc.record(
  {
    propertyUrn: name.map(property),
    values: fc.array(value, { maxLength: 3 }),
    attribution: json,
    epoch: fc.uuid(),
    valueType: fc.constantFrom(...VALUE_TYPES),
  },
  { requiredKeys: ['propertyUrn', 'values', 'epoch', 'valueType'] },
);

const stored = fc.record({
  incarnation: fc.uuid(),
  revision: fc.integer({ min: 1, max: 1e9 }),
  aspects: fc.dictionary(fc.constantFrom('status', 'datasetProperties', 'ownership'), aspect),
  assignments: fc.uniqueArray(assignment, { maxLength: 4, selector: ({ propertyUrn }) => propertyUrn }),
  owners: fc.dictionary(name.map(property), mark, { maxKeys: 3 }),
  batches: fc.array(fc.record({ id: fc.uuid(), at: time }), { maxLength: 2 }),
});
const datasetName = fc.tuple(platform, fc.oneof(plainName, pairedName), word).map((key) => datasetUrn(...key));
const dataset = fc.record({ urn: datasetName, entityType: fc.constant('dataset'), rest: stored });
const field = fc.tuple(datasetName, plainName, fc.uuid(), stored).map(([parent, path, parentIncarnation, rest]) => ({
  urn: schemaFieldUrn(parent, path),
  entityType: 'schemaField',
  rest: { ...rest, parentIncarnation },
}));
/** Names without underscores, so that no two have one search name. */
const definition = fc.tuple(name, fc.uuid(), stored, stamp).map(([qualifiedName, epoch, rest, at]) => ({
  urn: property(qualifiedName),
  entityType: 'structuredProperty',
  rest: {
    ...rest,
    aspects: {
      ...rest.aspects,
      propertyDefinition: { value: definitionBody(qualifiedName), version: 1, created: at, modified: at },
    },
    definitionState: { epoch },
  },
}));
const entities = fc
  .uniqueArray(fc.oneof(dataset, field, definition), { maxLength: 12, selector: ({ urn }) => urn })
  .map((all) => all.map(({ urn, entityType, rest }): EntityDocument => ({ urn, entityType, ...rest })));
const resources = fc.uniqueArray(
  fc.record(
    {
      source: text,
      kind: text,
      namespace: text,
      name: text.filter((given) => given !== ''),
      generation: fc.nat(),
      created: time,
      specHash: text,
      location: text,
      status: json,
    },
    { requiredKeys: ['source', 'kind', 'namespace', 'name', 'generation', 'created', 'specHash'] },
  ),
  { maxLength: 4, selector: (resource) => resource.name },
);
const jobs = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('cascade', 'collection', 'fields'),
    subject: name.map(property),
    remains: fc.uuid(),
  }),
  { maxLength: 3, selector: ({ remains }) => remains },
);

let source: TestCatalog;
let target: TestCatalog;
const open = async () => {
  source = await TestCatalog.open();
  target = await TestCatalog.open();
};
const close = async () => {
  await source.close();
  await target.close();
};
beforeEach(open);
afterEach(close);

describe('any catalogue', () => {
  it('comes out of its import byte for byte as it went in, in parts of any size', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          entities,
          resources,
          jobs,
          fc.integer({ min: 1, max: 9 }),
          async (...[all, reported, left, size]) => {
            for (const document of all) await source.parts.store.entities.insert(document);
            for (const resource of reported)
              await source.parts.store.records.put('resource', resource.name, resource, undefined);
            for (const job of left) await source.parts.ensureJob(job);
            const lines = await exportedLines(source.parts);
            expect(lines).toHaveLength(2 + all.length + reported.length + left.length);
            await importAll(target.parts, lines, size);
            expect((await exportedLines(target.parts)).slice(1)).toEqual(lines.slice(1));
            for (const document of all) expect(await target.parts.store.entities.get(document.urn)).toEqual(document);
          },
        )
        .afterEach(async () => {
          await close();
          await open();
        }),
      { numRuns: RUNS },
    );
  });
});
