/** Why a search index did not answer. */
export type SearchErrorCode =
  /** The condition has more nodes than every engine can take. */
  | 'too-large'
  /** The engine failed or is not there; the same request may succeed later. */
  | 'unavailable';

export class SearchError extends Error {
  readonly code: SearchErrorCode;

  constructor(code: SearchErrorCode, message: string) {
    super(message);
    this.name = 'SearchError';
    this.code = code;
  }
}
