import type { FastifyRequest } from 'fastify';
import { type EntityTypeInfo, findEntityType } from '../../model/entity-type.ts';
import { type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { describeViolations } from '../../model/violation.ts';
import { OWNER_HEADER, type OwnerMark, parseOwnerMark } from '../../model/wire/owner-mark.ts';
import { CatalogError } from '../catalog/errors.ts';
import { type CatalogParts, type RequestContext, SYSTEM_ACTOR } from '../catalog/parts.ts';
import type { WriteOptions } from './entity-changes.ts';
import { fenceOf } from './fence-header.ts';

/** Who asks, until when, and as which leader. @throws CatalogError for a fence that cannot be read. */
export function contextOf(parts: CatalogParts, request: FastifyRequest): RequestContext {
  const actor = request.headers['x-datahub-actor'];
  const fence = fenceOf(request);
  return {
    actor: typeof actor === 'string' && actor.startsWith('urn:li:') ? actor : SYSTEM_ACTOR,
    deadline: parts.now() + parts.settings.requestTimeout,
    ...(fence === undefined ? {} : { fence }),
  };
}

/**
 * The owner mark that a write carries in the header `X-Proplane-Owner`.
 * @throws CatalogError `malformed` naming the missing parts.
 */
export function ownerOf(request: FastifyRequest): OwnerMark | undefined {
  const header = request.headers[OWNER_HEADER];
  if (header === undefined) return undefined;
  const checked = parseOwnerMark(String(header));
  if (checked.ok) return checked.value;
  throw new CatalogError('malformed', `header X-Proplane-Owner: ${describeViolations(checked.violations)}`);
}

/** What a request says about its writes. */
export function writeOptionsOf(parts: CatalogParts, request: FastifyRequest): WriteOptions {
  const query = request.query as WriteOptions['query'];
  return { settings: parts.settings, query, owner: ownerOf(request) };
}

/** The entity type that a path names. */
export function requireEntityType(name: string): EntityTypeInfo {
  const entityType = findEntityType(name);
  if (entityType === undefined) throw new CatalogError('malformed', `Unknown entity type ${name}`);
  return entityType;
}

/** The URN of a path, which has to be of the entity type that the path names. */
export function urnOf({ entityType, urn }: { readonly entityType: string; readonly urn: string }): ParsedUrn {
  const type = requireEntityType(entityType);
  const parsed = parseUrn(urn);
  if (parsed.entityType.name !== type.name) {
    throw new CatalogError('malformed', `${urn} is a ${parsed.entityType.name}, not a ${type.name}`);
  }
  return parsed;
}
