import type { Definition } from './definition.ts';
import { printTypedValue, typedValueKey } from './typed-value.ts';
import type { Violation } from './violation.ts';
import type { ViolationCode } from './violation-codes.ts';

/** Every way in which a new definition can break values that the old one allowed. Nothing else is a breaking change. */
export const BREAKING_CHANGES = [
  'value-type-changed',
  'cardinality-narrowed',
  'allowed-values-introduced',
  'allowed-value-removed',
] as const satisfies readonly ViolationCode[];

/** Refused unless the definition has a greater version; its path is a field of the definition. */
export interface BreakingChange extends Violation {
  readonly code: (typeof BREAKING_CHANGES)[number];
}

/** All breaking changes from one definition to the next, one entry for each removed value. */
export function compatibility(previous: Definition, next: Definition): BreakingChange[] {
  const changes: BreakingChange[] = [];
  if (previous.valueType !== next.valueType) {
    changes.push({
      code: 'value-type-changed',
      path: 'valueType',
      message: `Value type cannot be changed from ${previous.valueType} to ${next.valueType} without a greater version`,
    });
  }
  if (previous.cardinality === 'MULTIPLE' && next.cardinality !== 'MULTIPLE') {
    changes.push({
      code: 'cardinality-narrowed',
      path: 'cardinality',
      message: 'Property definition cardinality cannot be changed from MULTI to SINGLE without a greater version',
    });
  }
  return [...changes, ...allowedValueChanges(previous, next)];
}

/**
 * Why breaking changes are refused: all of them, unless the version is greater than all that the definition ever had.
 * @param greatest the greatest of those versions; absent: it never had one.
 */
export function refusedChanges(
  changes: readonly BreakingChange[],
  version: string | undefined,
  greatest: string | undefined,
): Violation[] {
  if (isGreaterVersion(version, greatest)) return [];
  const needed = greatest === undefined ? '' : ` (greater than ${greatest})`;
  return changes.map((change) => ({ ...change, message: `${change.message}${needed}` }));
}

/** Whether `version` may carry a breaking change after all the versions that the definition ever had. */
export function isGreaterVersion(version: string | undefined, greatest: string | undefined): boolean {
  return version !== undefined && (greatest === undefined || version > greatest);
}

function allowedValueChanges(previous: Definition, next: Definition): BreakingChange[] {
  const allowed = next.allowedValues;
  if (allowed === undefined) return [];
  const restriction = 'Cannot restrict values that were previously allowed';
  if (previous.allowedValues === undefined) {
    return [
      {
        code: 'allowed-values-introduced',
        path: 'allowedValues',
        message: `${restriction}: any value was allowed before; a greater version is needed`,
      },
    ];
  }
  const kept = new Set(allowed.map(({ value }) => typedValueKey(value)));
  return previous.allowedValues
    .filter(({ value }) => !kept.has(typedValueKey(value)))
    .map(({ value }) => ({
      code: 'allowed-value-removed' as const,
      path: 'allowedValues',
      message: `${restriction}: ${printTypedValue(value)} is missing; a greater version is needed`,
    }));
}
