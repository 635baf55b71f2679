import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { OwnerMark } from '../../model/entity/draft.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { CatalogRequest } from '../catalog/request.ts';
import type { WriteOptions } from './entity-changes.ts';
import { fenceOf } from './fence-header.ts';
import { onlyReads } from './only-reads.ts';
import type { WriteQuery } from './parameters.ts';

/** The server with requests that are typed by the schemas of their routes. */
export function typed(server: FastifyInstance) {
  return server.withTypeProvider<ZodTypeProvider>();
}

export type TypedServer = ReturnType<typeof typed>;

/** A request whose path and query have been read by the schemas of its route. */
export interface Asked<Params = unknown, Query = unknown> extends FastifyRequest {
  params: Params;
  query: Query;
}

/** Who is meant when a request does not say who it comes from, as with the reference catalogue. */
const SYSTEM_ACTOR = 'urn:li:corpuser:__datahub_system';

declare module 'fastify' {
  interface FastifyRequest {
    /** When it has to be done, ms. */
    deadline: number;
  }
}

/** The time of a request runs from the moment in which it comes in, not from the one in which its body is there. */
export function setDeadlines(server: FastifyInstance, { now, settings }: CatalogParts): void {
  server.decorateRequest('deadline', 0);
  server.addHook('onRequest', async (request) => {
    request.deadline = now() + settings.requestTimeout;
  });
}

/**
 * Who asks, until when, and as which leader: once a request, since its reads have one view of the registry.
 * @throws CatalogError for the fence of a write that cannot be read.
 */
export function contextOf(parts: CatalogParts, request: FastifyRequest): CatalogRequest {
  const actor = request.headers['x-datahub-actor'];
  const fence = onlyReads(request) ? undefined : fenceOf(request);
  return new CatalogRequest(parts, {
    actor: typeof actor === 'string' && actor.startsWith('urn:li:') ? actor : SYSTEM_ACTOR,
    deadline: request.deadline,
    ...(fence === undefined ? {} : { fence }),
  });
}

/**
 * The owner mark that a write carries: `X-Proplane-Owner: source=…&kind=…&namespace=…&name=…&deletionPolicy=…`.
 * @throws CatalogError naming the missing parts.
 */
export function ownerOf(request: FastifyRequest): OwnerMark | undefined {
  const header = request.headers['x-proplane-owner'];
  if (header === undefined) return undefined;
  const given = new URLSearchParams(String(header));
  const fields = ['source', 'kind', 'namespace', 'name', 'deletionPolicy'] as const;
  const absent = fields.filter((field) => !given.get(field));
  if (absent.length > 0) throw new CatalogError('malformed', `header X-Proplane-Owner: ${absent.join(', ')} missing`);
  return Object.fromEntries(fields.map((field) => [field, given.get(field)])) as unknown as OwnerMark;
}

/** What a request says about its writes. */
export function writeOptionsOf({ settings }: CatalogParts, request: Asked<unknown, WriteQuery>): WriteOptions {
  return { settings, query: request.query, owner: ownerOf(request) };
}
