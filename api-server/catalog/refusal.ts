import { QuerySyntaxError } from '../../model/query/errors.ts';
import { InvalidUrnError } from '../../model/urn.ts';
import { toldViolations } from '../../model/violation.ts';
import type { ErrorBody } from '../../model/wire/error-body.ts';
import { SearchError } from '../search/errors.ts';
import { StoreError } from '../store/errors.ts';
import { CatalogError } from './errors.ts';

/** What a caller is told of an error, whichever way it asked. */
export type Refusal = Pick<CatalogError, 'code' | 'message' | 'violations'>;

/** The violated rules as an answer has them: nothing when there are none. */
export function shownViolations({ violations }: Refusal): Pick<ErrorBody, 'violations' | 'moreViolations'> {
  const { told, more } = toldViolations(violations);
  if (told.length === 0) return {};
  const shown = told.map(({ code, path, message }) => ({ code, path, message }));
  return { violations: shown, ...(more > 0 ? { moreViolations: more } : {}) };
}

/** @returns `undefined` for what went wrong inside: it is for the log. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof CatalogError) return error;
  if (error instanceof QuerySyntaxError) return told('malformed', `query, ${error.message}`);
  if (error instanceof InvalidUrnError) return told('malformed', error.message);
  if (error instanceof SearchError) return toldOfSearch(error);
  if (error instanceof StoreError) {
    return toldOfStore(error);
  }
  return undefined;
}

function toldOfStore({ code, message }: StoreError): Refusal {
  if (code === 'fenced' || code === 'damaged') return told(code, message);
  return told('unavailable', code === 'unwritable' ? message : 'The store cannot answer');
}

function toldOfSearch({ code, message }: SearchError): Refusal {
  if (code === 'too-large') return told('malformed', message);
  if (code === 'damaged') return told('damaged', message);
  if (code === 'timeout') return told('timeout', `${message}. Ask for less, or try again.`);
  return told('unavailable', 'The search index cannot answer');
}

function told(code: Refusal['code'], message: string): Refusal {
  return { code, message, violations: [] };
}
