import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { findAspect } from '../../model/aspect.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type EntityView, readEntities, viewEntities } from '../catalog/read/read-entities.ts';
import { checkDeadline } from '../catalog/request-deadline.ts';
import { ownedThings } from '../catalog/resources/owners.ts';
import { patchEntities, writeEntities } from '../catalog/write/change-entities.ts';
import type { EntityDocument } from '../store/port.ts';
import { readAspectBody, readWantedAspect, type SentAspect } from './aspect-body.ts';
import { batchGetRequest, readBatch, readGenericBatch, readUrns } from './batch-body.ts';
import { checkedBody } from './checked-body.ts';
import { changesOf, patchOf, type SentEntity, writeOf } from './entity-changes.ts';
import type { batchGetQuery, writeQuery } from './parameters.ts';
import { contextOf, requireEntityType, writeOptionsOf } from './request-context.ts';
import { canonicalAspects } from './requested-aspects.ts';
import { type ApiVersion, entityBody } from './views.ts';

/** Entities that one request may ask for. */
const MAX_READ = 1000;
const READ_AT_ONCE = 100;

/** How a route's bodies hold entities: a list of one type, or an object of such lists by the names of their types. */
export type BatchForm = 'list' | 'generic';

/** Handlers of the routes about many entities. */
export class BatchHandlers {
  readonly #parts: CatalogParts;
  readonly #version: ApiVersion;
  readonly #form: BatchForm;

  constructor(parts: CatalogParts, version: ApiVersion, form: BatchForm) {
    this.#parts = parts;
    this.#version = version;
    this.#form = form;
  }

  write = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const sent = this.#sent(request, readAspectBody);
    const options = writeOptionsOf(this.#parts, request);
    const writes = changesOf(sent, (each) => writeOf(each, options));
    const documents = await writeEntities(this.#parts, writes, contextOf(this.#parts, request));
    return this.#written(request, reply, sent, documents);
  };

  patch = async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const sent = this.#sent(request, readAspectBody);
    const options = writeOptionsOf(this.#parts, request);
    const patches = changesOf(sent, (each) => patchOf(each, options));
    const documents = await patchEntities(this.#parts, patches, contextOf(this.#parts, request));
    return this.#written(request, reply, sent, documents);
  };

  /** The named aspects of the named entities, as far as they exist; with `If-Version-Match` only in that version. */
  read = async (request: FastifyRequest): Promise<object> => {
    const sent = this.#sent(request, readWantedAspect);
    checkCount(sent.length);
    const { systemMetadata = false, owners = false } = request.query as z.output<typeof batchGetQuery>;
    const urns = sent.map(({ urn }) => urn.urn);
    const views = await this.#readAll(urns, undefined, request);
    const byUrn = new Map(views.map((view) => [view.urn, view]));
    const shown = sent.flatMap((each) => {
      const view = byUrn.get(each.urn.urn);
      return view === undefined ? [] : [onlyAskedFor(view, each)];
    });
    return this.#answer(shown, systemMetadata, owners);
  };

  /** Version 2's form of the same: one list of aspects for all entities. */
  readV2 = async (request: FastifyRequest): Promise<object> => {
    const { urns, aspectNames, withSystemMetadata = false } = checkedBody(batchGetRequest, request);
    const entityType = requireEntityType((request.params as { entityType: string }).entityType);
    checkCount(urns.length);
    const wanted = canonicalAspects([entityType], aspectNames);
    const views = await this.#readAll(readUrns(urns, entityType), wanted, request);
    return { entities: views.map((view) => entityBody('v2', view, withSystemMetadata)) };
  };

  /** In parts: entities may be large. */
  async #readAll(
    urns: readonly string[],
    aspects: ReadonlySet<string> | undefined,
    request: FastifyRequest,
  ): Promise<EntityView[]> {
    const context = contextOf(this.#parts, request);
    const views: EntityView[] = [];
    for (let start = 0; start < urns.length; start += READ_AT_ONCE) {
      checkDeadline(this.#parts, context);
      views.push(...(await readEntities(this.#parts, urns.slice(start, start + READ_AT_ONCE), aspects)));
    }
    return views;
  }

  #sent({ params, body }: FastifyRequest, readAspect: (body: unknown) => SentAspect): SentEntity[] {
    if (this.#form === 'generic') return readGenericBatch(body, readAspect);
    const { entityType } = params as { entityType: string };
    return readBatch(this.#version, requireEntityType(entityType), body, readAspect);
  }

  async #written(
    request: FastifyRequest,
    reply: FastifyReply,
    sent: readonly SentEntity[],
    documents: readonly EntityDocument[],
  ): Promise<object> {
    const query = request.query as z.output<typeof writeQuery>;
    if (query.async !== false) reply.code(202);
    if (this.#version === 'v2') return documents.map(({ urn }) => ({ urn }));
    const views = await viewEntities(this.#parts, documents, new Set(sent.flatMap(writtenAspects)));
    const byUrn = Map.groupBy(sent, ({ urn }): string => urn.urn);
    const shown = views.map((view) => only(view, new Set((byUrn.get(view.urn) ?? []).flatMap(writtenAspects))));
    return this.#answer(shown, query.systemMetadata ?? false);
  }

  #answer(views: readonly EntityView[], systemMetadata: boolean, owners = false): object {
    const bodyOf = (view: EntityView): object => ({
      ...entityBody(this.#version, view, systemMetadata),
      ...(owners ? { owners: ownedThings(view) } : {}),
    });
    if (this.#form === 'list') return views.map(bodyOf);
    const byType = Map.groupBy(views, ({ urn }) => urn.split(':')[2] ?? '');
    return Object.fromEntries([...byType].map(([type, list]) => [type, list.map(bodyOf)]));
  }
}

/** All aspects when none is named; of those that are named with a version, the ones that have it. */
function onlyAskedFor(view: EntityView, { urn, aspects }: SentEntity): EntityView {
  if (Object.keys(aspects).length === 0) return view;
  const shown = Object.entries(aspects).flatMap(([given, { precondition }]) => {
    const name = findAspect(urn.entityType, given);
    const aspect = name === undefined ? undefined : view.aspects[name];
    if (name === undefined || aspect === undefined) return [];
    const isWanted = precondition?.version === undefined || precondition.version === (aspect.stored?.version ?? 1);
    return isWanted ? [[name, aspect] as const] : [];
  });
  return { ...view, aspects: Object.fromEntries(shown) };
}

/** Canonical names of the aspects that were sent for an entity, and its key. */
function writtenAspects({ urn, aspects }: SentEntity): string[] {
  const { entityType } = urn;
  return [entityType.keyAspect, ...Object.keys(aspects).flatMap((name) => findAspect(entityType, name) ?? [])];
}

function only(view: EntityView, names: ReadonlySet<string>): EntityView {
  return { ...view, aspects: Object.fromEntries(Object.entries(view.aspects).filter(([name]) => names.has(name))) };
}

function checkCount(count: number): void {
  if (count <= MAX_READ) return;
  throw new CatalogError('malformed', `${count} entities are asked for; at most ${MAX_READ} at a time`);
}
