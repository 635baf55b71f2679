import type * as z from 'zod';
import { checkShape } from '../model/shape.ts';
import { describeViolations } from '../model/violation.ts';
import type { HttpClient, HttpRequest } from './http-client.ts';
import { UnavailableError } from './http-errors.ts';

const MOST_TOLD = 3;

/**
 * Sends a request and reads its answer.
 * @throws AnyHttpError; UnavailableError naming the address and what was expected when the answer is another one: it
 * is of a proxy, or of a server of quite another version, and can be right the next time.
 */
export async function ask<A extends z.ZodType>(
  http: HttpClient,
  request: HttpRequest,
  answer: A,
): Promise<z.output<A>> {
  const read = checkShape(answer, await http.send(request));
  if (read.ok) return read.value;
  const what = describeViolations(read.violations, MOST_TOLD);
  const from = `${request.method} ${http.host}${request.path}`;
  throw new UnavailableError(`${from}: the answer is not as a Proplane server sends it: ${what}`);
}
