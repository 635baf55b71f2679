import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { aspectsOf, findAspect, isKnownAspect } from '../../model/aspect.ts';
import { type EntityTypeInfo, findEntityType } from '../../model/entity-type.ts';
import { parsePatch } from '../../model/patch.ts';
import { keyAspectOf, type ParsedUrn } from '../../model/urn.ts';
import { type Violation, violation } from '../../model/violation.ts';
import { deleteAspect, deleteEntity } from '../catalog/delete-entity.ts';
import { aspectNames, type EntityWrite, type WriteCondition } from '../catalog/entity-write.ts';
import { CatalogError, invalid, missing } from '../catalog/errors.ts';
import { listEntities } from '../catalog/list-entities.ts';
import { parseAspects, requireAspect } from '../catalog/parse-aspects.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { patchAssignments, patchPlainAspect } from '../catalog/patch-aspect.ts';
import { type EntityView, readEntity, viewEntities } from '../catalog/read-entities.ts';
import { resolveQuery } from '../catalog/resolve-query.ts';
import { writeEntities } from '../catalog/write-entities.ts';
import type { EntityDocument } from '../store/port.ts';
import { unwrapAspect } from './aspect-body.ts';
import { type BatchItem, readBatch } from './batch-body.ts';
import { type deleteQuery, type listQuery, type readQuery, requestedAspects, type writeQuery } from './parameters.ts';
import { contextOf, ownerOf, urnOf } from './request-context.ts';
import { type ApiVersion, aspectReadBody, entityBody } from './views.ts';

type ReadQuery = z.output<typeof readQuery>;
type WriteQuery = z.output<typeof writeQuery>;
type DeleteQuery = z.output<typeof deleteQuery>;
type ListQuery = z.output<typeof listQuery>;

