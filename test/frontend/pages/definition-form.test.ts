import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  breakingChanges,
  definitionOf,
  EMPTY_FORM,
  formFieldOf,
  formOf,
  versionAt,
} from '../../../frontend/pages/properties/definition-form.ts';
import { type Definition, parseDefinition } from '../../../model/definition.ts';
import { parseUrn } from '../../../model/urn.ts';
import { VALUE_TYPES } from '../../../model/value-type.ts';

const DEFINITION: Definition = {
  qualifiedName: 'com.example.days',
  displayName: 'Days',
  description: 'How long',
  valueType: 'urn:li:dataType:datahub.number',
  cardinality: 'MULTIPLE',
  entityTypes: ['urn:li:entityType:datahub.dataset'],
  allowedValues: [{ value: { double: 30 }, description: 'short' }, { value: { double: 365 } }],
  allowedPlatforms: ['urn:li:dataPlatform:s3'],
  immutable: false,
  version: '20260101000000',
};

function parsed(definition: unknown, name = 'com.example.days') {
  return parseDefinition(definition, parseUrn(`urn:li:structuredProperty:${name}`), 'datahub');
}

describe('a definition and its form', () => {
  it('are the same for the server when nothing is changed, also what the form does not show', () => {
    expect(parsed(definitionOf(formOf(DEFINITION), DEFINITION))).toEqual({ ok: true, value: DEFINITION });
  });

  it('are the same for any form', () => {
    const form = fc.record({
      qualifiedName: fc.constant('com.example.days'),
      displayName: fc.stringMatching(/^\S{1,5}$/u),
      description: fc.stringMatching(/^\S{0,5}$/u),
      valueType: fc.constantFrom(...VALUE_TYPES.filter((type) => type !== 'number')),
      cardinality: fc.constantFrom('SINGLE' as const, 'MULTIPLE' as const),
      entityTypes: fc.subarray(['dataset', 'dataFlow', 'schemaField']),
      isRestricted: fc.constant(false),
      allowedValues: fc.constant([]),
      allowedTypes: fc.constant([]),
      immutable: fc.boolean(),
      version: fc.constantFrom('', '20260101000000'),
    });
    fc.assert(fc.property(form, (sent) => expect(formOf(definitionOf(sent) as Definition)).toEqual(sent)));
  });

  it('drop the list of allowed values when any value is to be allowed', () => {
    const form = { ...formOf(DEFINITION), isRestricted: false };
    expect(definitionOf(form, DEFINITION)).not.toHaveProperty('allowedValues');
  });

  it('name the types that a URN may be of for URNs only', () => {
    const form = { ...EMPTY_FORM, qualifiedName: 'a', allowedTypes: ['corpuser'] };
    expect(definitionOf({ ...form, valueType: 'urn' })).toMatchObject({
      typeQualifier: { allowedTypes: ['corpuser'] },
    });
    expect(definitionOf(form)).not.toHaveProperty('typeQualifier');
  });

  it('send a value that is no number as it is, for the server to refuse at its place', () => {
    const form = { ...formOf(DEFINITION), allowedValues: [{ value: 'many', description: '' }] };
    const answer = parsed(definitionOf(form, DEFINITION));
    expect(answer).toMatchObject({ ok: false, violations: [{ path: 'allowedValues[0].value' }] });
  });
});

describe('breakingChanges', () => {
  it.each([
    ['another type', { valueType: 'string' as const }, 'value-type-changed'],
    ['one value instead of several', { cardinality: 'SINGLE' as const }, 'cardinality-narrowed'],
    ['a value less', { allowedValues: [{ value: '30', description: '' }] }, 'allowed-value-removed'],
  ])('tells of %s', (_, change, code) => {
    const codes = breakingChanges(DEFINITION, { ...formOf(DEFINITION), ...change }).map((each) => each.code);
    expect(codes).toContain(code);
  });

  it('is silent about a value more', () => {
    const form = formOf(DEFINITION);
    const allowedValues = [...form.allowedValues, { value: '90', description: '' }];
    expect(breakingChanges(DEFINITION, { ...form, allowedValues })).toEqual([]);
  });
});

describe('formFieldOf', () => {
  it.each([
    ['allowedValues[2].value', 'allowedValues'],
    ['cardinality', 'cardinality'],
    ['typeQualifier.allowedTypes[0]', 'allowedTypes'],
    ['', ''],
  ])('finds the field of %j', (path, field) => expect(formFieldOf(path)).toBe(field));
});

describe('versionAt', () => {
  it('is the moment in 14 digits', () => {
    expect(versionAt(Date.UTC(2026, 0, 31, 12, 30, 5))).toBe('20260131123005');
  });
});
