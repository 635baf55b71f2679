import { describe, expect, it } from '@jest/globals';
import { indexChangeOf } from '../../../api-server/catalog/indexing/index-entry.ts';
import type { IndexEntry } from '../../../api-server/search/port.ts';
import type { EntityDocument } from '../../../api-server/store/port.ts';
import type { StoredAssignment } from '../../../model/entity/draft.ts';
import { MAX_INDEXED_CHARACTERS, MAX_INDEXED_TEXT, MAX_INDEXED_VALUES } from '../../../model/limits.ts';
import { documentOf, tombstoneOf } from '../../contract/store/fixture.ts';

const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };
const aspect = (value: Record<string, unknown>) => ({ value, version: 1, created: stamp, modified: stamp });

function entryOf(document: EntityDocument): IndexEntry {
  const change = indexChangeOf(document);
  if (change.kind !== 'put') throw new Error('it is dropped');
  return change.entry;
}

const assignment = (epoch: string, valueType: StoredAssignment['valueType'], values: StoredAssignment['values']) => ({
  propertyUrn: `urn:li:structuredProperty:${epoch}`,
  epoch,
  valueType,
  values,
});

describe('the index entry of a document', () => {
  it('carries its version, its type and its own fields', () => {
    const entry = entryOf(documentOf('logs.clicks', { incarnation: 'life7', revision: 12 }));
    expect(entry).toMatchObject({ incarnation: 'life7', revision: 12, entityType: 'dataset', removed: false });
    expect(entry.fields).toContainEqual({ field: 'e:name', type: 'string', values: ['logs.clicks'] });
    expect(entry.fields).toContainEqual({ field: 'e:words', type: 'string', values: ['logs', 'clicks'] });
  });

  it('has a field of its own type for each epoch', () => {
    const assignments = [
      assignment('e1', 'number', [{ double: 30 }, { double: -0.5 }]),
      assignment('e2', 'string', [{ string: 'Gold' }, { string: '' }]),
      assignment('e3', 'date', [{ string: '1970-01-02' }, { string: '1969-12-31' }]),
      assignment('e4', 'urn', [{ string: 'urn:li:tag:x' }]),
      assignment('e5', 'rich_text', []),
    ];
    const fields = entryOf(documentOf('d', { assignments })).fields.filter(({ field }) => field.startsWith('p:'));
    expect(fields).toEqual([
      { field: 'p:e1', type: 'number', values: [30, -0.5] },
      { field: 'p:e2', type: 'string', values: ['Gold', ''] },
      { field: 'p:e3', type: 'date', values: [1, -1] },
      { field: 'p:e4', type: 'urn', values: ['urn:li:tag:x'] },
      { field: 'p:e5', type: 'rich_text', values: [] },
    ]);
  });

  it('says whether the entity is soft deleted', () => {
    expect(entryOf(documentOf('d', { aspects: { status: aspect({ removed: true }) } })).removed).toBe(true);
    expect(entryOf(documentOf('d', { aspects: { status: aspect({ removed: false }) } })).removed).toBe(false);
    expect(entryOf(documentOf('d', { aspects: { status: aspect({}) } })).removed).toBe(false);
  });

  it('of a tombstone is a drop of its version', () => {
    const document = documentOf('d');
    expect(indexChangeOf(tombstoneOf(document, 5))).toEqual({
      kind: 'drop',
      urn: document.urn,
      incarnation: 'life1',
      revision: 2,
    });
  });

  describe('has of more than is searched', () => {
    const valuesOf = (document: EntityDocument, field: string) =>
      entryOf(document).fields.find((one) => one.field === field)?.values ?? [];
    const described = (description: string) =>
      documentOf('d', { aspects: { datasetProperties: aspect({ description }) } });

    it('the beginning of a long text, and no half of a character', () => {
      const text = `${'x'.repeat(MAX_INDEXED_TEXT - 1)}😀 the rest`;
      expect(valuesOf(described(text), 'e:description')).toEqual(['x'.repeat(MAX_INDEXED_TEXT - 1)]);
      const fitting = `${'x'.repeat(MAX_INDEXED_TEXT - 2)}😀`;
      expect(valuesOf(described(`${fitting} the rest`), 'e:description')).toEqual([fitting]);
      const assignments = [assignment('e1', 'string', [{ string: text }, { string: 'short' }])];
      expect(valuesOf(documentOf('d', { assignments }), 'p:e1')).toEqual(['x'.repeat(MAX_INDEXED_TEXT - 1), 'short']);
    });

    it('the first words of a description of eight megabytes', () => {
      const words = Array.from({ length: 1_000_000 }, (_, at) => `w${at}`);
      const found = valuesOf(described(words.join(' ')), 'e:words');
      expect(found).toEqual(expect.arrayContaining(['d', 'w0', 'w1000']));
      expect(found.length).toBeLessThan(MAX_INDEXED_TEXT / 2);
    });

    it('so many values and characters of all fields, the words of the entity being the last', () => {
      const many = Array.from({ length: 2 * MAX_INDEXED_VALUES }, (_, at) => ({ double: at }));
      const crowded = documentOf('d', {
        assignments: [assignment('e1', 'string', [{ string: 'first' }]), assignment('e2', 'number', many)],
      });
      const { fields } = entryOf(crowded);
      expect(fields.flatMap(({ values }) => values)).toHaveLength(MAX_INDEXED_VALUES);
      expect(valuesOf(crowded, 'p:e1')).toEqual(['first']);
      expect(valuesOf(crowded, 'e:words')).toEqual([]);
      const long = Array.from({ length: 100 }, (_, at) => ({ string: String(at).padEnd(30_000, 'x') }));
      const texts = valuesOf(documentOf('d', { assignments: [assignment('e1', 'string', long)] }), 'p:e1');
      expect(texts).toHaveLength(Math.floor(MAX_INDEXED_CHARACTERS / 30_000));
    });
  });
});
