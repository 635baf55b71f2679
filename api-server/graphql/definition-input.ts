import type { Definition } from '../../model/definition.ts';
import type { EntityDraft, Stamp } from '../../model/entity/draft.ts';
import { accepted, type Checked, refused } from '../../model/shape.ts';
import { type TypedValue, typedValueKey } from '../../model/typed-value.ts';
import { violation } from '../../model/violation.ts';
import { CatalogError } from '../catalog/errors.ts';

/** Inputs of the mutations on definitions, turned into the aspects that they mean. Every field may be null. */

type Maybe<T> = T | null | undefined;

export interface ValueInput {
  readonly stringValue?: Maybe<string>;
  readonly numberValue?: Maybe<number>;
}

interface AllowedValueInput extends ValueInput {
  readonly description?: Maybe<string>;
}

interface CommonInput {
  readonly displayName?: Maybe<string>;
  readonly description?: Maybe<string>;
  readonly immutable?: Maybe<boolean>;
  readonly allowedValues?: Maybe<readonly AllowedValueInput[]>;
  readonly version?: Maybe<string>;
  readonly settings?: Maybe<Readonly<Record<string, boolean | null>>>;
  readonly filterStatus?: Maybe<'ENABLED' | 'DISABLED'>;
}

export interface CreateInput extends CommonInput {
  readonly id?: Maybe<string>;
  readonly qualifiedName?: Maybe<string>;
  readonly valueType: string;
  readonly typeQualifier?: Maybe<{ readonly allowedTypes?: Maybe<readonly string[]> }>;
  readonly cardinality?: Maybe<'SINGLE' | 'MULTIPLE'>;
  readonly entityTypes: readonly string[];
}

export interface UpdateInput extends CommonInput {
  readonly urn: string;
  readonly typeQualifier?: Maybe<{ readonly newAllowedTypes?: Maybe<readonly string[]> }>;
  readonly newAllowedValues?: Maybe<readonly AllowedValueInput[]>;
  readonly setCardinalityAsMultiple?: Maybe<boolean>;
  readonly newEntityTypes?: Maybe<readonly string[]>;
  readonly newAllowedPlatforms?: Maybe<readonly string[]>;
}

type Aspects = Record<string, Record<string, unknown>>;

/** The aspects of a new property. */
export function newDefinition(input: CreateInput, qualifiedName: string, stamp: Stamp): Aspects {
  const { valueType, cardinality, entityTypes, typeQualifier } = input;
  const allowedTypes = typeQualifier?.allowedTypes;
  const settings = settingsOf(input);
  return {
    propertyDefinition: {
      qualifiedName,
      valueType,
      entityTypes,
      ...commonFields(input),
      ...(cardinality == null ? {} : { cardinality }),
      ...(allowedTypes == null ? {} : { typeQualifier: { allowedTypes } }),
      created: stamp,
      lastModified: stamp,
    },
    ...(settings === undefined ? {} : { structuredPropertySettings: settings }),
  };
}

/** The aspects of a property after an update: values and types are added, the rest is replaced where it is given. */
export function widenedDefinition(
  input: UpdateInput,
  current: EntityDraft | undefined,
  stamp: Stamp,
): Checked<Aspects> {
  const definition = current?.aspects.propertyDefinition?.value as Definition | undefined;
  if (definition === undefined) return refused(violation('unknown-property', '', `${input.urn} has no definition`));
  if (input.allowedValues && input.newAllowedValues) {
    throw new CatalogError('malformed', 'allowedValues and newAllowedValues: give one of them');
  }
  const settings = settingsOf(input);
  const before = current?.aspects.structuredPropertySettings?.value;
  return accepted({
    propertyDefinition: {
      ...definition,
      ...commonFields(input),
      ...addedValues(definition, input.newAllowedValues),
      ...added('entityTypes', definition.entityTypes, input.newEntityTypes),
      ...added('allowedPlatforms', definition.allowedPlatforms, input.newAllowedPlatforms),
      ...addedTypes(definition, input.typeQualifier?.newAllowedTypes),
      ...(input.setCardinalityAsMultiple === true ? { cardinality: 'MULTIPLE' } : {}),
      created: definition.created ?? stamp,
      lastModified: stamp,
    },
    ...(settings === undefined ? {} : { structuredPropertySettings: { ...before, ...settings } }),
  });
}

function commonFields({ displayName, description, immutable, allowedValues, version }: CommonInput) {
  const given = Object.entries({ displayName, description, immutable, version }).filter(([, value]) => value != null);
  return { ...Object.fromEntries(given), ...(allowedValues == null ? {} : { allowedValues: allowed(allowedValues) }) };
}

function settingsOf({ settings, filterStatus }: CommonInput): Record<string, unknown> | undefined {
  if (settings == null && filterStatus == null) return undefined;
  const shown = filterStatus == null ? {} : { showInSearchFilters: filterStatus === 'ENABLED' };
  const given = Object.entries(settings ?? {}).filter(([, value]) => value !== null);
  return { ...shown, ...Object.fromEntries(given) };
}

function allowed(inputs: readonly AllowedValueInput[], field = 'allowedValues') {
  return inputs.map((input, index) => ({
    value: typedValue(input, `${field}[${index}]`),
    ...(input.description == null ? {} : { description: input.description }),
  }));
}

/** @param place names it in the message. @throws CatalogError when it is not exactly one kind of value. */
export function typedValue({ stringValue, numberValue }: ValueInput, place: string): TypedValue {
  if (stringValue != null && numberValue == null) return { string: stringValue };
  if (numberValue != null && stringValue == null) return { double: numberValue };
  throw new CatalogError('malformed', `${place}: exactly one of stringValue and numberValue is needed`);
}

function addedValues({ allowedValues = [] }: Definition, inputs: Maybe<readonly AllowedValueInput[]>) {
  if (inputs == null) return {};
  const known = new Set(allowedValues.map(({ value }) => typedValueKey(value)));
  const fresh = allowed(inputs, 'newAllowedValues').filter(({ value }) => !known.has(typedValueKey(value)));
  return { allowedValues: [...allowedValues, ...fresh] };
}

function added(field: string, before: readonly string[] = [], more: Maybe<readonly string[]>) {
  return more == null ? {} : { [field]: [...new Set([...before, ...more])] };
}

function addedTypes({ typeQualifier }: Definition, more: Maybe<readonly string[]>) {
  if (more == null) return {};
  return { typeQualifier: { ...typeQualifier, ...added('allowedTypes', typeQualifier?.allowedTypes, more) } };
}
