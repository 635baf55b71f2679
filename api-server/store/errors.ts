/** Why a store did not answer. */
export type StoreErrorCode =
  /**
   * The backend failed or is not there; the same request may succeed later. What was being written may have been
   * written.
   */
  | 'unavailable'
  /** Nothing can be written, because the disk is full or takes no writes; nothing was. Reads go on. */
  | 'unwritable'
  /**
   * What is stored is not what was written: bytes have changed on the disk. A document or record that can be named is in
   * `about`. Nothing of it is answered, and nothing was written.
   */
  | 'damaged'
  /** The write comes from an operator that leads no more; nothing was written. */
  | 'fenced';

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** URN of a document, or kind and id of a record: `batch/<id>`. */
  readonly about?: string;

  constructor(code: StoreErrorCode, message: string, options: ErrorOptions & { readonly about?: string } = {}) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
    if (options.about !== undefined) this.about = options.about;
  }
}

/** Whether an error says that one document or record is damaged, and which. */
export function isDamaged(error: unknown): error is StoreError & { readonly about: string } {
  return error instanceof StoreError && error.code === 'damaged' && error.about !== undefined;
}
