import type { FastifyRequest } from 'fastify';
import type { OwnerMark } from '../../model/wire/owner-mark.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { CatalogRequest } from '../catalog/request.ts';
import { contextOf } from '../request/context.ts';
import { ownerOf } from '../request/headers.ts';
import { EntityLoader } from './entity-loader.ts';

/** What the resolvers of one request share. */
export interface GraphqlContext {
  readonly parts: CatalogParts;
  readonly caller: CatalogRequest;
  /** The resource that what is written belongs to from then on. */
  readonly owner?: OwnerMark;
  readonly entities: EntityLoader;
  /** The document, as it was sent. */
  readonly text: string;
  readonly operationName?: string;
}

export function graphqlContext(
  parts: CatalogParts,
  request: FastifyRequest,
  text: string,
  operationName: string | undefined,
): GraphqlContext {
  const caller = contextOf(parts, request);
  const owner = ownerOf(request);
  return {
    parts,
    text,
    caller,
    entities: new EntityLoader(caller),
    ...(owner === undefined ? {} : { owner }),
    ...(operationName === undefined ? {} : { operationName }),
  };
}
