const SIGN = 2n ** 63n;
const view = new DataView(new ArrayBuffer(8));

/** A 64-bit integer for each finite double, in the same order; zero has one. The engine's own floats have 32 bits. */
export function orderOf(value: number): bigint {
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigInt64(0);
  // negative doubles are ordered by size
  return bits < 0n ? bits ^ (SIGN - 1n) : bits;
}

export function numberOf(order: bigint): number {
  view.setBigInt64(0, order < 0n ? order ^ (SIGN - 1n) : order);
  return view.getFloat64(0);
}

/** 16 hex digits in the order of the numbers. */
export function hexOf(value: number): string {
  return (orderOf(value) + SIGN).toString(16).padStart(16, '0');
}

export function numberOfHex(hex: string): number {
  return numberOf(BigInt(`0x${hex}`) - SIGN);
}
