import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  entityTypesOfDefinition,
  parseDefinition,
  valueRuleOf,
  valueTypeOfDefinition,
} from '../../model/definition.ts';
import { parseUrn, structuredPropertyUrn } from '../../model/urn.ts';
import type { Violation } from '../../model/violation.ts';
import { definitionOf, someDefinition } from '../harness/definitions.ts';

const urn = parseUrn(structuredPropertyUrn('io.acme.retention'));
const minimal = {
  qualifiedName: 'io.acme.retention',
  valueType: 'urn:li:dataType:datahub.number',
  entityTypes: ['urn:li:entityType:datahub.dataset'],
};

function accepted(rest: object, namespaceWord = 'datahub') {
  const checked = parseDefinition({ ...minimal, ...rest }, urn, namespaceWord);
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
  return checked.value;
}

function violations(body: unknown): Violation[] {
  const checked = parseDefinition(body, urn, 'datahub');
  return checked.ok ? [] : checked.violations;
}

const refused = (rest: object) => violations({ ...minimal, ...rest });

describe('a definition', () => {
  it('is returned with what was sent and nothing more', () => {
    expect(accepted({})).toEqual(minimal);
    const whole = {
      ...minimal,
      displayName: 'Retention',
      description: 'How long',
      cardinality: 'SINGLE',
      allowedValues: [{ value: { double: 30 }, description: 'a month' }, { value: { double: 365 } }],
      allowedPlatforms: ['urn:li:dataPlatform:hive'],
      immutable: false,
      version: '20240614080000',
      searchConfiguration: { fieldType: 'KEYWORD' },
      created: { time: 1, actor: 'urn:li:corpuser:ada', message: 'first' },
      lastModified: { time: 2, actor: 'urn:li:corpuser:ada' },
    };
    expect(accepted(whole)).toEqual(whole);
  });

  it.each([
    'number',
    'NUMBER',
    'datahub.number',
    'urn:li:dataType:number',
    'urn:li:dataType:NUMBER',
    'urn:li:dataType:datahub.Number',
    'URN:LI:dataType:datahub.number',
  ])('has the canonical value type for "%s"', (valueType) => {
    expect(accepted({ valueType }).valueType).toBe('urn:li:dataType:datahub.number');
  });

  it.each(['string', 'number', 'date', 'rich_text', 'urn'] as const)('may be of type %s', (valueType) => {
    expect(valueTypeOfDefinition(accepted({ valueType }))).toBe(valueType);
  });

  it.each([
    'dataset',
    'DATASET',
    'datahub.dataset',
    'urn:li:entityType:datahub.dataset',
    'urn:li:entityType:datahub.DataSet',
  ])('has the canonical entity type for "%s"', (entityType) => {
    expect(accepted({ entityTypes: [entityType] }).entityTypes).toEqual(['urn:li:entityType:datahub.dataset']);
  });

  it('keeps the order of its entity types, and may have none', () => {
    const definition = accepted({ entityTypes: ['schemafield', 'dataflow', 'dataset'] });
    expect(entityTypesOfDefinition(definition)).toEqual(['schemaField', 'dataFlow', 'dataset']);
    expect(accepted({ entityTypes: [] }).entityTypes).toEqual([]);
  });

  it('uses another namespace word when the server is set to one', () => {
    const definition = accepted({ valueType: 'acme.date', entityTypes: ['urn:li:entityType:acme.chart'] }, 'acme');
    expect(definition.valueType).toBe('urn:li:dataType:acme.date');
    expect(definition.entityTypes).toEqual(['urn:li:entityType:acme.chart']);
    expect(parseDefinition({ ...minimal, entityTypes: [] }, urn, 'acme')).toMatchObject({ ok: false });
  });

  it('has allowed values in the form in which values are stored', () => {
    const allowedValues = [{ value: { string: '30' } }, { value: { double: -0 } }];
    expect(accepted({ allowedValues }).allowedValues).toEqual([{ value: { double: 30 } }, { value: { double: 0 } }]);
    expect(accepted({ allowedValues: [] }).allowedValues).toEqual([]);
  });

  it('says which entity types a URN may name', () => {
    const typeQualifier = { allowedTypes: ['corpuser', 'urn:li:entityType:datahub.corpGroup'] };
    const definition = accepted({ valueType: 'urn', typeQualifier });
    expect(definition.typeQualifier?.allowedTypes).toEqual([
      'urn:li:entityType:datahub.corpuser',
      'urn:li:entityType:datahub.corpGroup',
    ]);
    expect(valueRuleOf(definition)).toEqual({ valueType: 'urn', allowedTypes: ['corpuser', 'corpGroup'] });
    expect(valueRuleOf(accepted({}))).toEqual({ valueType: 'number' });
  });

  it('takes fields that are null for absent', () => {
    expect(accepted({ description: null, version: null, cardinality: null })).toEqual(minimal);
  });

  it('in canonical form is its own canonical form', () => {
    fc.assert(
      fc.property(someDefinition, (definition) => {
        expect(definitionOf(definition)).toEqual(definition);
      }),
    );
  });
});

