import type { Criterion } from '../../../../model/access/policy.ts';

type Field = Criterion['field'];
type Condition = Criterion['condition'];

export const FIELDS: readonly { readonly value: Field; readonly label: string; readonly example: string }[] = [
  { value: 'TYPE', label: 'Type', example: 'dataset' },
  { value: 'URN', label: 'URN', example: 'urn:li:dataset:(urn:li:dataPlatform:hive,sales.' },
  { value: 'PLATFORM', label: 'Platform', example: 'urn:li:dataPlatform:hive' },
  { value: 'DOMAIN', label: 'Domain', example: 'urn:li:domain:sales' },
];

export const CONDITIONS: readonly { readonly value: Condition; readonly label: string }[] = [
  { value: 'EQUALS', label: 'is' },
  { value: 'STARTS_WITH', label: 'starts with' },
];

export function fieldLabel(field: Field): string {
  return FIELDS.find(({ value }) => value === field)?.label ?? field;
}

export function conditionLabel(condition: Condition): string {
  return CONDITIONS.find(({ value }) => value === condition)?.label ?? condition;
}
