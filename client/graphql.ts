import * as z from 'zod';
import { errorBodySchema } from '../model/wire/error-body.ts';
import { ask } from './ask.ts';
import type { HttpClient } from './http-client.ts';
import {
  type AnyHttpError,
  ConflictError,
  MissingError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from './http-errors.ts';

const errorSchema = z.object({
  message: z.string(),
  extensions: z.object({ code: z.number(), violations: errorBodySchema.shape.violations.catch(undefined) }).partial(),
});

/** What may be asked of `/api/graphql`: a document with one operation. */
export interface GraphqlRequest {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The operation is a query. */
  readonly readsOnly?: true;
}

/**
 * Carries out an operation of GraphQL and reads the `data` of its answer.
 * @throws AnyHttpError, also for the first error that the answer names: its code is read as a status of HTTP.
 */
export async function askGraphql<D extends z.ZodType>(
  http: HttpClient,
  { document, variables, ...rest }: GraphqlRequest,
  data: D,
): Promise<z.output<D>> {
  const body = { query: document, variables };
  const answer = z.union([
    z
      .object({ errors: z.tuple([errorSchema], errorSchema) })
      .transform(({ errors }) => ({ failed: errorOf(errors[0]) })),
    z.object({ data }).transform((read) => ({ data: (read as { readonly data: z.output<D> }).data })),
  ]);
  const read = await ask(http, { method: 'POST', path: '/api/graphql', body, ...rest }, answer);
  if ('failed' in read) throw read.failed;
  return read.data;
}

function errorOf({ message, extensions: { code, violations = [] } }: z.output<typeof errorSchema>): AnyHttpError {
  switch (code) {
    case 401:
    case 403:
      return new UnauthorizedError(message);
    case 404:
      return new MissingError(message, 'ENTITY');
    case 409:
      return new ConflictError(message);
    case 400:
      return new RejectedError(code, message, violations);
    default:
      return new UnavailableError(message);
  }
}
