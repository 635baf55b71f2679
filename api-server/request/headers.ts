import type { FastifyRequest } from 'fastify';
import { accepted, type Checked } from '../../model/shape.ts';
import { describeViolations } from '../../model/violation.ts';
import { FENCE_HEADER, type Fence, parseFence } from '../../model/wire/fence.ts';
import { OWNER_HEADER, type OwnerMark, parseOwnerMark } from '../../model/wire/owner-mark.ts';
import { CatalogError } from '../catalog/errors.ts';
import { hasBrokenEscapes, headerText } from './utf8.ts';

/** What a request carries in headers of ours. Each throws CatalogError `malformed` naming every part that is wrong. */

/** The fence of the leader that writes. */
export function fenceOf(request: FastifyRequest): Fence | undefined {
  return readHeader(request, FENCE_HEADER, 'X-Proplane-Fence', parseFence);
}

/** The owner mark of what is written. */
export function ownerOf(request: FastifyRequest): OwnerMark | undefined {
  return readHeader(request, OWNER_HEADER, 'X-Proplane-Owner', parseOwnerMark);
}

/** Who asks, as it was sent. */
export function actorOf(request: FastifyRequest): string | undefined {
  return readHeader(request, 'x-datahub-actor', 'X-DataHub-Actor', accepted);
}

function readHeader<T>(
  { headers }: FastifyRequest,
  name: string,
  shownName: string,
  parse: (text: string) => Checked<T>,
): T | undefined {
  const header = headers[name];
  if (header === undefined) return undefined;
  const text = headerText(String(header));
  if (text === undefined || hasBrokenEscapes(text)) {
    throw new CatalogError('malformed', `header ${shownName}: it is no UTF-8`);
  }
  const checked = parse(text);
  if (checked.ok) return checked.value;
  throw new CatalogError('malformed', `header ${shownName}: ${describeViolations(checked.violations)}`);
}
