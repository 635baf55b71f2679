import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseDatasetFile } from '../../../model/cli-file/dataset-file.ts';
import { datasetEntry, notInEntry, type PrintedEntity } from '../../../model/cli-file/print-dataset-file.ts';
import { definitionEntry, shownDefinition } from '../../../model/cli-file/print-properties-file.ts';
import { parsePropertiesFile } from '../../../model/cli-file/properties-file.ts';
import { type Definition, parseDefinition } from '../../../model/definition.ts';
import { parseUrn } from '../../../model/urn.ts';
import { fileDataset, fileDefinition } from '../../harness/cli-file-arbitraries.ts';
import { definitionOf, NS } from '../../harness/definitions.ts';

/** What the server makes of entries of a definition file. */
function definitionsOf(entries: readonly unknown[]): Definition[] {
  const parsed = parsePropertiesFile(entries);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.violations));
  return parsed.value.map(({ urn, definition }) => {
    const checked = parseDefinition(definition, parseUrn(urn), NS);
    if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
    return checked.value;
  });
}

function sentOf(entity: PrintedEntity) {
  const parsed = parseDatasetFile([datasetEntry(entity)], () => []);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.violations));
  return parsed.value;
}

describe('an entry of the definition file', () => {
  it('is read back to the definition that it was printed from', () => {
    fc.assert(
      fc.property(fc.array(fileDefinition, { maxLength: 3 }), (definitions) => {
        expect(definitionsOf(definitions.map(definitionEntry))).toEqual(definitions);
      }),
    );
  });

  it('has short names, and values as they are', () => {
    const definition = definitionOf({
      valueType: 'number',
      version: '20240614080000',
      allowedValues: [{ value: { double: 0.5 }, description: 'half' }],
    });
    expect(definitionEntry(definition)).toEqual({
      id: 'a.b',
      type: 'number',
      version: '20240614080000',
      entity_types: ['dataset'],
      allowed_values: [{ value: 0.5, description: 'half' }],
    });
  });
});

describe('what `properties get` shows', () => {
  it('is read back as an entry to the same definition; a cardinality is there in any case', () => {
    fc.assert(
      fc.property(fileDefinition, (definition) => {
        expect(definitionsOf([shownDefinition(definition)])).toEqual([
          { ...definition, cardinality: definition.cardinality ?? 'SINGLE' },
        ]);
      }),
    );
  });

  it('has full URNs, and each allowed value as text', () => {
    const allowedValues = [{ value: { double: 30 }, description: 'a month' }, { value: { double: 0.5 } }];
    expect(shownDefinition(definitionOf({ valueType: 'number', displayName: 'Days', allowedValues }))).toEqual({
      urn: 'urn:li:structuredProperty:a.b',
      qualified_name: 'a.b',
      type: 'urn:li:dataType:datahub.number',
      display_name: 'Days',
      entity_types: ['urn:li:entityType:datahub.dataset'],
      cardinality: 'SINGLE',
      allowed_values: [{ value: '30', description: 'a month' }, { value: '0.5' }],
    });
  });
});

describe('an entry of the dataset file', () => {
  it('is read back to the dataset and the fields that it was printed from, and says that nothing is missing', () => {
    fc.assert(
      fc.property(fileDataset, (dataset) => {
        const { entities, fields } = sentOf(dataset);
        expect(entities).toMatchObject([{ urn: dataset.urn.urn, entityType: 'dataset' }]);
        expect(entities[0]?.aspects).toEqual(dataset.aspects);
        const sorted = (urns: readonly { urn: string }[]) => urns.toSorted((a, b) => (a.urn < b.urn ? -1 : 1));
        expect(sorted(fields)).toEqual(
          sorted(dataset.fields.map(({ urn, aspects }) => ({ urn: urn.urn, entityType: 'schemaField', aspects }))),
        );
        expect(notInEntry(dataset)).toEqual([]);
      }),
    );
  });

  it('keeps the order of properties whose names look like numbers', () => {
    const names = ['b', '2', 'a', '1'];
    const properties = names.map((name) => ({
      propertyUrn: `urn:li:structuredProperty:${name}`,
      values: [{ double: 1 }],
    }));
    const urn = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)');
    const { entities } = sentOf({ urn, aspects: { structuredProperties: { properties } }, fields: [] });
    expect(entities[0]?.aspects.structuredProperties).toEqual({ properties });
  });

  it('of a dataFlow goes by its URN', () => {
    const urn = parseUrn('urn:li:dataFlow:(airflow,nightly,prod)');
    const entity = { urn, aspects: { dataFlowInfo: { name: 'Nightly', description: 'Runs' } }, fields: [] };
    expect(datasetEntry(entity)).toEqual({ urn: urn.urn, name: 'Nightly', description: 'Runs' });
    expect(sentOf(entity).entities[0]?.aspects).toEqual(entity.aspects);
  });

  it('names the aspects that it has no place for', () => {
    const urn = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)');
    const aspects = {
      datasetKey: { platform: 'urn:li:dataPlatform:hive', name: 't', origin: 'PROD' },
      status: { removed: false },
      globalTags: { tags: [] },
      datasetProperties: { name: 't', externalUrl: 'https://example.com' },
    };
    expect(notInEntry({ urn, aspects, fields: [] })).toEqual(['globalTags', 'datasetProperties']);
  });
});
