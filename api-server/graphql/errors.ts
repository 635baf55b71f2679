import { GraphQLError } from 'graphql';
import type { ErrorBody } from '../../model/wire/error-body.ts';
import type { CatalogErrorCode } from '../catalog/errors.ts';
import { refusalOf, shownViolations } from '../catalog/refusal.ts';

/** What clients of the reference catalogue know, with its numbers. */
export const ERROR_TYPES = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

type ErrorType = keyof typeof ERROR_TYPES;

/** The one table from what went wrong to what a GraphQL client gets; the HTTP status is 200, but for what is refused to the caller. */
export const GRAPHQL_ERROR_TABLE: Readonly<Record<CatalogErrorCode, ErrorType>> = {
  invalid: 'BAD_REQUEST',
  malformed: 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  throttled: 'SERVICE_UNAVAILABLE',
  missing: 'NOT_FOUND',
  precondition: 'CONFLICT',
  fenced: 'CONFLICT',
  'too-large': 'BAD_REQUEST',
  timeout: 'DEADLINE_EXCEEDED',
  unavailable: 'SERVICE_UNAVAILABLE',
  damaged: 'SERVER_ERROR',
};

type Classification = 'InvalidSyntax' | 'ValidationError' | 'DataFetchingException';

/** One error of an answer. */
export interface ErrorItem {
  readonly message: string;
  readonly locations: readonly { readonly line: number; readonly column: number }[];
  /** Absent when the document itself is refused. */
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: number;
    readonly type: ErrorType;
    readonly classification: Classification;
  } & Pick<ErrorBody, 'violations' | 'moreViolations'>;
}

/** @param report gets what went wrong inside; a client is not told. */
export function errorItem(error: GraphQLError, report: (fault: Error) => void): ErrorItem {
  const { message, locations = [], path } = error;
  // Without a path the document is refused, or its variables, before anything was asked for.
  if (path === undefined) {
    const classification = message.startsWith('Syntax Error') ? 'InvalidSyntax' : 'ValidationError';
    return { message, locations, extensions: extensions('BAD_REQUEST', classification) };
  }
  const refusal = refusalOf(error.originalError);
  if (refusal === undefined || refusal.code === 'damaged') report(error.originalError ?? error);
  const type = refusal === undefined ? 'SERVER_ERROR' : GRAPHQL_ERROR_TABLE[refusal.code];
  return {
    message: refusal?.message ?? 'An unknown error occurred.',
    locations,
    path,
    extensions: {
      ...extensions(type, 'DataFetchingException'),
      ...(refusal === undefined ? {} : shownViolations(refusal)),
    },
  };
}

function extensions(type: ErrorType, classification: Classification): ErrorItem['extensions'] {
  return { code: ERROR_TYPES[type], type, classification };
}

/**
 * The errors for which a document was refused as a whole, from whatever the library rejects with.
 * @throws anything else as it is.
 */
export function documentErrors(reason: unknown): readonly GraphQLError[] {
  if (reason instanceof GraphQLError) return [reason];
  const errors = (reason as { errors?: unknown }).errors;
  if (!Array.isArray(errors)) throw reason;
  return errors.map((error: Error) => (error instanceof GraphQLError ? error : new GraphQLError(error.message)));
}
