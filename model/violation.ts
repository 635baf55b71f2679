import { MAX_VIOLATIONS } from './limits.ts';
import type { ViolationCode } from './violation-codes.ts';

/** One rule that an input breaks, and where. Checks return all of them; nothing is thrown half-way. */
export interface Violation {
  readonly code: ViolationCode;
  /** Where in the input, dotted, such as `properties[2].values[0]`; empty for the input as a whole. */
  readonly path: string;
  /** A sentence for a person; some fragments are what clients of the reference catalogue match on. */
  readonly message: string;
  /** The name of a field that there is not: for who can tell its line. */
  readonly field?: string;
  /** So many more of its kind were counted and not described: it is the last that a list of violations had room for. */
  readonly more?: number;
}

export function violation(code: ViolationCode, path: string, message: string): Violation {
  return { code, path, message };
}

/** The path of what a violation is best shown at: an unknown field is reported for what it is in. */
export function pointedAt({ path, field }: Violation): string {
  return field === undefined ? path : path === '' ? field : `${path}.${field}`;
}

/** Adds a violation to those that a check has found; beyond {@link MAX_VIOLATIONS} it is only counted. */
export function addViolation(violations: Violation[], found: Violation): void {
  const last = violations.at(-1);
  if (last === undefined || violations.length < MAX_VIOLATIONS) violations.push(found);
  else violations[violations.length - 1] = { ...last, more: (last.more ?? 0) + 1 + (found.more ?? 0) };
}

export function addViolations(violations: Violation[], found: Iterable<Violation>): void {
  for (const each of found) addViolation(violations, each);
}

/** The violations that a caller is told, and how many there are beyond them. */
export function toldViolations(
  violations: readonly Violation[],
  most = MAX_VIOLATIONS,
): { told: readonly Violation[]; more: number } {
  const told = violations.slice(0, most);
  const counted = violations.reduce((sum, { more = 0 }) => sum + more, 0);
  return { told, more: violations.length - told.length + counted };
}

/** All violations as one text, each with its place, in the order in which they were found. */
export function describeViolations(violations: readonly Violation[], most = MAX_VIOLATIONS): string {
  const { told, more } = toldViolations(violations, most);
  const texts = told.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Says of each violation which entity it is about: `<urn> properties[0].values[1]`. */
export function aboutEntity(urn: string, violations: readonly Violation[]): Violation[] {
  return violations.map((each) => ({ ...each, path: each.path === '' ? urn : `${urn} ${each.path}` }));
}

/** What a message quotes of a text that somebody gave. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
