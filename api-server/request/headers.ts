import type { FastifyRequest } from 'fastify';
import type { Checked } from '../../model/shape.ts';
import { describeViolations } from '../../model/violation.ts';
import { FENCE_HEADER, type Fence, parseFence } from '../../model/wire/fence.ts';
import { OWNER_HEADER, type OwnerMark, parseOwnerMark } from '../../model/wire/owner-mark.ts';
import { CatalogError } from '../catalog/errors.ts';

/** What a request carries in headers of ours. Each throws CatalogError `malformed` naming every part that is wrong. */

/** The fence of the leader that writes. */
export function fenceOf(request: FastifyRequest): Fence | undefined {
  return readHeader(request, FENCE_HEADER, 'X-Proplane-Fence', parseFence);
}

/** The owner mark of what is written. */
export function ownerOf(request: FastifyRequest): OwnerMark | undefined {
  return readHeader(request, OWNER_HEADER, 'X-Proplane-Owner', parseOwnerMark);
}

function readHeader<T>(
  { headers }: FastifyRequest,
  name: string,
  shownName: string,
  parse: (text: string) => Checked<T>,
): T | undefined {
  const header = headers[name];
  if (header === undefined) return undefined;
  const checked = parse(String(header));
  if (checked.ok) return checked.value;
  throw new CatalogError('malformed', `header ${shownName}: ${describeViolations(checked.violations)}`);
}
