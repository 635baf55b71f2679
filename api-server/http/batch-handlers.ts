import type { FastifyReply } from 'fastify';
import { findAspect } from '../../model/aspect.ts';
import { MAX_ANSWER_BYTES } from '../../model/limits.ts';
import { CatalogError } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type EntityView, tooLarge, viewEntities } from '../catalog/read/read-entities.ts';
import type { CatalogRequest } from '../catalog/request.ts';
import { checkedBody } from '../request/bodies.ts';
import { contextOf } from '../request/context.ts';
import type { EntityDocument } from '../store/port.ts';
import { demandToSeeMarks, patchEntities, readAllEntities, writeEntities } from '../use-cases/entities.ts';
import { ownedThings } from '../use-cases/resources.ts';
import { readAspectBody, readWantedAspect, type SentAspect } from './aspect-body.ts';
import { batchGetRequest, readBatch, readGenericBatch, readUrns } from './batch-body.ts';
import { changesOf, patchOf, type SentEntity, writeOf, writeOptionsOf } from './entity-changes.ts';
import { type JsonText, listText, objectText, sendText, textOf } from './json-text.ts';
import { type BatchGetQuery, canonicalAspects, requireEntityType, type WriteQuery } from './parameters.ts';
import type { Asked } from './typed-routes.ts';
import { type ApiVersion, entityBody, printing } from './views.ts';

/** Entities that one request may ask for. */
const MAX_READ = 1000;

/** How a route's bodies hold entities: a list of one type, or an object of such lists by the names of their types. */
export type BatchForm = 'list' | 'generic';

export interface BatchPath {
  /** Absent: the body says it. */
  readonly entityType?: string;
}

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

  write = async (request: Asked<BatchPath, WriteQuery>, reply: FastifyReply): Promise<object> => {
    const context = contextOf(this.#parts, request);
    const sent = this.#sent(request, readAspectBody);
    const options = writeOptionsOf(this.#parts, request);
    const writes = changesOf(sent, (each) => writeOf(each, options));
    const documents = await writeEntities(context, writes);
    return this.#written(request, reply, context, sent, documents);
  };

  patch = async (request: Asked<BatchPath, WriteQuery>, reply: FastifyReply): Promise<object> => {
    const context = contextOf(this.#parts, request);
    const sent = this.#sent(request, readAspectBody);
    const options = writeOptionsOf(this.#parts, request);
    const patches = changesOf(sent, (each) => patchOf(each, options));
    const documents = await patchEntities(context, patches);
    return this.#written(request, reply, context, sent, documents);
  };

  /** The named aspects of the named entities, as far as they exist; with `If-Version-Match` only in that version. */
  read = async (request: Asked<BatchPath, BatchGetQuery>, reply: FastifyReply): Promise<object> => {
    const sent = this.#sent(request, readWantedAspect);
    checkCount(sent.length);
    const { systemMetadata, owners } = request.query;
    const asked = Map.groupBy(sent, ({ urn }): string => urn.urn);
    let bytes = 0;
    const show = (view: EntityView): Printed[] =>
      (asked.get(view.urn) ?? []).map((each) => {
        // One large entity may be asked for many times.
        if (bytes >= 2 * MAX_ANSWER_BYTES) throw tooLarge(`${view.urn} does not fit so often`);
        const text = this.#print(onlyAskedFor(view, each), systemMetadata, owners);
        bytes += text.length;
        return { urn: view.urn, text };
      });
    const urns = [...asked.keys()].map((urn) => ({ urn }));
    const context = contextOf(this.#parts, request);
    if (owners) await demandToSeeMarks(context);
    const found = await readAllEntities(context, urns, { show, bytesOf: lengthOf });
    const byUrn = Map.groupBy(found.flat(), ({ urn }) => urn);
    return this.#answer(
      reply,
      sent.flatMap(({ urn }) => byUrn.get(urn.urn)?.shift() ?? []),
    );
  };

  /** Version 2's form of the same: one list of aspects for all entities. */
  readV2 = async (request: Asked<{ entityType: string }>, reply: FastifyReply): Promise<object> => {
    const { urns, aspectNames, withSystemMetadata = false } = checkedBody(batchGetRequest, request);
    const entityType = requireEntityType(request.params.entityType);
    checkCount(urns.length);
    const wanted = canonicalAspects([entityType], aspectNames);
    const named = new Set(readUrns(urns, entityType).map(({ urn }) => urn));
    const inVersion2 = printing((view) => entityBody('v2', view, withSystemMetadata));
    const showing = { aspects: wanted, ...inVersion2 };
    const asked = [...named].map((urn) => ({ urn }));
    const entities = await readAllEntities(contextOf(this.#parts, request), asked, showing);
    return sendText(reply, objectText({ entities: listText(entities) }));
  };

  #sent({ params, body }: Asked<BatchPath>, readAspect: (body: unknown) => SentAspect): SentEntity[] {
    const { entityType } = params;
    if (entityType === undefined) return readGenericBatch(body, readAspect);
    return readBatch(this.#version, requireEntityType(entityType), body, readAspect);
  }

  async #written(
    { query }: Asked<BatchPath, WriteQuery>,
    reply: FastifyReply,
    context: CatalogRequest,
    sent: readonly SentEntity[],
    documents: readonly EntityDocument[],
  ): Promise<object> {
    if (query.async !== false) reply.code(202);
    if (this.#version === 'v2') return documents.map(({ urn }) => ({ urn }));
    const views = await viewEntities(context, documents, new Set(sent.flatMap(writtenAspects)));
    const byUrn = Map.groupBy(sent, ({ urn }): string => urn.urn);
    const shown = views.map((view) => only(view, new Set((byUrn.get(view.urn) ?? []).flatMap(writtenAspects))));
    return this.#answer(
      reply,
      shown.map((view) => ({ urn: view.urn, text: this.#print(view, query.systemMetadata) })),
    );
  }

  #print(view: EntityView, systemMetadata: boolean, owners = false): JsonText {
    return textOf({
      ...entityBody(this.#version, view, systemMetadata),
      ...(owners ? { owners: ownedThings(view) } : {}),
    });
  }

  #answer(reply: FastifyReply, printed: readonly Printed[]): object {
    if (this.#form === 'list') return sendText(reply, listText(printed.map(({ text }) => text)));
    const byType = Map.groupBy(printed, ({ urn }) => urn.split(':')[2] ?? '');
    const members = [...byType].map(([type, list]) => [type, listText(list.map(({ text }) => text))] as const);
    return sendText(reply, objectText(Object.fromEntries(members)));
  }
}

/** An entity of an answer. */
interface Printed {
  readonly urn: string;
  readonly text: JsonText;
}

function lengthOf(printed: readonly Printed[]): number {
  return printed.reduce((sum, { text }) => sum + text.length, 0);
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
