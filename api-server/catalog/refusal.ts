import { QuerySyntaxError } from '../../model/query/errors.ts';
import { InvalidUrnError } from '../../model/urn.ts';
import { SearchError } from '../search/errors.ts';
import { StoreError } from '../store/errors.ts';
import { CatalogError, type CatalogErrorCode } from './errors.ts';

/** What a caller is told of an error, whichever way it asked. */
export interface Refusal {
  readonly code: CatalogErrorCode;
  readonly message: string;
}

/** @returns `undefined` for what went wrong inside: it is for the log. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof CatalogError) return { code: error.code, message: error.message };
  if (error instanceof QuerySyntaxError) return { code: 'malformed', message: `query, ${error.message}` };
  if (error instanceof InvalidUrnError) return { code: 'malformed', message: error.message };
  if (error instanceof SearchError) {
    return error.code === 'too-large'
      ? { code: 'malformed', message: error.message }
      : { code: 'unavailable', message: 'The search index cannot answer' };
  }
  if (error instanceof StoreError) {
    return error.code === 'fenced'
      ? { code: 'fenced', message: error.message }
      : { code: 'unavailable', message: 'The store cannot answer' };
  }
  return undefined;
}
