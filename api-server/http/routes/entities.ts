import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { CatalogParts } from '../../catalog/parts.ts';
import { errorResponses } from '../../request/errors.ts';
import { EntityHandlers } from '../entity-handlers.ts';
import {
  type AspectPath,
  aspectParameter,
  aspectQuery,
  deleteQuery,
  type EntityPath,
  entityQuery,
  entityTypeParameter,
  listQuery,
  urnParameter,
  urnParameterOf,
  writeQuery,
} from '../parameters.ts';
import {
  aspectRequest,
  listResponse,
  ownedEntityResponse,
  PATCH_TYPES,
  patchRequest,
  readResponse,
  writeResponse,
} from '../schemas.ts';
import { type TypedServer, typed } from '../typed-routes.ts';
import type { ApiVersion } from '../views.ts';

const VERSIONS: readonly ApiVersion[] = ['v3', 'v2'];

/** Aspects whose routes the interface spells out; the served document describes each with its own schema. */
const SPELLED_OUT = [
  { entityType: 'structuredProperty', aspect: 'propertyDefinition', tag: 'Definitions' },
  { entityType: 'structuredProperty', aspect: 'status', tag: 'Definitions' },
  { entityType: 'dataset', aspect: 'structuredProperties', tag: 'Properties on entities' },
  { entityType: 'dataFlow', aspect: 'structuredProperties', tag: 'Properties on entities' },
  { entityType: 'schemaField', aspect: 'structuredProperties', tag: 'Properties on entities' },
] as const;

const empty = z.null().describe('No body');
const removal = { 200: empty, ...errorResponses };

/** The entity routes of versions 2 and 3. */
export function entityRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  const typeParams = z.object({ entityType: entityTypeParameter });
  const entityParams = typeParams.extend({ urn: urnParameter });
  for (const version of VERSIONS) {
    const handlers = new EntityHandlers(parts, version);
    const many = `/openapi/${version}/entity/:entityType`;
    for (const { entityType, aspect, tag } of SPELLED_OUT) {
      const path = `/openapi/${version}/entity/${entityType}/:urn/${aspect}`;
      const params = z
        .object({ urn: urnParameterOf(entityType) })
        .transform(({ urn }) => ({ entityType, urn, aspect }) as const);
      aspectRoutes(server, handlers, { version, path, params, tag, aspect });
    }
    const aspectParams = entityParams.extend({ aspect: aspectParameter });
    aspectRoutes(server, handlers, { version, path: `${many}/:urn/:aspect`, params: aspectParams, tag: 'Entities' });
    entityRoutesAt(server, handlers, { version, path: `${many}/:urn`, params: entityParams });
    const schema = {
      ...describe('Entities', `${version}: list and search entities`),
      params: typeParams,
      querystring: listQuery,
      response: { 200: listResponse(version), ...errorResponses },
    };
    server.get(many, { schema }, handlers.list);
  }
  const params = z.object({ urn: urnParameter });
  const path = '/openapi/v3/entity/generic/:urn';
  entityRoutesAt(server, new EntityHandlers(parts, 'v3'), { version: 'v3', path, params });
}

interface Routes<Path> {
  readonly version: ApiVersion;
  readonly path: string;
  readonly params: z.ZodType<Path>;
}

interface AspectRoutes extends Routes<AspectPath> {
  readonly tag: string;
  /** Absent: any aspect. */
  readonly aspect?: string;
}

function aspectRoutes(server: TypedServer, handlers: EntityHandlers, routes: AspectRoutes): void {
  const { version, path, params, tag, aspect } = routes;
  const name = aspect ?? 'an aspect';
  const described = (summary: string) => ({ ...describe(tag, `${version}: ${summary}`), params });
  const reading = {
    ...described(`read ${name}`),
    querystring: aspectQuery,
    response: { 200: readResponse(version, aspect), ...errorResponses },
  };
  server.get(path, { schema: reading }, handlers.readAspect);
  server.head(path, { schema: described(`whether ${name} is there`) }, handlers.aspectExists);
  const written = writeResponse(version, aspect);
  const writing = {
    querystring: writeQuery,
    response: { 200: written, 202: written.describe('With async=true; it is done'), ...errorResponses },
  };
  const write = { ...described(`write ${name}`), ...writing, body: aspectRequest(aspect) };
  server.post(path, { schema: write }, handlers.writeAspect);
  const patch = { ...described(`patch ${name}`), ...writing, body: patchRequest, consumes: PATCH_TYPES };
  server.patch(path, { schema: patch }, handlers.patchAspect);
  server.delete(path, { schema: { ...described(`delete ${name}`), response: removal } }, handlers.removeAspect);
}

function entityRoutesAt(server: TypedServer, handlers: EntityHandlers, routes: Routes<EntityPath>): void {
  const { version, path, params } = routes;
  const described = (summary: string) => ({ ...describe('Entities', `${version}: ${summary}`), params });
  const response = { 200: ownedEntityResponse(version), ...errorResponses };
  server.get(path, { schema: { ...described('read an entity'), querystring: entityQuery, response } }, handlers.read);
  server.head(path, { schema: described('whether an entity exists') }, handlers.exists);
  const remove = { ...described('hard-delete an entity'), querystring: deleteQuery, response: removal };
  server.delete(path, { schema: remove }, handlers.remove);
}

function describe(tag: string, summary: string) {
  return { tags: [tag], summary };
}
