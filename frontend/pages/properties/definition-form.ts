import { type BreakingChange, compatibility } from '../../../model/compatibility.ts';
import type { Definition } from '../../../model/definition.ts';
import type { ValueType } from '../../../model/value-type.ts';
import { entityTypeNameOfUrn, valueTypeOf } from '../../../model/vocabulary.ts';
import { textOfValue, valueOfText } from '../catalogue/value-texts.ts';

/** A definition as its form has it: texts, and nothing absent. */
export interface DefinitionForm {
  readonly qualifiedName: string;
  readonly displayName: string;
  readonly description: string;
  readonly valueType: ValueType;
  readonly cardinality: 'SINGLE' | 'MULTIPLE';
  readonly entityTypes: readonly string[];
  /** Only listed values are allowed. */
  readonly isRestricted: boolean;
  readonly allowedValues: readonly AllowedValueForm[];
  /** Of value type urn: entity types that a value may name; none: any. */
  readonly allowedTypes: readonly string[];
  readonly immutable: boolean;
  readonly version: string;
}

export interface AllowedValueForm {
  readonly value: string;
  readonly description: string;
}

export const EMPTY_FORM: DefinitionForm = {
  qualifiedName: '',
  displayName: '',
  description: '',
  valueType: 'string',
  cardinality: 'SINGLE',
  entityTypes: ['dataset'],
  isRestricted: false,
  allowedValues: [],
  allowedTypes: [],
  immutable: false,
  version: '',
};

export function formOf(definition: Definition): DefinitionForm {
  return {
    qualifiedName: definition.qualifiedName,
    displayName: definition.displayName ?? '',
    description: definition.description ?? '',
    valueType: valueTypeOf(definition.valueType),
    cardinality: definition.cardinality ?? 'SINGLE',
    entityTypes: definition.entityTypes.map(entityTypeNameOfUrn),
    isRestricted: definition.allowedValues !== undefined,
    allowedValues: (definition.allowedValues ?? []).map(({ value, description }) => ({
      value: textOfValue(value),
      description: description ?? '',
    })),
    allowedTypes: definition.typeQualifier?.allowedTypes?.map(entityTypeNameOfUrn) ?? [],
    immutable: definition.immutable === true,
    version: definition.version ?? '',
  };
}

/**
 * The definition that a form says, to be sent.
 * @param previous what it was: of this all stays that the form does not show, and the URNs as they are written there.
 */
export function definitionOf(form: DefinitionForm, previous?: Definition): Definition {
  const {
    displayName: _,
    description: _d,
    allowedValues: _a,
    typeQualifier,
    immutable,
    version: _v,
    ...kept
  } = previous ?? ({} as Partial<Definition>);
  const { allowedTypes: _types, ...otherQualifiers } = typeQualifier ?? {};
  const allowedTypes =
    form.valueType === 'urn' && form.allowedTypes.length > 0 ? { allowedTypes: [...form.allowedTypes] } : {};
  const qualifier = { ...otherQualifiers, ...allowedTypes };
  const isSameType = previous !== undefined && valueTypeOf(previous.valueType) === form.valueType;
  return {
    ...kept,
    qualifiedName: form.qualifiedName.trim(),
    ...present('displayName', form.displayName.trim()),
    ...present('description', form.description.trim()),
    valueType: isSameType ? previous.valueType : form.valueType,
    cardinality: form.cardinality,
    entityTypes: [...form.entityTypes],
    ...(form.isRestricted
      ? { allowedValues: form.allowedValues.map((each) => allowedValueOf(each, form.valueType)) }
      : {}),
    ...(Object.keys(qualifier).length === 0 ? {} : { typeQualifier: qualifier }),
    ...(form.immutable || immutable !== undefined ? { immutable: form.immutable } : {}),
    ...present('version', form.version.trim()),
  };
}

/** What the change would break, for which a greater version is needed. */
export function breakingChanges(previous: Definition, form: DefinitionForm): readonly BreakingChange[] {
  return compatibility(previous, definitionOf(form, previous));
}

/** The field of the form that a violation's path is about, such as `allowedValues`; empty for the form as a whole. */
export function formFieldOf(path: string): string {
  const [, first = ''] = /^(?:value\.)?([A-Za-z]+)/u.exec(path) ?? [];
  return first === 'typeQualifier' ? 'allowedTypes' : first;
}

/** A version for now, in UTC: `20260131123000`. @param now ms since 1970 */
export function versionAt(now: number): string {
  return new Date(now).toISOString().replace(/\D/gu, '').slice(0, 14);
}

function allowedValueOf({ value, description }: AllowedValueForm, valueType: ValueType) {
  return { value: valueOfText(value, valueType), ...present('description', description.trim()) };
}

function present<K extends string>(name: K, text: string): { [key in K]?: string } {
  return text === '' ? {} : ({ [name]: text } as { [key in K]?: string });
}
