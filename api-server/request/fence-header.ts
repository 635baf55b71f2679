import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { checkShape } from '../../model/shape.ts';
import { describeViolations } from '../../model/violation.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { Fence } from '../store/port.ts';

/** In lower case, as requests have it. */
export const FENCE_HEADER = 'x-proplane-fence';

/** `source=…&shard=…&lease=<uid>&created=<ms since 1970>&transitions=<n>` */
const fenceParameters = z.object({
  source: text().min(1, 'missing'),
  shard: text(),
  lease: text().min(1, 'missing'),
  created: count(),
  transitions: count(),
});

/**
 * The fence that a request carries in the header `X-Proplane-Fence`, form-encoded. The shard may be empty.
 * @throws CatalogError `malformed` naming every part that is wrong.
 */
export function fenceOf(request: FastifyRequest): Fence | undefined {
  const header = request.headers[FENCE_HEADER];
  if (header === undefined) return undefined;
  const checked = checkShape(fenceParameters, Object.fromEntries(new URLSearchParams(String(header))));
  if (checked.ok) return checked.value;
  throw new CatalogError('malformed', `header X-Proplane-Fence: ${describeViolations(checked.violations)}`);
}

function text() {
  return z.string('missing').refine((value) => !value.includes('\0'), 'contains NUL');
}

function count() {
  return z
    .string('missing')
    .regex(/^\d{1,15}$/u, { error: ({ input }) => `should be a whole number, not ${JSON.stringify(input)}` })
    .transform(Number);
}
