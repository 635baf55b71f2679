import type { FastifyReply } from 'fastify';
import { aspectsOf, findAspect } from '../../model/aspect.ts';
import { keyAspectOf, type ParsedUrn } from '../../model/urn.ts';
import { CatalogError, missing } from '../catalog/errors.ts';
import { resolveQuery } from '../catalog/find/resolve-query.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type EntityView, viewEntities } from '../catalog/read/read-entities.ts';
import type { CatalogRequest } from '../catalog/request.ts';
import { requireAspect } from '../catalog/require-aspect.ts';
import { contextOf } from '../request/context.ts';
import type { EntityDocument } from '../store/port.ts';
import {
  deleteAspects,
  deleteEntity,
  demandToSeeMarks,
  findEntities,
  lookForEntity,
  patchEntities,
  readEntity,
  writeEntities,
} from '../use-cases/entities.ts';
import { ownedThings } from '../use-cases/resources.ts';
import { readAspectBody, type SentAspect } from './aspect-body.ts';
import { patchOf, type SentEntity, writeOf, writeOptionsOf } from './entity-changes.ts';
import { listText, objectText, sendText } from './json-text.ts';
import {
  type AspectPath,
  type AspectQuery,
  canonicalAspects,
  type DeleteQuery,
  type EntityPath,
  type EntityQuery,
  type ListQuery,
  requestedAspects,
  requireEntityType,
  urnOf,
  type WriteQuery,
} from './parameters.ts';
import type { Asked } from './typed-routes.ts';
import { type ApiVersion, aspectReadBody, entityBody, printing } from './views.ts';

/** Handlers of the entity routes of one version. */
export class EntityHandlers {
  readonly #parts: CatalogParts;
  readonly #version: ApiVersion;

  constructor(parts: CatalogParts, version: ApiVersion) {
    this.#parts = parts;
    this.#version = version;
  }

