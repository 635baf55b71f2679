import type { FastifyRequest } from 'fastify';
import { describeViolations } from '../../model/violation.ts';
import { FENCE_HEADER, type Fence, parseFence } from '../../model/wire/fence.ts';
import { CatalogError } from '../catalog/errors.ts';

/**
 * The fence that a request carries in the header `X-Proplane-Fence`.
 * @throws CatalogError `malformed` naming every part that is wrong.
 */
export function fenceOf(request: FastifyRequest): Fence | undefined {
  const header = request.headers[FENCE_HEADER];
  if (header === undefined) return undefined;
  const checked = parseFence(String(header));
  if (checked.ok) return checked.value;
  throw new CatalogError('malformed', `header X-Proplane-Fence: ${describeViolations(checked.violations)}`);
}
