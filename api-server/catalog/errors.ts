import type { Checked } from '../../model/shape.ts';
import { describeViolations, type Violation, violation } from '../../model/violation.ts';
import type { ViolationCode } from '../../model/violation-codes.ts';

/**
 * Everything that a use case can refuse. One class, a literal code; the table in `request/errors.ts` says which status each
 * code gets.
 */
export type CatalogErrorCode =
  /** The input breaks rules of the model: a wrong value, a breaking change, a soft-deleted property. */
  | 'invalid'
  /** The input cannot be read: a malformed URN, an unknown entity type, a query that does not parse. */
  | 'malformed'
  | 'missing'
  /** Nobody knows who asks, or who asks may not do it. */
  | 'unauthorized'
  /** Too many attempts: see {@link ThrottledError}. */
  | 'throttled'
  /** A condition that the request makes does not hold. */
  | 'precondition'
  /** An operator writes that leads no more: another has taken over. */
  | 'fenced'
  | 'too-large'
  /** The request took longer than allowed; what it was about to write was not written. */
  | 'timeout'
  | 'unavailable'
  /** What is stored, or its index, was changed on the disk. */
  | 'damaged';

export class CatalogError extends Error {
  readonly code: CatalogErrorCode;
  /** The violated rules behind the message; never empty for `invalid` and `precondition`. */
  readonly violations: readonly Violation[];
  constructor(code: Exclude<CatalogErrorCode, 'invalid' | 'precondition'>, message: string);
  constructor(code: CatalogErrorCode, message: string, violations: readonly Violation[]);
  constructor(code: CatalogErrorCode, message: string, violations: readonly Violation[] = []) {
    super(message);
    this.name = 'CatalogError';
    this.code = code;
    this.violations = violations;
  }
}

/** Too many attempts. Nothing was looked at. */
export class ThrottledError extends CatalogError {
  /** In seconds, at least one: sooner it is refused again. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super('throttled', message);
    this.retryAfter = retryAfter;
  }
}

/** @returns the error that names every violated rule. */
export function invalid(violations: readonly Violation[]): CatalogError {
  return new CatalogError('invalid', describeViolations(violations), violations);
}

/** @returns the error of an input that cannot be read, naming every place. */
export function malformed(violations: readonly Violation[]): CatalogError {
  return new CatalogError('malformed', describeViolations(violations), violations);
}

/** @returns the error for one rule, which is about the request as a whole. */
export function refusedBy(rule: ViolationCode, message: string): CatalogError {
  return invalid([violation(rule, '', message)]);
}

/** @throws CatalogError `precondition` when a precondition does not hold, `invalid` when only rules are violated. */
export function refuse(violations: readonly Violation[], unmet: readonly Violation[]): void {
  const all = [...unmet, ...violations];
  if (unmet.length > 0) throw new CatalogError('precondition', describeViolations(all), all);
  if (violations.length > 0) throw invalid(violations);
}

/** @returns what was checked. @throws CatalogError naming every violated rule. */
export function valid<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw invalid(checked.violations);
}

export function missing(urn: string): CatalogError {
  return new CatalogError('missing', `Entity ${urn} does not exist`);
}
