import { MAX_ASPECT_DEPTH } from './limits.ts';
import { type Violation, violation } from './violation.ts';

/** What is wrong with an aspect that is nested too deep to go out and in again by every door. */
export function tooDeep(aspect: unknown): Violation[] {
  if (!isDeeperThan(aspect, MAX_ASPECT_DEPTH)) return [];
  return [violation('wrong-shape', '', `it is nested deeper than ${MAX_ASPECT_DEPTH} levels`)];
}

/** Whether objects and lists lie deeper inside one another than `limit`. Goes no deeper, whatever it is given. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((each) => isDeeperThan(each, limit - 1));
  for (const name in value) if (isDeeperThan((value as Record<string, unknown>)[name], limit - 1)) return true;
  return false;
}

/** Whether an object in a value has a member named `__proto__`. @param text the JSON of the value, if it was one. */
export function namesPrototype(text: string | undefined, value: unknown): boolean {
  // Few texts have the letters, or an escape that may stand for one.
  if (text !== undefined && !/__proto__|\\u00[57]/iu.test(text)) return false;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((each) => namesPrototype(undefined, each));
  return Object.entries(value).some(([name, inner]) => name === '__proto__' || namesPrototype(undefined, inner));
}
