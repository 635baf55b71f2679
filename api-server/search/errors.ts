/** Why a search index did not answer. */
export type SearchErrorCode =
  /** The request is more than every engine can take. */
  | 'too-large'
  /** The engine failed or is not there; the same request may succeed later. */
  | 'unavailable'
  /** It took longer than the answer is waited for. The engine may be well: it is the request that is too much, or too many are. */
  | 'timeout'
  /** The index was changed on the disk, or is known to lack entities: what it would answer could be too little. */
  | 'damaged';

export class SearchError extends Error {
  readonly code: SearchErrorCode;

  constructor(code: SearchErrorCode, message: string) {
    super(message);
    this.name = 'SearchError';
    this.code = code;
  }
}