  list = async (request: Asked<{ entityType: string }, ListQuery>, reply: FastifyReply): Promise<object> => {
    const { query } = request;
    const context = contextOf(this.#parts, request);
    const entityType = requireEntityType(request.params.entityType);
    const aspects = canonicalAspects([entityType], requestedAspects(query));
    const asked = {
      entityTypes: [entityType],
      condition: await resolveQuery(query.query, await context.registry()),
      count: query.count,
      order: query.sortOrder === 'ASCENDING' ? ('ascending' as const) : ('descending' as const),
      includeRemoved: query.includeSoftDelete,
      ...(aspects === undefined ? {} : { aspects }),
      ...(query.scrollId === undefined ? {} : { scrollId: query.scrollId }),
    };
    const inVersion = printing((view) => entityBody(this.#version, view, query.systemMetadata));
    const page = await findEntities(context, asked, inVersion);
    const scrollId = page.scrollId === undefined ? undefined : [JSON.stringify(page.scrollId)];
    const list = listText(page.entities);
    const shown = this.#version === 'v3' ? { entities: list, totalCount: [String(page.total)] } : { results: list };
    return sendText(reply, objectText({ scrollId, ...shown }));
  };

  read = async (request: Asked<EntityPath, EntityQuery>, reply: FastifyReply): Promise<object> => {
    const { query } = request;
    const urn = urnOf(request.params);
    const aspects = canonicalAspects([urn.entityType], requestedAspects(query));
    const context = contextOf(this.#parts, request);
    if (query.owners) await demandToSeeMarks(context);
    const found = await readEntity(context, urn, aspects);
    const view = found ?? (this.#version === 'v2' ? keyOnly(urn) : undefined);
    if (view === undefined) {
      reply.header('not-found-reason', 'ENTITY');
      throw missing(urn.urn);
    }
    const body = entityBody(this.#version, view, query.systemMetadata);
    return query.owners ? { ...body, owners: ownedThings(view) } : body;
  };

  exists = async (request: Asked<EntityPath>, reply: FastifyReply): Promise<void> => {
    const view = await lookForEntity(contextOf(this.#parts, request), urnOf(request.params), new Set(['status']));
    reply.code(view === undefined || view.aspects.status?.value.removed === true ? 404 : 204).send();
  };

  /** The whole entity, only the aspects that the request names, or with `clear` all but the key. */
  remove = async (request: Asked<EntityPath, DeleteQuery>, reply: FastifyReply): Promise<void> => {
    const { query } = request;
    const urn = urnOf(request.params);
    const context = contextOf(this.#parts, request);
    const named = query.clear
      ? aspectsOf(urn.entityType).slice(1)
      : requestedAspects(query)?.map((name) => requireAspect(urn, name));
    if (named === undefined) await deleteEntity(context, urn);
    else await deleteAspects(context, urn, new Set(named));
    reply.code(200).send();
  };

  readAspect = async (request: Asked<AspectPath, AspectQuery>, reply: FastifyReply): Promise<object> => {
    const urn = urnOf(request.params);
    const aspect = requireAspect(urn, request.params.aspect);
    const view = await readEntity(contextOf(this.#parts, request), urn, new Set([aspect]));
    if (view?.aspects[aspect] === undefined) {
      reply.header('not-found-reason', view === undefined ? 'ENTITY' : 'ASPECT');
      throw view === undefined ? missing(urn.urn) : new CatalogError('missing', `${urn.urn} has no aspect ${aspect}`);
    }
    const { version, systemMetadata } = request.query;
    const present = view.aspects[aspect].stored?.version ?? 1;
    if (version !== 0 && version !== present) {
      reply.header('not-found-reason', 'ASPECT');
      throw new CatalogError('missing', `${urn.urn} has version ${present} of ${aspect}; earlier ones are not kept`);
    }
    return aspectReadBody(this.#version, view, aspect, systemMetadata);
  };

  aspectExists = async (request: Asked<AspectPath>, reply: FastifyReply): Promise<void> => {
    const urn = urnOf(request.params);
    const aspect = findAspect(urn.entityType, request.params.aspect) ?? '';
    const view = await lookForEntity(contextOf(this.#parts, request), urn, new Set([aspect]));
    reply.code(view?.aspects[aspect] === undefined ? 404 : 204).send();
  };

  writeAspect = async (request: Asked<AspectPath, WriteQuery>, reply: FastifyReply): Promise<object> => {
    const context = contextOf(this.#parts, request);
    const write = writeOf(sentIn(request, readAspectBody(request.body)), writeOptionsOf(this.#parts, request));
    const [document] = await writeEntities(context, [write]);
    return this.#written(request, reply, context, document);
  };

  patchAspect = async (request: Asked<AspectPath, WriteQuery>, reply: FastifyReply): Promise<object> => {
    const context = contextOf(this.#parts, request);
    const patch = patchOf(sentIn(request, { value: request.body }), writeOptionsOf(this.#parts, request));
    const [document] = await patchEntities(context, [patch]);
    return this.#written(request, reply, context, document);
  };

  removeAspect = async (request: Asked<AspectPath>, reply: FastifyReply): Promise<void> => {
    const urn = urnOf(request.params);
    const aspects = new Set([requireAspect(urn, request.params.aspect)]);
    await deleteAspects(contextOf(this.#parts, request), urn, aspects);
    reply.code(200).send();
  };

  async #written(
    { params, query }: Asked<AspectPath, WriteQuery>,
    reply: FastifyReply,
    context: CatalogRequest,
    document: EntityDocument | undefined,
  ): Promise<object> {
    if (query.async === true) reply.code(202);
    const aspect = requireAspect(urnOf(params), params.aspect);
    const [view] = await viewEntities(context, document === undefined ? [] : [document], new Set([aspect]));
    return view === undefined ? {} : entityBody(this.#version, view, query.systemMetadata);
  }
}

function sentIn({ params }: Asked<AspectPath>, aspect: SentAspect): SentEntity {
  const urn = urnOf(params);
  return { urn, aspects: { [requireAspect(urn, params.aspect)]: aspect } };
}

/** Version 2 shows an entity that does not exist as one that has nothing but its key, as the reference catalogue does. */
function keyOnly(urn: ParsedUrn): EntityView {
  return { urn: urn.urn, aspects: { [urn.entityType.keyAspect]: { value: keyAspectOf(urn) } }, owners: {} };
}
