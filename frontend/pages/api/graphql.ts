import type { ErrorViolation } from '../../../model/wire/error-body.ts';
import { ApiError } from './api-error.ts';
import { requestJson } from './request.ts';

interface GraphqlAnswer<T> {
  readonly data?: T | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: number; readonly violations?: ErrorViolation[] };
  }[];
}

/**
 * Runs a GraphQL operation.
 * @throws ApiError also for what GraphQL answers with status 200: its status is the code of the first error.
 */
export async function requestGraphql<T>(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<T> {
  const { data, errors } = await requestJson<GraphqlAnswer<T>>('/api/v2/graphql', {
    method: 'POST',
    body: { query, variables },
    ...(signal === undefined ? {} : { signal }),
  });
  const [first] = errors ?? [];
  if (first !== undefined) {
    const code = Number(first.extensions?.code ?? 400);
    const message = errors!.map((error) => error.message).join(' ');
    throw new ApiError(code, { message, violations: first.extensions?.violations });
  }
  if (data === undefined || data === null) throw new ApiError(500, { message: 'The server answered without data.' });
  return data;
}
