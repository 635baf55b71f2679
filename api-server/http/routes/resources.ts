import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import {
  confirmationSchema,
  heldDeletionsSchema,
  holdingSchema,
  type ResourceRecord,
  registrationSchema,
  reportSchema,
  resourceNameSchema,
  resourceRecordSchema,
  resourceRecordsSchema,
} from '../../../model/wire/resource-record.ts';
import { CatalogError } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import { checkedBody } from '../../request/bodies.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import {
  confirmDeletions,
  forgetResource,
  holdDeletions,
  listHeldDeletions,
  listResources,
  readResource,
  registerResources,
  reportResource,
  type StoredResource,
} from '../../use-cases/resources.ts';
import { listText, objectText, sendText } from '../json-text.ts';
import { pageQuery, recordPage } from '../record-page.ts';
import { type TypedServer, typed } from '../typed-routes.ts';

/** It is sent as text. */
const anyRecords: z.ZodType = resourceRecordsSchema;

const sourceQuery = z.object({ source: z.string().optional().describe('Only of this source') });

/** What operators report about their resources, for people and for the operators themselves. */
export function resourceRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  server.get(
    '/resources',
    describe('All resources with their status', { querystring: sourceQuery.extend(pageQuery.shape) }, anyRecords),
    async (request, reply) => {
      const { source, after, count } = request.query;
      const { records } = await listResources(contextOf(parts, request), source, after);
      const { texts, next } = await recordPage(records, count, shown);
      return sendText(reply, objectText({ resources: listText(texts), next: next && [JSON.stringify(next)] }));
    },
  );
  server.post(
    '/resources/register',
    describe('Record resources that were seen', { body: registrationSchema }, resourceRecordsSchema),
    async (request) => {
      const { source, resources } = checkedBody(registrationSchema, request);
      return { resources: (await registerResources(contextOf(parts, request), source, resources)).map(shown) };
    },
  );
  heldDeletionRoutes(server, parts);
  const path = '/resources/:kind/:namespace/:name';
  const params = resourceNameSchema;
  server.get(
    path,
    describe('One resource with its status', { params, querystring: sourceQuery }, resourceRecordSchema),
    async (request) => {
      const { params: resource, query } = request;
      const record = await readResource(contextOf(parts, request), resource, query.source);
      if (record === undefined) {
        throw new CatalogError('missing', `There is no ${resource.kind} ${resource.namespace}/${resource.name}`);
      }
      return shown(record);
    },
  );
  server.put(
    path,
    describe('Report the status of a resource', { params, body: reportSchema }, resourceRecordSchema),
    async (request) => {
      const { source, status, location } = checkedBody(reportSchema, request);
      return shown(await reportResource(contextOf(parts, request), request.params, source, status, location));
    },
  );
  server.delete(
    path,
    describe('Forget a resource', { params, querystring: sourceQuery }, z.null().describe('No body')),
    async (request, reply) => {
      await forgetResource(contextOf(parts, request), request.params, request.query.source);
      reply.code(200).send();
    },
  );
}

function heldDeletionRoutes(server: TypedServer, parts: CatalogParts): void {
  server.get(
    '/resources/held-deletions',
    describe(
      'Deletions that wait for a person',
      { querystring: sourceQuery },
      z.object({ held: z.array(heldDeletionsSchema) }),
    ),
    async (request) => ({ held: await listHeldDeletions(contextOf(parts, request), request.query.source) }),
  );
  server.put(
    '/resources/held-deletions',
    describe(
      'Report which deletions are held back; an empty list clears',
      { body: holdingSchema },
      heldDeletionsSchema,
    ),
    async (request) => {
      const { source, resources } = checkedBody(holdingSchema, request);
      return holdDeletions(contextOf(parts, request), source, resources);
    },
  );
  server.post(
    '/resources/confirm-deletions',
    describe(
      'Let held deletions happen; answers what is confirmed by this',
      { body: confirmationSchema },
      z.object({ confirmed: z.array(heldDeletionsSchema) }),
    ),
    async (request) => ({
      confirmed: await confirmDeletions(contextOf(parts, request), checkedBody(confirmationSchema, request)),
    }),
  );
}

function describe<More extends object>(summary: string, more: More, success: z.ZodType) {
  return { schema: { tags: ['Resources'], summary, ...more, response: { 200: success, ...errorResponses } } };
}

/** The hash is for the operator's own bookkeeping. */
function shown({ specHash: _specHash, ...record }: StoredResource): ResourceRecord {
  return record;
}
