import type { HttpClient } from '../client/http-client.ts';
import { isMissingEntity } from '../client/http-errors.ts';
import type { ParsedUrn } from '../model/urn.ts';

/** An entity as version 3 of the interface shows it, with the aspects that were asked for. */
export interface Entity {
  readonly urn: string;
  /** By name. */
  readonly aspects: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface ListOptions {
  readonly query?: string;
  /** All when absent. */
  readonly aspects?: readonly string[];
  readonly includeRemoved?: boolean;
  readonly limit?: number;
}

/** The server sends no more at once. */
const LARGEST_PAGE = 1000;

/** Entities of a type by URN, page by page. @throws AnyHttpError */
export async function* listEntityPages(
  client: HttpClient,
  entityType: string,
  { query, aspects = [], includeRemoved = false, limit = Number.POSITIVE_INFINITY }: ListOptions,
): AsyncGenerator<Entity[]> {
  let left = limit;
  let scrollId: string | undefined;
  do {
    const answer = (await client.send({
      method: 'GET',
      path: `/openapi/v3/entity/${entityType}`,
      query: [
        ['query', query],
        ['count', String(Math.min(left, LARGEST_PAGE))],
        ['includeSoftDelete', String(includeRemoved)],
        ['scrollId', scrollId],
        ...aspects.map((name) => ['aspects', name] as const),
      ],
    })) as { entities: SentEntity[]; scrollId?: string };
    yield answer.entities.map(readEntityBody);
    left -= answer.entities.length;
    scrollId = answer.scrollId;
  } while (scrollId !== undefined && left > 0);
}

export async function* listEntities(
  client: HttpClient,
  entityType: string,
  options: ListOptions,
): AsyncGenerator<Entity> {
  for await (const page of listEntityPages(client, entityType, options)) yield* page;
}

/** How many entities of a type a query finds. */
export async function countEntities(client: HttpClient, entityType: string, query: string): Promise<number> {
  const path = `/openapi/v3/entity/${entityType}`;
  const answer = await client.send({
    method: 'GET',
    path,
    query: [
      ['count', '0'],
      ['query', query],
    ],
  });
  return (answer as { totalCount: number }).totalCount;
}

/** @returns `undefined` when it does not exist; a soft-deleted one is returned. */
export async function readEntity(
  client: HttpClient,
  urn: ParsedUrn,
  aspects: readonly string[] = [],
): Promise<Entity | undefined> {
  const query = aspects.map((name) => ['aspects', name] as const);
  try {
    return readEntityBody((await client.send({ method: 'GET', path: entityPath(urn), query })) as SentEntity);
  } catch (error) {
    if (isMissingEntity(error)) return undefined;
    throw error;
  }
}

/** The path of an entity, or of an aspect of it. */
export function entityPath({ urn, entityType }: ParsedUrn, aspect?: string): string {
  const path = `/openapi/v3/entity/${entityType.name}/${encodeURIComponent(urn)}`;
  return aspect === undefined ? path : `${path}/${aspect}`;
}

export function isRemoved({ aspects }: Entity): boolean {
  return aspects.status?.removed === true;
}

type SentEntity = { readonly urn: string } & Readonly<Record<string, unknown>>;

function readEntityBody({ urn, ...aspects }: SentEntity): Entity {
  const entries = Object.entries(aspects).map(([name, aspect]) => [name, (aspect as { value: object }).value]);
  return { urn, aspects: Object.fromEntries(entries) };
}
