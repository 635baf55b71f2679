import { isObject } from '../../../model/shape.ts';

/** By what the parts of a list are known, whatever else of them has changed. */
const IDENTITIES = ['propertyRef', 'fieldPath', 'value'] as const;

/**
 * Whether something is missing in the later form of a resource, as in a file that is still being written: a field, a part
 * of a list, the end of a text. Another value in the place of one is a change, and takes nothing away.
 */
export function takesAway(before: unknown, after: unknown): boolean {
  if (Array.isArray(before)) return !Array.isArray(after) || shrinks(before, after);
  if (isObject(before)) {
    return !isObject(after) || Object.entries(before).some(([name, value]) => takesAway(value, after[name]));
  }
  if (before === undefined || before === after) return false;
  return after === undefined || String(before).startsWith(String(after));
}

function shrinks(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (after.length < before.length) return true;
  if (before.length === 1 && after.length === 1 && !isObject(before[0])) return takesAway(before[0], after[0]);
  const found = new Map(after.map((part) => [identityOf(part), part]));
  return before.some((part) => takesAway(part, found.get(identityOf(part))));
}

function identityOf(part: unknown): string {
  const name = isObject(part) ? IDENTITIES.find((one) => part[one] !== undefined) : undefined;
  return JSON.stringify(name === undefined || !isObject(part) ? part : part[name]);
}
