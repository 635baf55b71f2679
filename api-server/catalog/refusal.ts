import { QuerySyntaxError } from '../../model/query/errors.ts';
import { InvalidUrnError } from '../../model/urn.ts';
import { SearchError } from '../search/errors.ts';
import { StoreError } from '../store/errors.ts';
import { CatalogError } from './errors.ts';

/** What a caller is told of an error, whichever way it asked. */
export type Refusal = Pick<CatalogError, 'code' | 'message' | 'violations'>;

/** @returns `undefined` for what went wrong inside: it is for the log. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof CatalogError) return error;
  if (error instanceof QuerySyntaxError) return told('malformed', `query, ${error.message}`);
  if (error instanceof InvalidUrnError) return told('malformed', error.message);
  if (error instanceof SearchError) {
    return error.code === 'too-large'
      ? told('malformed', error.message)
      : told('unavailable', 'The search index cannot answer');
  }
  if (error instanceof StoreError) {
    return error.code === 'fenced' ? told('fenced', error.message) : told('unavailable', 'The store cannot answer');
  }
  return undefined;
}

function told(code: Refusal['code'], message: string): Refusal {
  return { code, message, violations: [] };
}
