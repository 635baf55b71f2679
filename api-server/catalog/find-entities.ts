import type { EntityTypeInfo } from '../../model/entity-type.ts';
import type { IndexedVersion, SearchCondition, SearchRequest } from '../search/port.ts';
import { onlyVisible } from './entity-life.ts';
import { loadInOrder, MAX_PAGE } from './list-entities.ts';
import type { CatalogParts, RequestContext } from './parts.ts';
import { type EntityView, viewEntities } from './read-entities.ts';
import { checkDeadline } from './request-deadline.ts';

/** Which entities are meant: those of the types that meet the condition. */
export interface EntitySelection {
  /** At least one. */
  readonly entityTypes: readonly EntityTypeInfo[];
  readonly condition: SearchCondition;
  /** Soft-deleted ones as well. */
  readonly includeRemoved: boolean;
}

export interface FindEntitiesRequest extends EntitySelection {
  readonly order: 'ascending' | 'descending';
  /** The last URN of the page before. */
  readonly after?: string;
  /** How many to pass over first. */
  readonly start: number;
  readonly count: number;
}

export interface FoundEntities {
  readonly entities: EntityView[];
  /** The URN behind which the next page begins; absent when nothing comes behind it. */
  readonly last?: string;
  /** All that meet the condition. */
  readonly total: number;
}

/** A page of any size, by URN: put together of pages as the index gives them. What does not exist any more is left out. */
export async function findEntities(
  parts: CatalogParts,
  request: FindEntitiesRequest,
  context: RequestContext,
): Promise<FoundEntities> {
  const { hits, total } = await collectHits(parts, request, context);
  const page = hits.slice(request.start, request.start + request.count);
  const entities: EntityView[] = [];
  for (let at = 0; at < page.length; at += MAX_PAGE) {
    checkDeadline(parts, context);
    const documents = await loadInOrder(parts, page.slice(at, at + MAX_PAGE));
    entities.push(...(await viewEntities(parts, await onlyVisible(parts.store, documents))));
  }
  const last = page.at(-1);
  return last !== undefined && hits.length > request.start + page.length
    ? { entities, total, last: last.urn }
    : { entities, total };
}

/** One hit more than the page, where there is one: so it is known whether this page is the last. */
async function collectHits(
  parts: CatalogParts,
  request: FindEntitiesRequest,
  context: RequestContext,
): Promise<{ hits: readonly IndexedVersion[]; total: number }> {
  const wanted = request.start + request.count + 1;
  const hits: IndexedVersion[] = [];
  for (;;) {
    checkDeadline(parts, context);
    const limit = Math.min(wanted - hits.length, MAX_PAGE);
    const after = hits.at(-1)?.urn ?? request.after;
    const page = await parts.search.search({
      ...indexRequest(request),
      ...(after === undefined ? {} : { after }),
      limit,
    });
    hits.push(...page.hits);
    if (hits.length >= wanted || page.hits.length < limit) return { hits, total: page.total };
  }
}

function indexRequest({
  entityTypes,
  condition,
  includeRemoved,
  order,
}: FindEntitiesRequest): Omit<SearchRequest, 'limit' | 'after'> {
  return { entityTypes: entityTypes.map(({ name }) => name), condition, includeRemoved, order };
}
