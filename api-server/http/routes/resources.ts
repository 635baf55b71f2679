import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { CatalogError } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import {
  confirmDeletions,
  forgetResource,
  holdDeletions,
  listHeldDeletions,
  listResources,
  type ResourceName,
  type ResourceRecord,
  readResource,
  registerResources,
  reportResource,
} from '../../catalog/resources/resources.ts';
import { checkedBody } from '../../request/bodies.ts';
import { errorResponses } from '../../request/errors.ts';
import { fenceOf } from '../../request/fence-header.ts';

const nameFields = { kind: z.string().min(1), namespace: z.string().min(1), name: z.string().min(1) };
const nameSchema = z.strictObject(nameFields);
const sourceQuery = z.object({ source: z.string().optional().describe('Only of this source') });

const confirmQuery = sourceQuery.extend({
  id: z.string().optional().describe('Only this set, as it was shown; another set that is held by now stays held'),
});

const registration = z.strictObject({
  source: z.string().min(1),
  resources: z.array(z.strictObject({ ...nameFields, specHash: z.string(), location: z.string().optional() })),
});

const report = z.strictObject({
  source: z.string().min(1),
  status: z.record(z.string(), z.unknown()),
  location: z.string().optional(),
});

const holding = z.strictObject({
  source: z.string().min(1),
  resources: z.array(nameSchema),
  reason: z.string().default(''),
});

const recordSchema = z
  .object({
    ...nameFields,
    source: z.string(),
    generation: z.number().int(),
    created: z.number().describe('When the server first recorded it, ms'),
    location: z.string().optional().describe('file:line'),
    status: z.record(z.string(), z.unknown()).optional().describe('Conditions and counts that the operator reports'),
  })
  .meta({ id: 'ResourceRecord' });

const heldSchema = z.object({
  source: z.string(),
  id: z.string(),
  resources: z.array(nameSchema),
  reason: z.string(),
  confirmed: z.boolean(),
});

/** What operators report about their resources, for people and for the operators themselves. */
export function resourceRoutes(server: FastifyInstance, parts: CatalogParts): void {
  const describe = (summary: string, more: object, success: z.ZodType) => ({
    schema: { tags: ['Resources'], summary, ...more, response: { 200: success, ...errorResponses } },
  });
  server.get(
    '/resources',
    describe(
      'All resources with their status',
      { querystring: sourceQuery },
      z.object({ resources: z.array(recordSchema) }),
    ),
    async (request) => ({ resources: (await listResources(parts, sourceOf(request))).map(shown) }),
  );
  server.post(
    '/resources/register',
    describe('Record resources that were seen', { body: registration }, z.object({ resources: z.array(recordSchema) })),
    async (request) => {
      const { source, resources } = checkedBody(registration, request);
      return { resources: (await registerResources(parts, source, resources, fenceOf(request))).map(shown) };
    },
  );
  heldDeletionRoutes(server, parts, describe);
  const path = '/resources/:kind/:namespace/:name';
  const params = z.object(nameFields);
  server.get(
    path,
    describe('One resource with its status', { params, querystring: sourceQuery }, recordSchema),
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
    describe('Report the status of a resource', { params, body: report }, recordSchema),
    async (request) => {
      const { source, status, location } = checkedBody(report, request);
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
    describe('Deletions that wait for a person', { querystring: sourceQuery }, z.object({ held: z.array(heldSchema) })),
    async (request) => ({ held: await listHeldDeletions(parts, sourceOf(request)) }),
  );
  server.put(
    '/resources/held-deletions',
    describe('Report which deletions are held back; an empty list clears', { body: holding }, heldSchema),
    async (request) => {
      const { source, resources, reason } = checkedBody(holding, request);
      return holdDeletions(parts, source, resources, reason, fenceOf(request));
    },
  );
  server.post(
    '/resources/confirm-deletions',
    describe(
      'Let the held deletions happen',
      { querystring: confirmQuery },
      z.object({ confirmed: z.array(heldSchema) }),
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
function shown({ specHash: _specHash, ...record }: ResourceRecord): Omit<ResourceRecord, 'specHash'> {
  return record;
}
