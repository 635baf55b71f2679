import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { publicFieldOf, readPublicField, searchNameOf } from '../../model/search-name.ts';
import { definitionOf } from '../harness/definitions.ts';

const qualifiedName = 'io.acme.retentionTime';

describe('the search name of a property', () => {
  it('is its qualified name with underscores', () => {
    expect(searchNameOf('io.acme.retentionTime')).toBe('io_acme_retentionTime');
    expect(searchNameOf('plain')).toBe('plain');
    expect(searchNameOf('a.b')).toBe(searchNameOf('a_b'));
  });

  it('stands under structuredProperties, with version and type when it has a version', () => {
    expect(publicFieldOf(definitionOf({ qualifiedName }))).toBe('structuredProperties.io_acme_retentionTime');
    expect(publicFieldOf(definitionOf({ qualifiedName, version: '20240614080000', valueType: 'rich_text' }))).toBe(
      'structuredProperties._versioned.io_acme_retentionTime.20240614080000.rich_text',
    );
  });

  it('is read back from what it is made to, with or without an exact suffix', () => {
    const words = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_./~-]{0,12}$/u);
    const names = fc.oneof(words, fc.constantFrom('keyword', 'a.keyword', 'delimited'));
    const versions = fc.constantFrom(undefined, '20240614080000', '00000000000000');
    const suffixes = fc.constantFrom('', '.keyword');
    const types = fc.constantFrom('string', 'number', 'date', 'rich_text', 'urn');
    fc.assert(
      fc.property(names, versions, types, suffixes, (name, version, valueType, suffix) => {
        const rest = { qualifiedName: name, valueType, ...(version === undefined ? {} : { version }) };
        const field = publicFieldOf(definitionOf(rest));
        expect(readPublicField(field + suffix)).toEqual({
          searchName: searchNameOf(name),
          field,
          exact: suffix !== '',
        });
      }),
    );
  });

  it('of an older or incomplete name is still known to belong to the property', () => {
    const searchName = 'a_b';
    for (const name of ['a_b', '_versioned.a_b.20200101000000.string', '_versioned.a_b.x.y']) {
      expect(readPublicField(`structuredProperties.${name}`)).toMatchObject({ searchName });
    }
  });

  it('is none outside structuredProperties', () => {
    for (const name of ['', 'name', 'structuredProperties', 'structuredproperties.a', 'x.structuredProperties.a']) {
      expect(readPublicField(name)).toBeUndefined();
    }
  });
});
