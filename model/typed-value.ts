/** A value as the interface writes it: exactly one of `string` and `double`. */
export type TypedValue = { readonly string: string } | { readonly double: number };

/** Equal as typed values: `{string: "30"}` does not equal `{double: 30}`. */
export function sameTypedValue(one: TypedValue, other: TypedValue): boolean {
  if ('double' in one) return 'double' in other && one.double === other.double;
  return 'string' in other && one.string === other.string;
}

/** A text that two values share exactly when they are the same typed value. */
export function typedValueKey(value: TypedValue): string {
  return 'double' in value ? `d:${value.double}` : `s:${value.string}`;
}

export function sameTypedValues(some: readonly TypedValue[], others: readonly TypedValue[]): boolean {
  return some.length === others.length && some.every((value, index) => sameTypedValue(value, others[index]!));
}

/** As the reference catalogue prints a value in its messages, which clients match on: `{string=baz}`. */
export function printTypedValue(value: TypedValue): string {
  return 'double' in value ? `{double=${printDouble(value.double)}}` : `{string=${value.string}}`;
}

/** A double as decimal text with at least one decimal: `30.0`, as the reference catalogue prints numbers. */
export function printDouble(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}
