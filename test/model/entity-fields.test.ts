import { describe, expect, it } from '@jest/globals';
import { ENTITY_FIELDS, entityFieldsOf, WORDS_FIELD, wordsOf } from '../../model/entity-fields.ts';
import { parseUrn } from '../../model/urn.ts';

function fieldsOf(urn: string, aspects: Record<string, Record<string, unknown>> = {}): Record<string, string[]> {
  return Object.fromEntries(entityFieldsOf(parseUrn(urn), aspects));
}

const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,logs.Clicks_raw,PROD)';

describe('the fields of an entity', () => {
  it('hold what its URN says', () => {
    expect(fieldsOf(dataset)).toEqual({
      urn: [dataset],
      _entityType: ['dataset'],
      platform: ['urn:li:dataPlatform:hive', 'hive'],
      name: ['logs.Clicks_raw'],
      origin: ['PROD'],
      removed: ['false'],
      words: ['logs', 'clicks', 'raw'],
    });
    expect(fieldsOf('urn:li:dataFlow:(airflow,daily,prod)')).toMatchObject({
      orchestrator: ['airflow'],
      flowId: ['daily'],
      cluster: ['prod'],
    });
    expect(fieldsOf(`urn:li:schemaField:(${dataset},user.email)`)).toMatchObject({
      parent: [dataset],
      fieldPath: ['user.email'],
      words: ['user', 'email'],
    });
  });

  it('hold what its aspects say, each value once', () => {
    const fields = fieldsOf(dataset, {
      datasetProperties: { name: 'Clicks', description: 'Raw clicks', customProperties: {} },
      editableDatasetProperties: { name: 'Clicks', description: 'Clicks of the shop' },
      subTypes: { typeNames: ['Table', 'External'] },
      schemaMetadata: { fields: [{ fieldPath: 'id' }, { fieldPath: 'at' }, {}] },
      status: { removed: true },
    });
    expect(fields).toMatchObject({
      name: ['logs.Clicks_raw', 'Clicks'],
      description: ['Raw clicks', 'Clicks of the shop'],
      typeNames: ['Table', 'External'],
      fieldPaths: ['id', 'at'],
      removed: ['true'],
      words: ['logs', 'clicks', 'raw', 'of', 'the', 'shop'],
    });
  });

  it('hold what a definition says', () => {
    const definition = {
      qualifiedName: 'a.b',
      displayName: 'A of B',
      valueType: 'urn:li:dataType:datahub.string',
      cardinality: 'SINGLE',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
      version: '20240614080000',
    };
    expect(fieldsOf('urn:li:structuredProperty:a.b', { propertyDefinition: definition })).toMatchObject({
      id: ['a.b'],
      qualifiedName: ['a.b'],
      displayName: ['A of B'],
      valueType: ['urn:li:dataType:datahub.string'],
      cardinality: ['SINGLE'],
      entityTypes: ['urn:li:entityType:datahub.dataset'],
      version: ['20240614080000'],
      words: ['a', 'of', 'b'],
    });
  });

  it('are only texts, whatever an opaque aspect holds', () => {
    const odd = { name: 5, description: ['x'], typeNames: 'Table', fields: { fieldPath: 'x' } };
    const fields = fieldsOf(dataset, {
      datasetProperties: odd,
      subTypes: odd,
      schemaMetadata: { fields: [null, 'x', { fieldPath: 1 }] },
    });
    expect(fields).toEqual(fieldsOf(dataset));
  });

  it('are those that a query may name, and the words', () => {
    const all = fieldsOf(dataset, {
      datasetProperties: { name: 'a', displayName: 'b', qualifiedName: 'c', description: 'd', version: '1' },
      schemaMetadata: { fields: [{ fieldPath: 'x' }] },
      subTypes: { typeNames: ['t'] },
    });
    expect([...ENTITY_FIELDS, WORDS_FIELD]).toEqual(expect.arrayContaining(Object.keys(all)));
  });
});

describe('wordsOf', () => {
  it.each([
    ['Logs.Clicks_raw-2024', ['logs', 'clicks', 'raw', '2024']],
    ['Größe, 価格!', ['größe', '価格']],
    ['😀 ._-', []],
    ['', []],
  ])('finds the words of "%s"', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
