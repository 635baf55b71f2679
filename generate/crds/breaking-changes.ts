import type { CrdVersion, CustomResourceDefinition } from './custom-resource-definition.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * Everything in a new CRD by which a manifest, a program or a command that went well with the old one could fail. New
 * optional fields, wider bounds and other words are none.
 * @returns sentences that begin with the place.
 */
export function breakingChanges(before: CustomResourceDefinition, after: CustomResourceDefinition): string[] {
  return [
    ...namesLost(before, after),
    ...before.spec.versions.filter(({ served }) => served).flatMap((version) => versionChanges(version, after)),
  ];
}

function namesLost({ spec: before }: CustomResourceDefinition, { spec: after }: CustomResourceDefinition): string[] {
  const changed = (['group', 'scope'] as const).filter((field) => before[field] !== after[field]);
  const lost = Object.entries(before.names).flatMap(([field, names]) => {
    const now = [after.names[field] ?? []].flat();
    return [names].flat().flatMap((name) => (now.includes(name) ? [] : [`names.${field}: ${name} is no more`]));
  });
  return [...changed.map((field) => `${field}: was ${before[field]}, is ${after[field]}`), ...lost];
}

function versionChanges(before: CrdVersion, { spec }: CustomResourceDefinition): string[] {
  const after = spec.versions.find(({ name, served }) => name === before.name && served);
  if (after === undefined) return [`${before.name}: is not served any more`];
  const fields = after.selectableFields?.map(({ jsonPath }) => jsonPath) ?? [];
  const unselectable = (before.selectableFields ?? []).filter(({ jsonPath }) => !fields.includes(jsonPath));
  const subresources = Object.keys(before.subresources ?? {}).filter((name) => !(name in (after.subresources ?? {})));
  return [
    ...unselectable.map(({ jsonPath }) => `${before.name}: ${jsonPath} cannot be selected by any more`),
    ...subresources.map((name) => `${before.name}: the subresource ${name} is no more`),
    ...schemaChanges(before.name, before.schema.openAPIV3Schema, after.schema.openAPIV3Schema),
  ];
}

const UPPER = ['maxLength', 'maxItems', 'maximum'];
const LOWER = ['minLength', 'minItems', 'minimum'];
/** Another text may refuse what the old one accepted; whether it does cannot be told. */
const CONDITIONS = ['pattern', 'format'];
const MEANINGS = [
  'type',
  'default',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-preserve-unknown-fields',
];

/** What may be refused now, or reads in another way, in this place and below. */
export function schemaChanges(path: string, before: StructuralSchema, after: StructuralSchema | undefined): string[] {
  if (after === undefined) return [`${path}: is no more`];
  const told = (keyword: string) => `${path}: ${keyword} was ${print(before[keyword])}, is ${print(after[keyword])}`;
  const compare = (keywords: readonly string[], isBreaking: (one: unknown, other: unknown) => boolean) =>
    keywords.filter((keyword) => isBreaking(before[keyword], after[keyword])).map(told);
  const required = (after.required ?? []).filter((name) => !before.required?.includes(name));
  return [
    ...compare(MEANINGS, (one, other) => print(one) !== print(other)),
    ...compare(CONDITIONS, (one, other) => other !== undefined && one !== other),
    ...compare(UPPER, (one, other) => other !== undefined && !(Number(one) <= Number(other))),
    ...compare(LOWER, (one, other) => other !== undefined && !(Number(one) >= Number(other))),
    ...compare(['enum'], (one, other) => other !== undefined && !includesAll(other, one)),
    ...required.map((name) => `${path}.${name}: is required now`),
    ...newRules(path, before, after),
    ...(before.items === undefined ? [] : schemaChanges(`${path}[]`, before.items, after.items)),
    ...Object.entries(before.properties ?? {}).flatMap(([name, field]) =>
      schemaChanges(`${path}.${name}`, field, after.properties?.[name]),
    ),
  ];
}

/** Without the old list everything was possible. */
function includesAll(values: unknown, needed: unknown): boolean {
  return Array.isArray(needed) && needed.every((value) => (values as unknown[]).includes(value));
}

function newRules(path: string, before: StructuralSchema, after: StructuralSchema): string[] {
  const known = rulesOf(before);
  return rulesOf(after).flatMap((rule) => (known.includes(rule) ? [] : [`${path}: there is a new rule, ${rule}`]));
}

function rulesOf(schema: StructuralSchema): string[] {
  const rules = (schema['x-kubernetes-validations'] ?? []) as readonly { readonly rule: string }[];
  return rules.map(({ rule }) => rule);
}

function print(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
