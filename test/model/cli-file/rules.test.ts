import { describe, expect, it } from '@jest/globals';
import { parseDatasetFile } from '../../../model/cli-file/dataset-file.ts';
import { parsePropertiesFile } from '../../../model/cli-file/properties-file.ts';

describe('a file of definitions', () => {
  const places = (entry: object) => {
    const checked = parsePropertiesFile([{ id: 'a.b', type: 'string', entity_types: ['dataset'], ...entry }]);
    return checked.ok ? [] : checked.violations.map(({ code, path }) => [code, path]);
  };

  it.each<[object, string, string]>([
    [{ id: 'a b', qualified_name: undefined }, 'invalid-name', '[0]'],
    [{ id: undefined, urn: 'a.b', qualified_name: 'a.b' }, 'invalid-urn', '[0].urn'],
    [{ id: undefined, urn: 'urn:li:tag:x', qualified_name: 'x' }, 'invalid-urn', '[0].urn'],
    [{ urn: 'urn:li:structuredProperty:x', qualified_name: 'y' }, 'immutable-name', '[0].qualified_name'],
    [{ type: undefined }, 'wrong-shape', '[0].type'],
    [{ type: 'text' }, 'unknown-data-type', '[0].type'],
    [{ entity_types: ['urn:li:entityType:dataset'] }, 'unknown-entity-type', '[0].entity_types[0]'],
    [
      { type: 'urn', type_qualifier: { allowed_types: ['person'] } },
      'unknown-entity-type',
      '[0].type_qualifier.allowed_types[0]',
    ],
  ])('is refused for %j', (entry, code, path) => {
    expect(places(entry)).toContainEqual([code, path]);
  });

  it('may write out the word of the server, whichever that is', () => {
    expect(places({ type: 'urn:li:dataType:acme.number' })).toEqual([]);
    expect(places({ entity_types: ['URN:LI:entityType:acme.dataset', 'dataset'] })).toEqual([]);
    expect(places({ type: 'urn', type_qualifier: { entity_types: ['urn:li:entityType:acme.corpuser'] } })).toEqual([]);
    expect(places({ type: 'acme.number', type_qualifier: { allowed_types: ['urn:li:entityType:acme.tag'] } })).toEqual(
      [],
    );
  });
});

describe('a file of datasets', () => {
  const urn = 'urn:li:structuredProperty:a.b';
  const places = (...entries: object[]) => {
    const checked = parseDatasetFile(
      entries.map((entry) => ({ id: 'x', platform: 'hive', ...entry })),
      () => [],
    );
    return checked.ok ? [] : checked.violations.map(({ code, path }) => [code, path]);
  };

  it('is refused for values whose property cannot be, or is there twice, wherever they are', () => {
    const fields = [{ id: 'f' }, { id: 'g', structured_properties: { 'urn:li:tag:x': 1 } }];
    expect(places({}, { structured_properties: { 'a.b': 1, [urn]: 2 }, schema: { fields } })).toEqual([
      ['duplicate', `[1].structured_properties.${urn}`],
      ['invalid-urn', '[1].schema.fields[1].structured_properties.urn:li:tag:x'],
    ]);
  });

  it('is refused for a field that is none', () => {
    const fields = [{ urn: 'urn:li:tag:x', structured_properties: {} }];
    expect(places({ schema: { fields } })).toEqual([['wrong-shape', '[0]']]);
  });

  it('may name properties that nobody has defined yet', () => {
    expect(places({ structured_properties: { 'a.b': 1, 'a.c': ['x', 2] } })).toEqual([]);
  });
});
