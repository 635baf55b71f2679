import type { EntityTypeInfo } from '../../../model/entity-type.ts';
import type { IndexedVersion, SearchCondition } from '../../search/port.ts';
import { CatalogError } from '../errors.ts';
import { type EntityView, existingEntities, readEntities, type Showing } from '../read/read-entities.ts';
import { type CatalogRequest, checkDeadline, patienceOf } from '../request.ts';

/** Hits that one search of the index returns. */
const SEARCHED_AT_ONCE = 1000;
/** Bytes of documents that are read for one page, however little of them is shown: about a second's work. */
const READ_FOR_PAGE = 64 * 1024 * 1024;

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
  /** All when absent; with an empty set only URNs are shown, and no document is read. */
  readonly aspects?: ReadonlySet<string>;
}

export interface EntityPage<T> {
  /** Without those that have none of the aspects asked for, as with the reference catalogue. */
  readonly entities: T[];
  /** For the page behind this one; absent on the last. */
  readonly scrollId?: string;
  /** All that meet the condition. */
  readonly total: number;
}

/**
 * A page of the entities that meet a condition, by URN. The index says which; what they are is read from the store, and
 * what does not exist any more is left out. It ends early when the answer is full; the next one begins where it ends.
 * @param visible those of the hits that may be shown, by what they are by now.
 * @throws CatalogError `malformed` for a scrollId that is none, `timeout`, and as `readEntities`.
 */
export async function findEntities<T>(
  request: CatalogRequest,
  asked: FindEntitiesRequest,
  { show, bytesOf }: Pick<Showing<T>, 'show' | 'bytesOf'>,
  visible: (hits: readonly IndexedVersion[]) => Promise<readonly IndexedVersion[]> = async (hits) => hits,
): Promise<EntityPage<T>> {
  const { start = 0, count, aspects } = asked;
  const wanted = start + count + (asked.looksAhead === true ? 1 : 0);
  const { hits, total } = await collectHits(request, asked, wanted);
  const found = hits.slice(start, start + count);
  const page = await visible(found);
  const isShown = (view: EntityView) => aspects === undefined || Object.keys(view.aspects).length > 0;
  const { entities, reached } =
    aspects?.size === 0
      ? { entities: await shownUrns(request, page, show), reached: page.length }
      : await readEntities(request, page, {
          aspects,
          show: (view) => (isShown(view) ? show(view) : undefined),
          maxRead: READ_FOR_PAGE,
          ...(bytesOf === undefined ? {} : { bytesOf }),
        });
  const last = reached < page.length ? page[reached - 1] : found.at(-1);
  return last !== undefined && (reached < page.length || hits.length === wanted)
    ? { entities, total, scrollId: scrollIdOf(last.urn) }
    : { entities, total };
}

async function shownUrns<T>(
  request: CatalogRequest,
  page: readonly IndexedVersion[],
  show: Showing<T>['show'],
): Promise<T[]> {
  const urns = await existingEntities(request, page);
  return urns.map((urn) => show({ urn, aspects: {}, owners: {} })).filter((shown) => shown !== undefined);
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
      patience: patienceOf(request),
      order,
      limit,
      ...(after === undefined ? {} : { after }),
    });
    for (const each of page.hits) hits.push(each);
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
