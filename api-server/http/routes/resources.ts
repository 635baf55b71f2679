import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import {
  heldDeletionsSchema,
  holdingSchema,
  type ResourceName,
  type ResourceRecord,
  registrationSchema,
  reportSchema,
  resourceNameSchema,
  resourceRecordSchema,
  resourceRecordsSchema,
} from '../../../model/wire/resource-record.ts';
import { CatalogError } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
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
} from '../../catalog/resources/resources.ts';
import { checkedBody } from '../../request/bodies.ts';
import { errorResponses } from '../../request/errors.ts';
import { fenceOf } from '../../request/fence-header.ts';

const sourceQuery = z.object({ source: z.string().optional().describe('Only of this source') });

const confirmQuery = sourceQuery.extend({
  id: z.string().optional().describe('Only this set, as it was shown; another set that is held by now stays held'),
});

/** What operators report about their resources, for people and for the operators themselves. */
export function resourceRoutes(server: FastifyInstance, parts: CatalogParts): void {
  const describe = (summary: string, more: object, success: z.ZodType) => ({
    schema: { tags: ['Resources'], summary, ...more, response: { 200: success, ...errorResponses } },
  });
  server.get(
    '/resources',
    describe('All resources with their status', { querystring: sourceQuery }, resourceRecordsSchema),
    async (request) => ({ resources: (await listResources(parts, sourceOf(request))).map(shown) }),
  );
  server.post(
    '/resources/register',
    describe('Record resources that were seen', { body: registrationSchema }, resourceRecordsSchema),
    async (request) => {
      const { source, resources } = checkedBody(registrationSchema, request);
      return { resources: (await registerResources(parts, source, resources, fenceOf(request))).map(shown) };
    },
  );
  heldDeletionRoutes(server, parts, describe);
  const path = '/resources/:kind/:namespace/:name';
  const params = resourceNameSchema;
  server.get(
    path,
    describe('One resource with its status', { params, querystring: sourceQuery }, resourceRecordSchema),
    async (request) => {
      const resource = request.params as ResourceName;
      const record = await readResource(parts, resource, sourceOf(request));
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
      const resource = request.params as ResourceName;
      return shown(await reportResource(parts, resource, source, status, location, fenceOf(request)));
    },
  );
  server.delete(
    path,
    describe('Forget a resource', { params, querystring: sourceQuery }, z.null().describe('No body')),
    async (request: FastifyRequest, reply: FastifyReply) => {
      await forgetResource(parts, request.params as ResourceName, sourceOf(request), fenceOf(request));
      reply.code(200).send();
    },
  );
}

function heldDeletionRoutes(
  server: FastifyInstance,
  parts: CatalogParts,
  describe: (summary: string, more: object, success: z.ZodType) => { schema: object },
): void {
  server.get(
    '/resources/held-deletions',
    describe(
      'Deletions that wait for a person',
      { querystring: sourceQuery },
      z.object({ held: z.array(heldDeletionsSchema) }),
    ),
    async (request) => ({ held: await listHeldDeletions(parts, sourceOf(request)) }),
  );
  server.put(
    '/resources/held-deletions',
    describe(
      'Report which deletions are held back; an empty list clears',
      { body: holdingSchema },
      heldDeletionsSchema,
    ),
    async (request) => {
      const { source, resources, reason } = checkedBody(holdingSchema, request);
      return holdDeletions(parts, source, resources, reason, fenceOf(request));
    },
  );
  server.post(
    '/resources/confirm-deletions',
    describe(
      'Let the held deletions happen',
      { querystring: confirmQuery },
      z.object({ confirmed: z.array(heldDeletionsSchema) }),
    ),
    async (request) => {
      const { source, id } = request.query as z.output<typeof confirmQuery>;
      return { confirmed: await confirmDeletions(parts, source, id) };
    },
  );
}

function sourceOf(request: FastifyRequest): string | undefined {
  return (request.query as z.output<typeof sourceQuery>).source;
}

/** The hash is for the operator's own bookkeeping. */
function shown({ specHash: _specHash, ...record }: StoredResource): ResourceRecord {
  return record;
}