/** Where a request points; the aspect only on routes that have one. */
interface Path {
  readonly entityType: string;
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
    const entityType = requireEntityType(this.#path(request).entityType);
    const aspects = this.#aspects(entityType, query);
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
    const query = request.query as ReadQuery;
    const urn = this.#urn(request);
    const view = await readEntity(this.#parts, urn, this.#aspects(urn.entityType, query));
    if (view === undefined && this.#version === 'v2') return entityBody('v2', keyOnly(urn), false);
    if (view === undefined) {
      reply.header('not-found-reason', 'ENTITY');
      throw missing(urn.urn);
    }
    return entityBody(this.#version, view, query.systemMetadata ?? false);
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
    const named = query.clear ? new Set(aspectsOf(urn.entityType).slice(1)) : this.#aspects(urn.entityType, query);
    if (named === undefined) await deleteEntity(this.#parts, urn, context);
    else for (const aspect of named) await deleteAspect(this.#parts, urn, aspect, context);
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
    return aspectReadBody(this.#version, view, aspect, (request.query as ReadQuery).systemMetadata ?? false);
  };

  aspectExists = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const urn = this.#urn(request);
    const aspect = findAspect(urn.entityType, this.#path(request).aspect);
    const view = aspect === undefined ? undefined : await readEntity(this.#parts, urn, new Set([aspect]));
    reply.code(view?.aspects[aspect ?? ''] === undefined ? 404 : 204).send();
  };

  writeAspect = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const urn = this.#urn(request);
    const aspect = requireAspect(urn, this.#path(request).aspect);
    const query = request.query as WriteQuery;
    // Values are put on what exists; any other aspect is what makes an entity exist.
    const fallback = aspect === 'structuredProperties' && urn.entityType.name !== 'schemaField' ? 'update' : 'upsert';
    const write = this.#write(urn, { [aspect]: unwrapAspect(request.body) }, conditionsOf(query, fallback), request);
    const [document] = await writeEntities(this.#parts, [write], contextOf(this.#parts, request));
    return this.#written(reply, query, document, [aspect]);
  };

  patchAspect = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const urn = this.#urn(request);
    const aspect = requireAspect(urn, this.#path(request).aspect);
    const patch = parsePatch(request.body);
    if (!patch.ok) throw invalid(patch.violations);
    const query = request.query as WriteQuery;
    const isAssignments = aspect === 'structuredProperties';
    const creates = !isAssignments || urn.entityType.name === 'schemaField' || query.createIfEntityNotExists === true;
    const owner = ownerOf(request);
    const condition = creates ? 'upsert' : 'update';
    const patched = { urn, patch: patch.value, condition, ...(owner === undefined ? {} : { owner }) } as const;
    const context = contextOf(this.#parts, request);
    const document = isAssignments
      ? await patchAssignments(this.#parts, patched, context)
      : await patchPlainAspect(this.#parts, aspect, patched, context);
    return this.#written(reply, query, document, [aspect]);
  };

  removeAspect = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const urn = this.#urn(request);
    const aspect = findAspect(urn.entityType, this.#path(request).aspect);
    if (aspect !== undefined) await deleteAspect(this.#parts, urn, aspect, contextOf(this.#parts, request));
    reply.code(200).send();
  };

  writeBatch = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const query = request.query as WriteQuery;
    const entityType = requireEntityType(this.#path(request).entityType);
    const items = readBatch(this.#version, entityType, request.body);
    const writes = this.#writes(items, query, request);
    const documents = await writeEntities(this.#parts, writes, contextOf(this.#parts, request));
    if (query.async !== false) reply.code(202);
    if (this.#version === 'v2') return documents.map(({ urn }) => ({ urn }));
    const wanted = new Set([entityType.keyAspect, ...writes.flatMap(aspectNames)]);
    const views = await viewEntities(this.#parts, documents, wanted);
    return views.map((view) => entityBody('v3', view, query.systemMetadata ?? false));
  };

  async #written(
    reply: FastifyReply,
    query: WriteQuery,
    document: EntityDocument | undefined,
    aspects: readonly string[],
  ): Promise<object> {
    if (query.async === true) reply.code(202);
    const [view] = await viewEntities(this.#parts, document === undefined ? [] : [document], new Set(aspects));
    return view === undefined ? {} : entityBody(this.#version, view, query.systemMetadata ?? false);
  }

  #write(
    urn: ParsedUrn,
    aspects: Readonly<Record<string, unknown>>,
    conditions: WriteConditions,
    request: FastifyRequest,
  ): EntityWrite {
    const owner = ownerOf(request);
    const parsed = parseAspects(this.#parts.settings, urn, aspects);
    return { urn, ...conditions, ...parsed, ...(owner === undefined ? {} : { owner }) };
  }

  /** @throws CatalogError naming what is wrong with each item. */
  #writes(items: readonly BatchItem[], query: WriteQuery, request: FastifyRequest): EntityWrite[] {
    const violations: Violation[] = [];
    const writes = items.flatMap(({ urn, aspects }) => {
      const names = Object.keys(aspects).map((name) => findAspect(urn.entityType, name));
      const onlyValues = names.length === 1 && names[0] === 'structuredProperties';
      const fallback = onlyValues && urn.entityType.name !== 'schemaField' ? 'update' : 'upsert';
      try {
        return [this.#write(urn, aspects, conditionsOf(query, fallback), request)];
      } catch (error) {
        if (!(error instanceof CatalogError && error.code === 'invalid')) throw error;
        violations.push(violation(urn.urn, error.message));
        return [];
      }
    });
    if (violations.length > 0) throw invalid(violations);
    return writes;
  }

  #path(request: FastifyRequest): Path {
    return { ...(request.params as Path), ...this.#fixed };
  }

  #urn(request: FastifyRequest): ParsedUrn {
    return urnOf(this.#path(request));
  }

  /** Canonical names of the aspects that a request asks for; names of aspects that other types have are ignored. */
  #aspects(entityType: EntityTypeInfo, query: ReadQuery): ReadonlySet<string> | undefined {
    const names = requestedAspects(query);
    if (names === undefined) return undefined;
    const unknown = names.filter((name) => findAspect(entityType, name) === undefined && !isKnownAspect(name));
    if (unknown.length > 0) throw new CatalogError('malformed', `aspects: unknown aspect ${unknown.join(', ')}`);
    return new Set(names.map((name) => findAspect(entityType, name)).filter((name) => name !== undefined));
  }
}

type WriteConditions = Pick<EntityWrite, 'condition' | 'onlyNew'>;

function conditionsOf(query: WriteQuery, fallback: WriteCondition): WriteConditions {
  return {
    condition: query.createIfEntityNotExists === true ? 'upsert' : fallback,
    onlyNew: query.createIfNotExists === true,
  };
}

function requireEntityType(name: string): EntityTypeInfo {
  const entityType = findEntityType(name);
  if (entityType === undefined) throw new CatalogError('malformed', `Unknown entity type ${name}`);
  return entityType;
}

/** Version 2 shows an entity that does not exist as one that has nothing but its key, as the reference catalogue does. */
function keyOnly(urn: ParsedUrn): EntityView {
  return { urn: urn.urn, aspects: { [urn.entityType.keyAspect]: { value: keyAspectOf(urn) } } };
}
