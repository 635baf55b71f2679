/** Why a store did not answer. */
export type StoreErrorCode =
  /**
   * The backend failed or is not there; the same request may succeed later. What was being written may have been
   * written.
   */
  | 'unavailable'
  /** Nothing can be written, because the disk is full or takes no writes; nothing was. Reads go on. */
  | 'unwritable'
  /** The write comes from an operator that leads no more; nothing was written. */
  | 'fenced';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}
