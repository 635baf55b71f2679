import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { CatalogParts } from '../../catalog/parts.ts';
import { errorResponses } from '../../request/errors.ts';
import { batchGetRequest, batchRequests, genericRequest } from '../batch-body.ts';
import { type BatchForm, BatchHandlers, type BatchPath } from '../batch-handlers.ts';
import { batchGetQuery, entityTypeParameter, writeQuery } from '../parameters.ts';
import { batchResponse, entityResponse, ownedEntityResponse, PATCH_TYPES } from '../schemas.ts';
import { type TypedServer, typed } from '../typed-routes.ts';
import type { ApiVersion } from '../views.ts';

const READS = { readsOnly: true };
const typeParams = z.object({ entityType: entityTypeParameter });
const noParams = z.object({});

/** Writing, patching and reading many entities in one request. */
export function batchRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  const ofType = { v2: '/openapi/v2/entity/:entityType', v3: '/openapi/v3/entity/:entityType' };
  writeRoute(server, parts, { version: 'v2', form: 'list', path: ofType.v2 });
  for (const routes of [
    { version: 'v3', form: 'list', path: ofType.v3 },
    { version: 'v3', form: 'generic', path: '/openapi/v3/entity/generic' },
  ] as const) {
    writeRoute(server, parts, routes);
    patchRoute(server, parts, routes);
    readRoute(server, parts, routes);
  }
  const handlers = new BatchHandlers(parts, 'v2', 'list');
  const found: z.ZodType = z.object({ entities: z.array(entityResponse('v2')) });
  const response = { 200: found, ...errorResponses };
  const schema = { ...describe('v2: read entities'), params: typeParams, body: batchGetRequest, response };
  server.post('/openapi/v2/entity/batch/:entityType', { schema, config: READS }, handlers.readV2);
}

interface BatchRoutes {
  readonly version: ApiVersion;
  readonly form: BatchForm;
  readonly path: string;
}

function writeRoute(server: TypedServer, parts: CatalogParts, routes: BatchRoutes): void {
  const { version, form, path } = routes;
  const schema = { ...common(routes, 'write entities, all or none'), querystring: writeQuery, ...written(routes) };
  server.post(path, { schema }, new BatchHandlers(parts, version, form).write);
}

function patchRoute(server: TypedServer, parts: CatalogParts, routes: BatchRoutes): void {
  const { version, form, path } = routes;
  const schema = {
    ...common(routes, 'patch entities, all or none'),
    querystring: writeQuery,
    consumes: PATCH_TYPES,
    ...written(routes),
  };
  server.patch(path, { schema }, new BatchHandlers(parts, version, form).patch);
}

function readRoute(server: TypedServer, parts: CatalogParts, routes: BatchRoutes): void {
  const { version, form, path } = routes;
  const response = { 200: inForm(routes, z.array(ownedEntityResponse(version))), ...errorResponses };
  const schema = { ...common(routes, 'read entities'), querystring: batchGetQuery, response };
  server.post(`${path}/batchGet`, { schema, config: READS }, new BatchHandlers(parts, version, form).read);
}

function common({ version, form }: BatchRoutes, summary: string) {
  const params: z.ZodType<BatchPath> = form === 'list' ? typeParams : noParams;
  const body = form === 'list' ? batchRequests[version] : genericRequest;
  return { ...describe(`${version}: ${summary}${form === 'list' ? '' : ', of any type'}`), params, body };
}

function written(routes: BatchRoutes) {
  const answer = inForm(routes, batchResponse(routes.version));
  return { response: { 200: answer, 202: answer.describe('Unless async=false; it is done'), ...errorResponses } };
}

function inForm({ form }: BatchRoutes, list: z.ZodType): z.ZodType {
  return form === 'list' ? list : z.record(z.string(), list).describe('By entity type');
}

function describe(summary: string) {
  return { tags: ['Entities'], summary };
}
