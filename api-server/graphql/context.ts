import type { FastifyRequest } from 'fastify';
import type { OwnerMark } from '../../model/wire/owner-mark.ts';
import type { CatalogParts, RequestContext } from '../catalog/parts.ts';
import { contextOf, ownerOf } from '../http/request-context.ts';
import { EntityLoader } from './entity-loader.ts';

/** What the resolvers of one request share. */
export interface GraphqlContext {
  readonly parts: CatalogParts;
  readonly caller: RequestContext;
  /** The resource that what is written belongs to from then on. */
  readonly owner?: OwnerMark;
  readonly entities: EntityLoader;
  readonly operationName?: string;
}

export function graphqlContext(
  parts: CatalogParts,
  request: FastifyRequest,
  operationName: string | undefined,
): GraphqlContext {
  const caller = contextOf(parts, request);
  const owner = ownerOf(request);
  return {
    parts,
    caller,
    entities: new EntityLoader(parts, caller),
    ...(owner === undefined ? {} : { owner }),
    ...(operationName === undefined ? {} : { operationName }),
  };
}
