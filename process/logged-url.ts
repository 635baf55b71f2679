import { cut } from './text.ts';

/** A path or a parameter in the log is cut to so many characters; URNs are shorter. */
const LONGEST = 500;

/**
 * A request's path as the log has it. What follows the question mark is left out, because clients put tokens there;
 * parameters that are known to be none are logged beside, by `loggedQuery`.
 */
export function loggedUrl(url: unknown): string {
  const [path = '', query] = String(url).split('?', 2);
  return cut(path, LONGEST) + (query === undefined ? '' : '?…');
}

/** Of the parameters of a request those that its route has, cut. */
export function loggedQuery(query: unknown, known: Iterable<string>): Record<string, string> | undefined {
  const given = new Map(Object.entries(query ?? {}));
  const shown = [...known].filter((name) => given.get(name) !== undefined);
  if (shown.length === 0) return undefined;
  return Object.fromEntries(shown.map((name) => [name, cut(String(given.get(name)), LONGEST)]));
}
