import { describeViolations, type Violation } from '../../model/violation.ts';

/**
 * Everything that a use case can refuse. One class, a literal code; the table in `http/errors.ts` says which status each
 * code gets.
 */
export type CatalogErrorCode =
  /** The input breaks rules of the model: a wrong value, a breaking change, a soft-deleted property. */
  | 'invalid'
  /** The input cannot be read: a malformed URN, an unknown entity type, a query that does not parse. */
  | 'malformed'
  | 'missing'
  | 'too-large'
  /** The request took longer than allowed; what it was about to write was not written. */
  | 'timeout'
  | 'unavailable';

export class CatalogError extends Error {
  readonly code: CatalogErrorCode;
  constructor(code: CatalogErrorCode, message: string) {
    super(message);
    this.name = 'CatalogError';
    this.code = code;
  }
}

/** @returns the error that names every violated rule. */
export function invalid(violations: readonly Violation[]): CatalogError {
  return new CatalogError('invalid', describeViolations(violations));
}

export function missing(urn: string): CatalogError {
  return new CatalogError('missing', `Entity ${urn} does not exist`);
}