describe('a definition is refused', () => {
  it.each([
    ['no object', 'x', ''],
    ['null', null, ''],
    ['a list', [], ''],
    ['nothing', undefined, ''],
    ['an empty name', { ...minimal, qualifiedName: '' }, 'qualifiedName'],
    ['a name that is no string', { ...minimal, qualifiedName: 1 }, 'qualifiedName'],
    ['a cardinality of its own', { ...minimal, cardinality: 'MANY' }, 'cardinality'],
    ['entity types that are no list', { ...minimal, entityTypes: 'dataset' }, 'entityTypes'],
    ['an allowed value that is bare', { ...minimal, allowedValues: [30] }, 'allowedValues[0]'],
    [
      'an allowed value of two types',
      { ...minimal, allowedValues: [{ value: { double: 1, string: '1' } }] },
      'allowedValues[0].value',
    ],
    ['an immutable that is a text', { ...minimal, immutable: 'yes' }, 'immutable'],
    ['a version that is a number', { ...minimal, version: 20240614080000 }, 'version'],
    ['an audit stamp without a time', { ...minimal, created: { actor: 'urn:li:corpuser:ada' } }, 'created.time'],
  ])('for %s', (_what, body, path) => {
    expect(violations(body).map((each) => each.path)).toContain(path);
  });

  it('without the fields that it needs, each named', () => {
    expect(violations({}).map(({ path }) => path)).toEqual(['qualifiedName', 'valueType', 'entityTypes']);
  });

  it('for a field that it does not know, named at its place', () => {
    expect(refused({ filterStatus: 'ENABLED' })).toEqual([
      { code: 'unknown-field', path: '', message: 'unknown field "filterStatus"', field: 'filterStatus' },
    ]);
    expect(refused({ allowedValues: [{ value: { double: 1 }, label: 'x' }] })).toEqual([
      { code: 'unknown-field', path: 'allowedValues[0]', message: 'unknown field "label"', field: 'label' },
    ]);
  });

  it.each([
    '2024061408000',
    '202406140800001',
    '2024-06-14T08:00',
    'v1',
    '',
    '２０２４０６１４０８００００',
    '2024061408000x',
  ])('for the version "%s"', (version) => {
    expect(refused({ version })).toEqual([
      {
        code: 'invalid-version',
        path: 'version',
        message: expect.stringContaining('Invalid version specified. Must match [0-9]{14}'),
      },
    ]);
  });

  it('for a name that is not the one in the URN', () => {
    expect(refused({ qualifiedName: 'io.acme.other' })).toEqual([
      {
        code: 'immutable-name',
        path: 'qualifiedName',
        message: expect.stringContaining('Cannot change the fully qualified name'),
      },
    ]);
  });

  it('for a name with blanks', () => {
    const named = parseUrn('urn:li:structuredProperty:io.acme retention');
    const checked = parseDefinition({ ...minimal, qualifiedName: 'io.acme retention' }, named, 'datahub');
    expect(checked).toEqual({
      ok: false,
      violations: [
        { code: 'invalid-name', path: '', message: 'Urn ID cannot have spaces' },
        { code: 'invalid-name', path: 'qualifiedName', message: 'Fully qualified name cannot have spaces' },
      ],
    });
  });

  it.each(['boolean', 'urn:li:dataType:datahub.json', 'urn:li:entityType:datahub.number', 'datahub', '', 'numbers'])(
    'for the data type "%s"',
    (valueType) => {
      expect(refused({ valueType })).toEqual([
        { code: 'unknown-data-type', path: 'valueType', message: `unknown data type ${valueType}` },
      ]);
    },
  );

  it.each([
    'table',
    '',
    'urn:li:entityType:dataset',
    'urn:li:dataType:datahub.dataset',
    'urn:li:entityType:other.dataset',
  ])('for the entity type "%s"', (entityType) => {
    expect(refused({ entityTypes: ['dataset', entityType] })).toEqual([
      { code: 'unknown-entity-type', path: 'entityTypes[1]', message: `unknown entity type ${entityType}` },
    ]);
  });

  it('for allowed types that are no entity types', () => {
    expect(refused({ valueType: 'urn', typeQualifier: { allowedTypes: ['person'] } })).toEqual([
      { code: 'unknown-entity-type', path: 'typeQualifier.allowedTypes[0]', message: 'unknown entity type person' },
    ]);
  });

  it('for allowed values that a value could never be', () => {
    expect(refused({ allowedValues: [{ value: { double: 1 } }, { value: { string: 'many' } }] })).toEqual([
      { code: 'wrong-type', path: 'allowedValues[1].value', message: 'value: {string=many} should be a number' },
    ]);
    expect(refused({ valueType: 'date', allowedValues: [{ value: { string: '2023-02-29' } }] })).toHaveLength(1);
    expect(refused({ valueType: 'string', allowedValues: [{ value: { double: 1 } }] })).toHaveLength(1);
  });

  it('with all that is wrong named at once', () => {
    const found = refused({
      qualifiedName: 'other name',
      version: '1',
      valueType: 'money',
      entityTypes: ['table', 'dataset', 'view'],
      typeQualifier: { allowedTypes: ['person'] },
    });
    expect(found.map(({ path }) => path)).toEqual([
      'qualifiedName',
      'qualifiedName',
      'version',
      'valueType',
      'entityTypes[0]',
      'entityTypes[2]',
      'typeQualifier.allowedTypes[0]',
    ]);
  });
});
