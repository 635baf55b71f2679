import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityTypeInfo } from '../../../model/entity-type.ts';
import type { IndexedVersion, SearchCondition, SearchRequest } from '../../search/port.ts';
import type { EntityDocument } from '../../store/port.ts';
import type { CatalogParts } from '../parts.ts';
import { onlyVisible } from '../read/entity-life.ts';
import { type EntityView, viewEntities } from '../read/read-entities.ts';
import { checkDeadline, type Deadline } from '../request-deadline.ts';

/** Hits that one search of the index returns. */
const SEARCHED_AT_ONCE = 1000;
/** Documents that are read from the store before others get their turn. They may be large. */
export const READ_AT_ONCE = 100;

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
  /** All when absent; with an empty set only URNs are shown, and no document is kept. */
  readonly aspects?: ReadonlySet<string>;
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
  deadline: Deadline,
): Promise<FoundEntities> {
  const { hits, total } = await collectHits(parts, request, deadline);
  const page = hits.slice(request.start, request.start + request.count);
  const entities = await viewHits(parts, page, request.aspects, deadline);
  const last = page.at(-1);
  return last !== undefined && hits.length > request.start + page.length
    ? { entities, total, last: last.urn }
    : { entities, total };
}

/**
 * The entities of the hits, in the hits' order, those that can be seen; with the named aspects, or all.
 * @throws CatalogError `timeout`.
 */
export async function viewHits(
  parts: CatalogParts,
  hits: readonly IndexedVersion[],
  aspects: ReadonlySet<string> | undefined,
  deadline: Deadline,
): Promise<EntityView[]> {
  const views: EntityView[] = [];
  for (let at = 0; at < hits.length; at += READ_AT_ONCE) {
    // The embedded store answers at once: without this, nobody else would be served until the page is read.
    await nextTurn();
    checkDeadline(parts, deadline);
    const documents = await loadInOrder(parts, hits.slice(at, at + READ_AT_ONCE));
    views.push(...(await viewEntities(parts, await onlyVisible(parts.store, documents), aspects)));
  }
  return views;
}

/** The hits' documents in the hits' order; those of another life than the indexed one are gone. */
async function loadInOrder(parts: CatalogParts, hits: readonly IndexedVersion[]): Promise<EntityDocument[]> {
  const documents = await parts.store.entities.getMany(hits.map(({ urn }) => urn));
  const byUrn = new Map(documents.map((document) => [document.urn, document]));
  return hits
    .map(({ urn, incarnation }) => {
      const document = byUrn.get(urn);
      return document?.incarnation === incarnation ? document : undefined;
    })
    .filter((document) => document !== undefined);
}

/** One hit more than the page, where there is one: so it is known whether this page is the last. */
async function collectHits(
  parts: CatalogParts,
  request: FindEntitiesRequest,
  deadline: Deadline,
): Promise<{ hits: readonly IndexedVersion[]; total: number }> {
  const wanted = request.start + request.count + 1;
  const hits: IndexedVersion[] = [];
  for (;;) {
    checkDeadline(parts, deadline);
    const limit = Math.min(wanted - hits.length, SEARCHED_AT_ONCE);
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
