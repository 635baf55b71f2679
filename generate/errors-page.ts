import { ERROR_TYPES, GRAPHQL_ERROR_TABLE } from '../api-server/graphql/errors.ts';
import { ERROR_TABLE } from '../api-server/request/errors.ts';
import { MAX_VIOLATIONS } from '../model/limits.ts';
import { VIOLATION_CODES } from '../model/violation-codes.ts';
import { GENERATED, table } from './table.ts';

/** What each refusal looks like to a client, and the codes of all rules. */
export function errorsPage(): string {
  const rows = Object.entries(ERROR_TABLE).map(([code, { status, error }]) => {
    const type = GRAPHQL_ERROR_TABLE[code as keyof typeof ERROR_TABLE];
    return [`\`${code}\``, String(status), error, `${ERROR_TYPES[type]} ${type}`];
  });
  const rules = Object.entries(VIOLATION_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]);
  return `${GENERATED}
# Errors

Every error answer is JSON: \`{"error": <title>, "message": <every violated rule with its place>}\`. When rules of the list
below are violated, \`violations\` has them one by one, the first ${MAX_VIOLATIONS} of them: \`[{"code", "path", "message"}]\`;
\`moreViolations\` is how many were found beyond those. GraphQL has the same in \`extensions\`.

${table(['code in the sources', 'status', 'error', 'GraphQL'], rows)}

A body that is no JSON, or no UTF-8, gets 400 \`Invalid JSON format\`; an unknown path 404; a method that a known path does
not have 405 with the header \`Allow\`; what went wrong inside 500 \`Internal Server Error\`, with the cause in the log under
the same \`x-request-id\`. What the server cannot take for a request at all is answered in the same shape: 408, 414, 417,
431. GraphQL answers 200 and has the error inside, see [GraphQL](../graphql.md#errors).

## Violated rules

Programs go by the code, which keeps its meaning; messages are for people and can change.

${table(['code', 'meaning'], rules)}
`;
}
