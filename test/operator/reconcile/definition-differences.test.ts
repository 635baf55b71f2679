import { describe, expect, it } from '@jest/globals';
import type { Definition } from '../../../model/definition.ts';
import { definitionDifferences } from '../../../operator/reconcile/definition-differences.ts';

const URN = 'urn:li:structuredProperty:a.b';

const observed: Definition = {
  qualifiedName: 'a.b',
  valueType: 'urn:li:dataType:acme.number',
  entityTypes: ['urn:li:entityType:acme.dataset', 'urn:li:entityType:acme.dataFlow'],
  allowedValues: [{ value: { double: 30 } }],
};

const wished: Definition = {
  qualifiedName: 'a.b',
  valueType: 'Number',
  entityTypes: ['dataFlow', 'dataset'],
  cardinality: 'SINGLE',
  immutable: false,
  allowedValues: [{ value: { string: '30' } }],
};

describe('differences of definitions', () => {
  it('are none between a short form and what the catalogue makes of it', () => {
    expect(definitionDifferences(URN, wished, observed)).toEqual([]);
  });

  it('do not count what no manifest can say', () => {
    const stamped = { ...observed, created: { time: 1, actor: 'urn:li:corpuser:x' }, searchConfiguration: {} };
    expect(definitionDifferences(URN, wished, stamped)).toEqual([]);
  });

  it.each([
    ['displayName', { displayName: 'A' }],
    ['description', { description: 'a' }],
    ['cardinality', { cardinality: 'MULTIPLE' }],
    ['immutable', { immutable: true }],
    ['version', { version: '20260101000000' }],
    ['entityTypes', { entityTypes: ['dataset'] }],
    ['allowedValues', { allowedValues: [{ value: { double: 30 }, description: 'x' }] }],
  ] as const)('name %s', (field, change) => {
    expect(definitionDifferences(URN, { ...wished, ...change } as Definition, observed)).toEqual([field]);
  });

  it('are the whole definition when the wish breaks a rule: the server shall say which', () => {
    expect(definitionDifferences(URN, { ...wished, valueType: 'nummer' }, observed)).toEqual(['definition']);
  });
});
