import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { breakingChanges, schemaChanges } from '../../generate/crds/breaking-changes.ts';
import {
  type CustomResourceDefinition,
  customResourceDefinition,
} from '../../generate/crds/custom-resource-definition.ts';
import type { StructuralSchema } from '../../generate/crds/structural-schema.ts';
import { RESOURCE_KINDS } from '../../model/resource/identity.ts';

const TEXT = { type: 'string' };
const LIST = { type: 'array', items: TEXT };

function changes(before: object, after: object): string[] {
  return schemaChanges('v1', before as StructuralSchema, after as StructuralSchema);
}

function object(properties: object, more: object = {}) {
  return { type: 'object', properties, ...more };
}

describe('a change of a schema', () => {
  it.each<[string, object, object, string]>([
    ['a removed field', object({ a: TEXT, b: TEXT }), object({ b: TEXT }), 'v1.a: is no more'],
    ['another type', object({ a: TEXT }), object({ a: LIST }), 'v1.a: type was "string", is "array"'],
    [
      'a field that is required now',
      object({ a: TEXT }),
      object({ a: TEXT }, { required: ['a'] }),
      'v1.a: is required now',
    ],
    ['a new required field', object({}), object({ a: TEXT }, { required: ['a'] }), 'v1.a: is required now'],
    ['a lower upper bound', { ...TEXT, maxLength: 9 }, { ...TEXT, maxLength: 8 }, 'v1: maxLength was 9, is 8'],
    ['a new upper bound', LIST, { ...LIST, maxItems: 8 }, 'v1: maxItems was absent, is 8'],
    ['a higher lower bound', { ...TEXT, minLength: 0 }, { ...TEXT, minLength: 1 }, 'v1: minLength was 0, is 1'],
    ['a new lower bound', { type: 'integer' }, { type: 'integer', minimum: 0 }, 'v1: minimum was absent, is 0'],
    ['a value of an enum less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'v1: enum was ["a","b"], is ["a"]'],
    ['a new enum', TEXT, { ...TEXT, enum: ['a'] }, 'v1: enum was absent, is ["a"]'],
    ['a new pattern', TEXT, { ...TEXT, pattern: 'a' }, 'v1: pattern was absent, is "a"'],
    ['another pattern', { pattern: 'a' }, { pattern: 'b' }, 'v1: pattern was "a", is "b"'],
    ['a new format', TEXT, { ...TEXT, format: 'date' }, 'v1: format was absent, is "date"'],
    ['another default', { ...TEXT, default: 'a' }, { ...TEXT, default: 'b' }, 'v1: default was "a", is "b"'],
    ['a default less', { ...TEXT, default: 'a' }, TEXT, 'v1: default was "a", is absent'],
    [
      'a new rule of CEL',
      { 'x-kubernetes-validations': [{ rule: 'a' }] },
      { 'x-kubernetes-validations': [{ rule: 'a' }, { rule: 'b' }] },
      'v1: there is a new rule, b',
    ],
    [
      'items that are told apart by something else',
      { ...LIST, 'x-kubernetes-list-type': 'set' },
      LIST,
      'v1: x-kubernetes-list-type was "set", is absent',
    ],
    ['what is inside a list', LIST, { ...LIST, items: { ...TEXT, maxLength: 1 } }, 'v1[]: maxLength was absent, is 1'],
  ])('breaks with %s', (_what, before, after, told) => {
    expect(changes(before, after)).toEqual([told]);
  });

  it.each<[string, object, object]>([
    ['a new optional field', object({}), object({ a: { ...TEXT, maxLength: 1, default: 'x' } })],
    ['a field that is optional now', object({ a: TEXT }, { required: ['a'] }), object({ a: TEXT })],
    ['wider bounds', { minLength: 1, maxLength: 8, minItems: 1, maxItems: 2 }, { minLength: 0, maxLength: 9 }],
    ['more values of an enum', { enum: ['a'] }, { enum: ['b', 'a'] }],
    ['an enum, a pattern and a format less', { enum: ['a'], pattern: 'a', format: 'date' }, {}],
    ['a rule less', { 'x-kubernetes-validations': [{ rule: 'a' }] }, {}],
    [
      'another message',
      { 'x-kubernetes-validations': [{ rule: 'a', message: 'x' }], description: 'x' },
      { 'x-kubernetes-validations': [{ rule: 'a', message: 'y' }], description: 'y' },
    ],
  ])('does not break with %s', (_what, before, after) => {
    expect(changes(before, after)).toEqual([]);
  });
});

const crd = fc.constantFrom(...RESOURCE_KINDS).map(customResourceDefinition);

describe('a change of a CRD', () => {
  it('is none without a change', () => {
    fc.assert(fc.property(crd, (one) => breakingChanges(one, structuredClone(one)).length === 0));
  });

  it('breaks with each field that goes, however deep', () => {
    fc.assert(
      fc.property(crd, fc.nat(), (one, choice) => {
        const next = structuredClone(one);
        const places = fieldsOf(schemaOf(next));
        const [parent, name] = places[choice % places.length]!;
        delete parent[name];
        expect(breakingChanges(one, next)).toEqual([expect.stringMatching(`\\.${name}: is no more$`)]);
      }),
    );
  });

  it('breaks with names, versions, subresources and selectable fields that go', () => {
    const one = customResourceDefinition('StructuredProperty');
    const { names, versions } = one.spec;
    const [version] = versions;
    const told = (spec: object) => breakingChanges(one, { ...one, spec: { ...one.spec, ...spec } });
    expect(told({ names: { ...names, shortNames: [] } })).toEqual(['names.shortNames: sprop is no more']);
    expect(told({ names: { ...names, plural: 'props' } })).toEqual(['names.plural: structuredproperties is no more']);
    expect(told({ scope: 'Cluster' })).toEqual(['scope: was Namespaced, is Cluster']);
    expect(told({ versions: [{ ...version, served: false }] })).toEqual(['v1alpha1: is not served any more']);
    expect(told({ versions: [{ ...version, subresources: {} }] })).toEqual([
      'v1alpha1: the subresource status is no more',
    ]);
    expect(told({ versions: [{ ...version, selectableFields: version?.selectableFields?.slice(1) }] })).toEqual([
      'v1alpha1: .spec.qualifiedName cannot be selected by any more',
    ]);
    expect(told({ versions: [version, { ...version, name: 'v1beta1' }] })).toEqual([]);
  });
});

function schemaOf({ spec }: CustomResourceDefinition): StructuralSchema {
  return spec.versions[0]!.schema.openAPIV3Schema;
}

function fieldsOf(schema: StructuralSchema): [Record<string, unknown>, string][] {
  const fields = Object.entries(schema.properties ?? {});
  return [
    ...fields.map(([name]): [Record<string, unknown>, string] => [schema.properties as Record<string, unknown>, name]),
    ...fields.flatMap(([, field]) => fieldsOf(field)),
    ...(schema.items === undefined ? [] : fieldsOf(schema.items)),
  ];
}
