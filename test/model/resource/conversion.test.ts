import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchesPattern, selects } from '../../../model/resource/dataset-selector.ts';
import { definitionOf } from '../../../model/resource/definition-of.ts';
import { compareAge } from '../../../model/resource/identity.ts';
import { typedValueOf } from '../../../model/resource/scalar.ts';
import { specHash } from '../../../model/resource/spec-hash.ts';
import { structuredPropertySpec } from '../../../model/resource/structured-property.ts';
import { parseUrn } from '../../../model/urn.ts';
import { CLICKS, dataset, property } from '../../harness/manifests.ts';

describe('a spec as a definition', () => {
  it('has numbers as doubles and everything else as strings', () => {
    const spec = structuredPropertySpec.parse(
      property({
        description: 'how long',
        version: '20260101000000',
        allowedValues: [{ value: 30, description: 'short' }],
      }).spec,
    );
    expect(definitionOf(spec)).toEqual({
      qualifiedName: 'com.example.retention',
      valueType: 'number',
      cardinality: 'SINGLE',
      entityTypes: ['dataset', 'schemaField'],
      immutable: false,
      description: 'how long',
      version: '20260101000000',
      allowedValues: [{ value: { double: 30 }, description: 'short' }],
    });
    expect([typedValueOf(-0), typedValueOf('2026-01-01'), typedValueOf(true)]).toEqual([
      { double: 0 },
      { string: '2026-01-01' },
      { string: 'true' },
    ]);
  });
});

describe('the hash of a spec', () => {
  const annotated = (annotations: Record<string, string>) => property({}, { annotations });

  it('does not change with the order of keys, labels or annotations of others', () => {
    const { spec, ...rest } = annotated({ 'example.com/x': '1' });
    const turned = { spec: Object.fromEntries(Object.entries(spec).toReversed()), ...rest };
    expect(specHash(turned)).toBe(specHash(property()));
  });

  it('changes with the spec and with our annotations', () => {
    const hashes = [
      property(),
      property({ description: 'x' }),
      annotated({ 'catalog.proplane.dev/paused': 'true' }),
      dataset(),
    ];
    expect(new Set(hashes.map(specHash)).size).toBe(hashes.length);
  });
});

describe('a pattern of names', () => {
  it.each([
    ['logs.*', 'logs.clicks', true],
    ['logs.*', 'logsXclicks', false],
    ['logs.?', 'logs.ab', false],
    ['*', '', true],
    ['a[b]*(c)', 'a[b]x(c)', true],
    ['**/x', 'a/b/x', true],
  ])('%s matches %s: %s', (pattern, name, expected) => {
    expect(matchesPattern(pattern, name)).toBe(expected);
  });

  it('matches what a regular expression would', () => {
    const letters = (most: number) => fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: most });
    return fc.assert(
      fc.property(letters(6), letters(8), (pattern, name) => {
        const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
        expect(matchesPattern(pattern, name)).toBe(new RegExp(`^${source}$`, 'su').test(name));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no longer than it should for a pattern that a regular expression would take years for', () => {
    expect(matchesPattern(`${'*a'.repeat(300)}*b`, 'a'.repeat(1000))).toBe(false);
  });

  it('matches each name that is written out', () => {
    return fc.assert(
      fc.property(fc.string(), (text) =>
        matchesPattern(text.replaceAll(/[*?]/gu, '!'), text.replaceAll(/[*?]/gu, '!')),
      ),
    );
  });

  it('selects by platform, environment and name together', () => {
    const clicks = parseUrn(CLICKS);
    expect(selects({ platform: 'hive', environment: 'PROD', namePattern: 'logs.*' }, clicks)).toBe(true);
    expect(selects({ platform: 'urn:li:dataPlatform:hive' }, clicks)).toBe(true);
    for (const other of [{ platform: 'kafka' }, { environment: 'DEV' }, { namePattern: 'clicks' }]) {
      expect(selects(other, clicks)).toBe(false);
    }
  });
});

describe('age', () => {
  it('is by creation, then namespace, then name', () => {
    const aged = (created: number, namespace: string, name: string) => ({
      created,
      id: { kind: 'StructuredProperty' as const, namespace, name },
    });
    const sorted = [aged(1, 'z', 'z'), aged(2, 'a', 'b'), aged(2, 'a', 'c'), aged(2, 'b', 'a')];
    expect(sorted.toReversed().sort(compareAge)).toEqual(sorted);
  });
});
