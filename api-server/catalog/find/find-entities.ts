import type { EntityTypeInfo } from '../../../model/entity-type.ts';
import type { IndexedVersion, SearchCondition } from '../../search/port.ts';
import { CatalogError } from '../errors.ts';
import { type EntityView, readEntities } from '../read/read-entities.ts';
import { type CatalogRequest, checkDeadline } from '../request.ts';

/** Hits that one search of the index returns. */
const SEARCHED_AT_ONCE = 1000;

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
  /** Of the page before. */
  readonly scrollId?: string;
  /** How many to pass over first; 0 when absent. */
  readonly start?: number;
  readonly count: number;
  /**
   * Look for one hit behind the page, to know the last page for the last. Otherwise a full page is followed by another,
   * which may be empty, as with the reference catalogue.
   */
  readonly looksAhead?: boolean;
  /** All when absent; with an empty set only URNs are shown, and no document is kept. */
  readonly aspects?: ReadonlySet<string>;
}

export interface EntityPage {
  /** Without those that have none of the aspects asked for, as with the reference catalogue. */
  readonly entities: EntityView[];
  /** For the page behind this one; absent on the last. */
  readonly scrollId?: string;
  /** All that meet the condition. */
  readonly total: number;
}

/**
 * A page of any size of the entities that meet a condition, by URN. The index says which; what they are is read from the
 * store, and what does not exist any more is left out.
 * @throws CatalogError `malformed` for a scrollId that is none, `timeout`.
 */
export async function findEntities(request: CatalogRequest, asked: FindEntitiesRequest): Promise<EntityPage> {
  const { start = 0, count, aspects } = asked;
  const wanted = start + count + (asked.looksAhead === true ? 1 : 0);
  const { hits, total } = await collectHits(request, asked, wanted);
  const page = hits.slice(start, start + count);
  const views = await readEntities(request, page, aspects);
  const isShown = (view: EntityView) => Object.keys(view.aspects).length > 0;
  const entities = aspects === undefined || aspects.size === 0 ? views : views.filter(isShown);
  const last = page.at(-1);
  return last !== undefined && hits.length === wanted
    ? { entities, total, scrollId: scrollIdOf(last.urn) }
    : { entities, total };
}

/** The first `wanted` hits, put together of pages as the index gives them. */
async function collectHits(
  request: CatalogRequest,
  { entityTypes, condition, includeRemoved, order, scrollId }: FindEntitiesRequest,
  wanted: number,
): Promise<{ hits: readonly IndexedVersion[]; total: number }> {
  const { parts } = request;
  const hits: IndexedVersion[] = [];
  let after = readScrollId(scrollId);
  for (;;) {
    checkDeadline(parts, request);
    const limit = Math.min(wanted - hits.length, SEARCHED_AT_ONCE);
    const page = await parts.search.search({
      entityTypes: entityTypes.map(({ name }) => name),
      condition,
      includeRemoved,
      order,
      limit,
      ...(after === undefined ? {} : { after }),
    });
    hits.push(...page.hits);
    if (hits.length >= wanted || page.hits.length < limit) return { hits, total: page.total };
    after = hits.at(-1)?.urn;
  }
}

function scrollIdOf(urn: string): string {
  return Buffer.from(JSON.stringify({ after: urn })).toString('base64url');
}

function readScrollId(scrollId: string | undefined): string | undefined {
  if (scrollId === undefined) return undefined;
  try {
    const { after } = JSON.parse(Buffer.from(scrollId, 'base64url').toString()) as { after?: unknown };
    if (typeof after === 'string') return after;
  } catch {
    // Falls through to the one answer for every text that is no scrollId of ours.
  }
  throw new CatalogError('malformed', 'scrollId: not one that a listing returned');
}
