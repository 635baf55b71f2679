import { describe, expect, it } from '@jest/globals';
import { MissingError, RejectedError } from '../../client/http-errors.ts';
import { structuredPropertyUrn } from '../../model/urn.ts';
import { MemoryCatalogue } from '../../plan/catalogue/memory-catalogue.ts';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,d,PROD)';
const FIELD = `urn:li:schemaField:(${DATASET},email)`;
const urnOf = (name: string) => structuredPropertyUrn(name);
const assigned = (name: string, value: string) => ({ propertyUrn: urnOf(name), values: [{ string: value }] });

function catalogueWith(...names: string[]): MemoryCatalogue {
  const catalogue = new MemoryCatalogue();
  for (const qualifiedName of names) {
    const body = { qualifiedName, valueType: 'string', entityTypes: ['dataset', 'schemaField'] };
    catalogue.define(urnOf(qualifiedName), body, undefined);
  }
  return catalogue;
}

const shown = (catalogue: MemoryCatalogue) => catalogue.readAssignments(DATASET)?.map(({ propertyUrn }) => propertyUrn);

describe('a catalogue in memory', () => {
  it('keeps what a soft deletion hides behind what it stood behind', () => {
    const catalogue = catalogueWith('a', 'b', 'c');
    catalogue.replaceAssignments(DATASET, [assigned('a', '1'), assigned('b', '2'), assigned('c', '3')]);
    catalogue.setRemoved(urnOf('b'), true, undefined);
    catalogue.replaceAssignments(DATASET, [assigned('c', '4'), assigned('a', '5')]);
    expect(shown(catalogue)).toEqual(['c', 'a'].map(urnOf));
    catalogue.setRemoved(urnOf('b'), false, undefined);
    expect(shown(catalogue)).toEqual(['c', 'a', 'b'].map(urnOf));
  });

  it('refuses what the API server refuses, and changes nothing then', () => {
    const catalogue = catalogueWith('a.b');
    expect(() => catalogue.replaceAssignments(DATASET, [assigned('a.b', '1'), assigned('none', '2')])).toThrow(
      RejectedError,
    );
    expect(catalogue.readAssignments(DATASET)).toBeUndefined();
    const body = { qualifiedName: 'a_b', valueType: 'string', entityTypes: ['dataset'] };
    expect(() => catalogue.define(urnOf('a_b'), body, undefined)).toThrow('collides with existing property');
    expect(() => catalogue.create(FIELD)).toThrow(MissingError);
  });

  it('forgets the fields of a dataset with it, and their marks', () => {
    const catalogue = catalogueWith('a');
    const owner = {
      source: 's',
      kind: 'DatasetProperties',
      namespace: 'n',
      name: 'd',
      deletionPolicy: 'Remove',
    } as const;
    catalogue.create(DATASET);
    catalogue.patchAssignments(FIELD, [{ op: 'add', ...assigned('a', '1') }], { owner, create: false });
    expect([...catalogue.marks].map(({ urn }) => urn)).toEqual([FIELD]);
    catalogue.delete(DATASET);
    expect([[...catalogue.marks], catalogue.readAssignments(FIELD)]).toEqual([[], undefined]);
  });
});
