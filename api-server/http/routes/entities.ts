import type { FastifyInstance, FastifySchema } from 'fastify';
import * as z from 'zod';
import type { CatalogParts } from '../../catalog/parts.ts';
import { EntityHandlers } from '../entity-handlers.ts';
import {
  aspectParameter,
  aspectQuery,
  deleteQuery,
  entityQuery,
  entityTypeParameter,
  listQuery,
  urnParameter,
  urnParameterOf,
  writeQuery,
} from '../parameters.ts';
import {
  aspectRequest,
  errorResponses,
  listResponse,
  ownedEntityResponse,
  PATCH_TYPES,
  patchRequest,
  readResponse,
  writeResponse,
} from '../schemas.ts';
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

/** The entity routes of versions 2 and 3. */
export function entityRoutes(server: FastifyInstance, parts: CatalogParts): void {
  for (const version of VERSIONS) {
    for (const { entityType, aspect, tag } of SPELLED_OUT) {
      const handlers = new EntityHandlers(parts, version, { entityType, aspect });
      const path = `/openapi/${version}/entity/${entityType}/:urn/${aspect}`;
      aspectRoutes(server, handlers, {
        version,
        path,
        params: z.object({ urn: urnParameterOf(entityType) }),
        tag,
        aspect,
      });
    }
    const handlers = new EntityHandlers(parts, version);
    const params = z.object({ entityType: entityTypeParameter, urn: urnParameter, aspect: aspectParameter });
    const path = `/openapi/${version}/entity/:entityType/:urn/:aspect`;
    aspectRoutes(server, handlers, { version, path, params, tag: 'Entities' });
    wholeEntityRoutes(server, handlers, version);
  }
  const handlers = new EntityHandlers(parts, 'v3');
  const one = '/openapi/v3/entity/generic/:urn';
  oneEntityRoutes(server, handlers, { version: 'v3', path: one, params: z.object({ urn: urnParameter }) });
}

interface AspectRoutes {
  readonly version: ApiVersion;
  readonly path: string;
  readonly params: z.ZodType;
  readonly tag: string;
  /** Absent: any aspect. */
  readonly aspect?: string;
}

function aspectRoutes(server: FastifyInstance, handlers: EntityHandlers, routes: AspectRoutes): void {
  const { version, path, params, tag, aspect } = routes;
  const name = aspect ?? 'an aspect';
  const schema = (summary: string, more: FastifySchema, success: z.ZodType): FastifySchema => ({
    ...describe(tag, `${version}: ${summary}`),
    params,
    ...more,
    response: { 200: success, ...errorResponses, ...(more.response as object) },
  });
  const written = writeResponse(version, aspect);
  const writing = { querystring: writeQuery, response: { 202: written.describe('With async=true; it is done') } };
  server.get(
    path,
    { schema: schema(`read ${name}`, { querystring: aspectQuery }, readResponse(version, aspect)) },
    handlers.readAspect,
  );
  server.head(
    path,
    { schema: { ...describe(tag, `${version}: whether ${name} is there`), params } },
    handlers.aspectExists,
  );
  server.post(
    path,
    { schema: schema(`write ${name}`, { ...writing, body: aspectRequest(aspect) }, written) },
    handlers.writeAspect,
  );
  server.patch(
    path,
    { schema: schema(`patch ${name}`, { ...writing, body: patchRequest, consumes: PATCH_TYPES }, written) },
    handlers.patchAspect,
  );
  server.delete(path, { schema: schema(`delete ${name}`, {}, empty) }, handlers.removeAspect);
}

function wholeEntityRoutes(server: FastifyInstance, handlers: EntityHandlers, version: ApiVersion): void {
  const params = z.object({ entityType: entityTypeParameter, urn: urnParameter });
  oneEntityRoutes(server, handlers, { version, path: `/openapi/${version}/entity/:entityType/:urn`, params });
  const many = `/openapi/${version}/entity/:entityType`;
  const typeParams = z.object({ entityType: entityTypeParameter });
  server.get(
    many,
    {
      schema: {
        ...describe('Entities', `${version}: list and search entities`),
        params: typeParams,
        querystring: listQuery,
        response: { 200: listResponse(version), ...errorResponses },
      },
    },
    handlers.list,
  );
}

type EntityRoutes = Pick<AspectRoutes, 'version' | 'path' | 'params'>;

function oneEntityRoutes(server: FastifyInstance, handlers: EntityHandlers, routes: EntityRoutes): void {
  const { version, path, params } = routes;
  const entities = (summary: string) => describe('Entities', `${version}: ${summary}`);
  const response = { 200: ownedEntityResponse(version), ...errorResponses };
  server.get(
    path,
    { schema: { ...entities('read an entity'), params, querystring: entityQuery, response } },
    handlers.read,
  );
  server.head(path, { schema: { ...entities('whether an entity exists'), params } }, handlers.exists);
  const deletion = { 200: empty, ...errorResponses };
  server.delete(
    path,
    { schema: { ...entities('hard-delete an entity'), params, querystring: deleteQuery, response: deletion } },
    handlers.remove,
  );
}

function describe(tag: string, summary: string): FastifySchema {
  return { tags: [tag], summary } as FastifySchema;
}
