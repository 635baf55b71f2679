import type { ValueType } from '../../../model/value-type.ts';

/** How a condition of the filter builder compares, by what GraphQL calls it. */
interface OperatorMeaning {
  readonly condition: string;
  readonly negated?: true;
  /** How many values it takes. */
  readonly values: 'none' | 'one' | 'several';
  readonly label: string;
  /** Of dates. */
  readonly dateLabel?: string;
}

const OPERATORS = {
  is: { condition: 'EQUAL', values: 'several', label: 'is' },
  not: { condition: 'EQUAL', negated: true, values: 'several', label: 'is not' },
  more: { condition: 'GREATER_THAN', values: 'one', label: 'is greater than', dateLabel: 'is after' },
  least: { condition: 'GREATER_THAN_OR_EQUAL_TO', values: 'one', label: 'is at least', dateLabel: 'is on or after' },
  less: { condition: 'LESS_THAN', values: 'one', label: 'is less than', dateLabel: 'is before' },
  most: { condition: 'LESS_THAN_OR_EQUAL_TO', values: 'one', label: 'is at most', dateLabel: 'is on or before' },
  contains: { condition: 'CONTAIN', values: 'one', label: 'contains' },
  starts: { condition: 'START_WITH', values: 'one', label: 'starts with' },
  ends: { condition: 'END_WITH', values: 'one', label: 'ends with' },
  exists: { condition: 'EXISTS', values: 'none', label: 'is there' },
  absent: { condition: 'EXISTS', negated: true, values: 'none', label: 'is not there' },
} as const satisfies Record<string, OperatorMeaning>;

export type Operator = keyof typeof OPERATORS;

export function isOperator(raw: unknown): raw is Operator {
  return typeof raw === 'string' && Object.hasOwn(OPERATORS, raw);
}

export function meaningOf(operator: Operator): OperatorMeaning {
  return OPERATORS[operator];
}

export function labelOf(operator: Operator, valueType: ValueType): string {
  const { label, dateLabel } = meaningOf(operator);
  return valueType === 'date' ? (dateLabel ?? label) : label;
}

/** Those that mean something for values of the type. */
export function operatorsFor(valueType: ValueType): readonly Operator[] {
  const ordered = valueType === 'number' || valueType === 'date';
  const between: Operator[] = ordered ? ['more', 'least', 'less', 'most'] : ['contains', 'starts', 'ends'];
  return ['is', 'not', ...between, 'exists', 'absent'];
}
