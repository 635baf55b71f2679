import * as z from 'zod';
import type { Definition } from '../model/definition.ts';
import { ENTITY_TYPES } from '../model/entity-type.ts';
import { escapeWord } from '../model/query/print.ts';
import { publicFieldOf } from '../model/search-name.ts';
import { entityPageSchema } from '../model/wire/entity-answer.ts';
import { OWNER_HEADER, type OwnerMark, printOwnerMark } from '../model/wire/owner-mark.ts';
import { ask } from './ask.ts';
import { type Entity, entitySchema, pageSchema } from './entity.ts';
import type { HttpClient } from './http-client.ts';
import { isMissingEntity, RejectedError, UnavailableError } from './http-errors.ts';

/** Requests about entities, each by version 3 of the interface. They throw AnyHttpError. */

/** The server sends no more at once. */
const LARGEST_PAGE = 1000;
/** Entities that are read in one request. */
const READ_AT_ONCE = 500;

/** The path of an entity, or of an aspect of it. */
export function entityPath(urn: string, aspect?: string): string {
  const path = `/openapi/v3/entity/${entityTypeOf(urn)}/${encodeURIComponent(urn)}`;
  return aspect === undefined ? path : `${path}/${aspect}`;
}

/** The word for the type in a URN. */
export function entityTypeOf(urn: string): string {
  return urn.split(':', 3)[2] ?? '';
}

export interface ReadOptions {
  /** All when absent. */
  readonly aspects?: readonly string[];
  /** With the owner marks of the same moment. */
  readonly owners?: true;
}

/** @returns `undefined` when it does not exist; a soft-deleted one is returned. */
export async function readEntity(
  http: HttpClient,
  urn: string,
  { aspects = [], owners }: ReadOptions = {},
): Promise<Entity | undefined> {
  const query = [...namedAspects(aspects), ['owners', owners && 'true'] as const];
  try {
    return await ask(http, { method: 'GET', path: entityPath(urn), query }, entitySchema);
  } catch (error) {
    if (isMissingEntity(error)) return undefined;
    throw error;
  }
}

/** Those that exist, of one type. */
export async function readEntities(
  http: HttpClient,
  entityType: string,
  urns: readonly string[],
  { aspects = [], owners }: ReadOptions,
): Promise<Entity[]> {
  const path = `/openapi/v3/entity/${entityType}/batchGet`;
  const query = [['owners', owners && 'true']] as const;
  const wanted = Object.fromEntries(aspects.map((name) => [name, {}]));
  const found: Entity[] = [];
  for (let start = 0; start < urns.length; start += READ_AT_ONCE) {
    const body = urns.slice(start, start + READ_AT_ONCE).map((urn) => ({ urn, ...wanted }));
    for (const each of await ask(http, { method: 'POST', path, query, body, readsOnly: true }, z.array(entitySchema)))
      found.push(each);
  }
  return found;
}

export interface ListOptions {
  readonly query?: string;
  /** All when absent. */
  readonly aspects?: readonly string[];
  readonly includeRemoved?: boolean;
  readonly limit?: number;
}

/** Entities of a type by URN, page by page. */
export async function* listEntityPages(
  http: HttpClient,
  entityType: string,
  { query, aspects = [], includeRemoved = false, limit = Number.POSITIVE_INFINITY }: ListOptions,
): AsyncGenerator<Entity[]> {
  const path = `/openapi/v3/entity/${entityType}`;
  let left = limit;
  let scrollId: string | undefined;
  do {
    const asked = [
      ['query', query],
      ['count', String(Math.min(left, LARGEST_PAGE))],
      ['includeSoftDelete', String(includeRemoved)],
      ['scrollId', scrollId],
      ...namedAspects(aspects),
    ] as const;
    const page = await ask(http, { method: 'GET', path, query: asked }, pageSchema);
    yield page.entities;
    left -= page.entities.length;
    scrollId = page.scrollId;
  } while (scrollId !== undefined && left > 0);
}

export async function* listEntities(
  http: HttpClient,
  entityType: string,
  options: ListOptions,
): AsyncGenerator<Entity> {
  for await (const page of listEntityPages(http, entityType, options)) yield* page;
}

const countSchema = entityPageSchema.pick({ totalCount: true });
const HOLDING_TYPES = ENTITY_TYPES.filter(({ holdsProperties }) => holdsProperties).map(({ name }) => name);

export interface CountOptions {
  /** All that can hold values when absent: a definition may have been for more of them once. */
  readonly entityTypes?: readonly string[];
  readonly includeRemoved?: boolean;
}

/** How many entities hold a value of a property that is not soft deleted. */
export async function countHolders(
  http: HttpClient,
  definition: Definition,
  { entityTypes = HOLDING_TYPES, includeRemoved = false }: CountOptions = {},
): Promise<number> {
  const query = [
    ['query', `_exists_:${escapeWord(publicFieldOf(definition))}`],
    ['count', '0'],
    ['includeSoftDelete', String(includeRemoved)],
  ] as const;
  const body = { entities: entityTypes };
  const path = '/openapi/v3/entity/scroll';
  return (await ask(http, { method: 'POST', path, query, body, readsOnly: true }, countSchema)).totalCount;
}

/** The same; `undefined` when the search cannot say: what does not need it goes on without one. */
export async function countHoldersIfPossible(http: HttpClient, definition: Definition): Promise<number | undefined> {
  try {
    return await countHolders(http, definition);
  } catch (error) {
    if (error instanceof RejectedError || error instanceof UnavailableError) return undefined;
    throw error;
  }
}

/** Replaces an aspect. */
export async function writeAspect(
  http: HttpClient,
  urn: string,
  aspect: string,
  body: unknown,
  owner?: OwnerMark,
): Promise<void> {
  await http.send({ method: 'POST', path: entityPath(urn, aspect), body, headers: ownerHeader(owner) });
}

export interface PatchOptions {
  readonly owner: OwnerMark;
  /** Create the entity when it does not exist. */
  readonly create: boolean;
}

/** Patches an aspect, all operations or none. @returns the entity with the aspect as it is then. */
export async function patchAspect(
  http: HttpClient,
  urn: string,
  aspect: string,
  body: object,
  { owner, create }: PatchOptions,
): Promise<Entity> {
  const query = [['createIfEntityNotExists', create ? 'true' : undefined]] as const;
  const headers = { 'content-type': 'application/json-patch+json', ...ownerHeader(owner) };
  return await ask(http, { method: 'PATCH', path: entityPath(urn, aspect), query, headers, body }, entitySchema);
}

/** Fine when it is gone already. */
export async function deleteEntity(http: HttpClient, urn: string): Promise<void> {
  await http.send({ method: 'DELETE', path: entityPath(urn) });
}

function namedAspects(names: readonly string[]) {
  return names.map((name) => ['aspects', name] as const);
}

function ownerHeader(owner: OwnerMark | undefined): Record<string, string> {
  return owner === undefined ? {} : { [OWNER_HEADER]: printOwnerMark(owner) };
}
