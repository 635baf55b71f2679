import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { aspectsOf, findAspect } from '../../model/aspect.ts';
import { keyAspectOf, type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { CatalogError, missing } from '../catalog/errors.ts';
import { listEntities } from '../catalog/find/list-entities.ts';
import { resolveQuery } from '../catalog/find/resolve-query.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type EntityView, readEntity, viewEntities } from '../catalog/read/read-entities.ts';
import { requireAspect } from '../catalog/require-aspect.ts';
import { ownedThings } from '../catalog/resources/owners.ts';
import { patchEntities, writeEntities } from '../catalog/write/change-entities.ts';
import { deleteAspects, deleteEntity } from '../catalog/write/delete-entity.ts';
import type { EntityDocument } from '../store/port.ts';
import { readAspectBody, type SentAspect } from './aspect-body.ts';
import { patchOf, type SentEntity, writeOf } from './entity-changes.ts';
import {
  type aspectQuery,
  type deleteQuery,
  type entityQuery,
  type listQuery,
  requestedAspects,
  type writeQuery,
} from './parameters.ts';
import { contextOf, requireEntityType, urnOf, writeOptionsOf } from './request-context.ts';
import { canonicalAspects } from './requested-aspects.ts';
import { type ApiVersion, aspectReadBody, entityBody } from './views.ts';

type EntityQuery = z.output<typeof entityQuery>;
type WriteQuery = z.output<typeof writeQuery>;
type DeleteQuery = z.output<typeof deleteQuery>;
type ListQuery = z.output<typeof listQuery>;

/** Where a request points; the aspect only on routes that have one. */
interface Path {
  /** Absent: what the URN says. */
  readonly entityType?: string;
  readonly urn: string;
  readonly aspect: string;
}

/** Handlers of the entity routes of one version. The path's names may come from the route itself. */
export class EntityHandlers {
  readonly #parts: CatalogParts;
  readonly #version: ApiVersion;
  readonly #fixed: Partial<Path>;

  constructor(parts: CatalogParts, version: ApiVersion, fixed: Partial<Path> = {}) {
    this.#parts = parts;
    this.#version = version;
    this.#fixed = fixed;
  }

  list = async (request: FastifyRequest): Promise<object> => {
    const query = request.query as ListQuery;
    const entityType = requireEntityType(this.#path(request).entityType ?? '');
    const aspects = canonicalAspects([entityType], requestedAspects(query));
    const page = await listEntities(this.#parts, {
      entityTypes: [entityType],
      condition: (registry) => resolveQuery(query.query, registry),
      count: query.count,
      order: query.sortOrder === 'ASCENDING' ? 'ascending' : 'descending',
      includeRemoved: query.includeSoftDelete ?? false,
      ...(aspects === undefined ? {} : { aspects }),
      ...(query.scrollId === undefined ? {} : { scrollId: query.scrollId }),
    });
    const entities = page.entities.map((view) => entityBody(this.#version, view, query.systemMetadata ?? false));
    const scroll = page.scrollId === undefined ? {} : { scrollId: page.scrollId };
    return this.#version === 'v3' ? { ...scroll, entities, totalCount: page.total } : { ...scroll, results: entities };
  };

  read = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const query = request.query as EntityQuery;
    const urn = this.#urn(request);
    const found = await readEntity(this.#parts, urn, canonicalAspects([urn.entityType], requestedAspects(query)));
    const view = found ?? (this.#version === 'v2' ? keyOnly(urn) : undefined);
    if (view === undefined) {
      reply.header('not-found-reason', 'ENTITY');
      throw missing(urn.urn);
    }
    const body = entityBody(this.#version, view, query.systemMetadata ?? false);
    return query.owners === true ? { ...body, owners: ownedThings(view) } : body;
  };

  exists = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const view = await readEntity(this.#parts, this.#urn(request), new Set(['status']));
    reply.code(view === undefined || view.aspects.status?.value.removed === true ? 404 : 204).send();
  };

  /** The whole entity, only the aspects that the request names, or with `clear` all but the key. */
  remove = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const query = request.query as DeleteQuery;
    const urn = this.#urn(request);
    const context = contextOf(this.#parts, request);
    const named = query.clear
      ? aspectsOf(urn.entityType).slice(1)
      : requestedAspects(query)?.map((name) => requireAspect(urn, name));
    if (named === undefined) await deleteEntity(this.#parts, urn, context);
    else await deleteAspects(this.#parts, urn, new Set(named), context);
    reply.code(200).send();
  };

  readAspect = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const urn = this.#urn(request);
    const aspect = requireAspect(urn, this.#path(request).aspect);
    const view = await readEntity(this.#parts, urn, new Set([aspect]));
    if (view?.aspects[aspect] === undefined) {
      reply.header('not-found-reason', view === undefined ? 'ENTITY' : 'ASPECT');
      throw view === undefined ? missing(urn.urn) : new CatalogError('missing', `${urn.urn} has no aspect ${aspect}`);
    }
    const { version, systemMetadata = false } = request.query as z.output<typeof aspectQuery>;
    const present = view.aspects[aspect].stored?.version ?? 1;
    if (version !== 0 && version !== present) {
      reply.header('not-found-reason', 'ASPECT');
      throw new CatalogError('missing', `${urn.urn} has version ${present} of ${aspect}; earlier ones are not kept`);
    }
    return aspectReadBody(this.#version, view, aspect, systemMetadata);
  };

  aspectExists = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const urn = this.#urn(request);
    const aspect = findAspect(urn.entityType, this.#path(request).aspect);
    const view = aspect === undefined ? undefined : await readEntity(this.#parts, urn, new Set([aspect]));
    reply.code(view?.aspects[aspect ?? ''] === undefined ? 404 : 204).send();
  };

  writeAspect = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const sent = this.#sent(request, readAspectBody(request.body));
    const write = writeOf(sent, writeOptionsOf(this.#parts, request));
    const [document] = await writeEntities(this.#parts, [write], contextOf(this.#parts, request));
    return this.#written(request, reply, document);
  };

  patchAspect = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const patch = patchOf(this.#sent(request, { value: request.body }), writeOptionsOf(this.#parts, request));
    const [document] = await patchEntities(this.#parts, [patch], contextOf(this.#parts, request));
    return this.#written(request, reply, document);
  };

  removeAspect = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const urn = this.#urn(request);
    const aspects = new Set([requireAspect(urn, this.#path(request).aspect)]);
    await deleteAspects(this.#parts, urn, aspects, contextOf(this.#parts, request));
    reply.code(200).send();
  };

  #sent(request: FastifyRequest, aspect: SentAspect): SentEntity {
    const urn = this.#urn(request);
    return { urn, aspects: { [requireAspect(urn, this.#path(request).aspect)]: aspect } };
  }

  async #written(request: FastifyRequest, reply: FastifyReply, document: EntityDocument | undefined): Promise<object> {
    const query = request.query as WriteQuery;
    if (query.async === true) reply.code(202);
    const aspect = requireAspect(this.#urn(request), this.#path(request).aspect);
    const [view] = await viewEntities(this.#parts, document === undefined ? [] : [document], new Set([aspect]));
    return view === undefined ? {} : entityBody(this.#version, view, query.systemMetadata ?? false);
  }

  #path(request: FastifyRequest): Path {
    return { ...(request.params as Path), ...this.#fixed };
  }

  #urn(request: FastifyRequest): ParsedUrn {
    const { entityType, urn } = this.#path(request);
    return entityType === undefined ? parseUrn(urn) : urnOf({ entityType, urn });
  }
}

/** Version 2 shows an entity that does not exist as one that has nothing but its key, as the reference catalogue does. */
function keyOnly(urn: ParsedUrn): EntityView {
  return { urn: urn.urn, aspects: { [urn.entityType.keyAspect]: { value: keyAspectOf(urn) } }, owners: {} };
}
