import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { recordNameOf, snapshotNameOf } from '../../../model/record-name.ts';
import { keyAspectOf, parseUrn } from '../../../model/urn.ts';
import { missing } from '../../catalog/errors.ts';
import type { CatalogParts } from '../../catalog/parts.ts';
import type { AspectView } from '../../catalog/read/read-entities.ts';
import { contextOf } from '../../request/context.ts';
import { errorResponses } from '../../request/errors.ts';
import { readEntity } from '../../use-cases/entities.ts';
import { urnParameter } from '../parameters.ts';
import { typed } from '../typed-routes.ts';

const params = z.object({ urn: urnParameter });
const snapshotResponse = z.object({ value: z.record(z.string(), z.unknown()) });
const entityResponse = z.object({
  urn: z.string(),
  entityName: z.string(),
  aspects: z.record(z.string(), z.unknown()),
});

/** `GET /entities/<urn>` and `GET /entitiesV2/<urn>`: whole entities in the forms that came before OpenAPI. */
export function entityReadRoutes(untyped: FastifyInstance, parts: CatalogParts): void {
  const server = typed(untyped);
  const describe = (summary: string, success: z.ZodType) => ({
    schema: { tags: ['Entities'], summary, params, response: { 200: success, ...errorResponses } },
  });
  server.get('/entities/:urn', describe('read an entity as a snapshot', snapshotResponse), async (request) => {
    const urn = parseUrn(request.params.urn);
    const view = await readEntity(contextOf(parts, request), urn);
    if (view === undefined) throw missing(urn.urn);
    const aspects = Object.entries(view.aspects).map(([name, { value }]) => ({ [recordNameOf(name)]: value }));
    return { value: { [snapshotNameOf(urn.entityType.name)]: { urn: urn.urn, aspects } } };
  });
  server.get('/entitiesV2/:urn', describe('read an entity with all its aspects', entityResponse), async (request) => {
    const urn = parseUrn(request.params.urn);
    // Clients take an entity with nothing but its key for one that does not exist; a 404 they do not understand.
    const aspects = (await readEntity(contextOf(parts, request), urn))?.aspects ?? {
      [urn.entityType.keyAspect]: { value: keyAspectOf(urn) },
    };
    const entries = Object.entries(aspects).map(([name, aspect]) => [name, aspectBody(name, aspect)]);
    return { urn: urn.urn, entityName: urn.entityType.name, aspects: Object.fromEntries(entries) };
  });
}

function aspectBody(name: string, { value, stored }: AspectView): object {
  const created = stored === undefined ? {} : { created: stored.modified };
  return { name, type: 'VERSIONED', version: 0, value, ...created };
}
