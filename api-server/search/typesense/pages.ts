import type { IndexedVersion, SearchRequest } from '../port.ts';
import type { TypesenseConnection } from './connection.ts';
import { orderText } from './documents.ts';
import { combine, filterOf, type Plan } from './plan.ts';
import { ORDERED_BYTES, URN_LEVELS } from './schema.ts';
import { compareTexts, rangesFrom, rangesTo } from './text-order.ts';

/** The most that a server gives at once. */
export const LARGEST_PAGE = 250;

export interface PageRequest extends Pick<SearchRequest, 'order' | 'limit'> {
  readonly plan: Plan;
  readonly after: string | undefined;
}

/**
 * Entries in the order of their URNs. The engine sorts by the first 900 bytes of a URN, and finds what is behind a URN by
 * ranges of integers (text-order.ts), so a deep page costs as much as the first one. What it finds too much and what it
 * leaves unordered, URNs that share 900 bytes, is mended here.
 */
export class Pages {
  readonly #connection: TypesenseConnection;
  readonly #collection: string;

  constructor(connection: TypesenseConnection, collection: string) {
    this.#connection = connection;
    this.#collection = collection;
  }

  /** @returns also how many there are in all, where that came along. */
  async read(request: PageRequest): Promise<{ hits: IndexedVersion[]; found: number | undefined }> {
    const hits: IndexedVersion[] = [];
    let found: number | undefined;
    let { after } = request;
    while (hits.length < request.limit) {
      // the URN that they are to be behind comes along
      const size = Math.min(LARGEST_PAGE, request.limit - hits.length + 1);
      const next = await this.#next({ ...request, after }, size);
      if (after === undefined) found = next.found;
      for (const each of next.hits) hits.push(each);
      if (next.isLast) break;
      after = hits.at(-1)?.urn;
    }
    return { hits: hits.slice(0, request.limit), found };
  }

  /** At least one hit, unless it is the last page. */
  async #next({ plan, order, after }: PageRequest, size: number) {
    const isAscending = order === 'ascending';
    const compare = (one: string, other: string) => (isAscending ? compareTexts(one, other) : compareTexts(other, one));
    const raw: IndexedVersion[] = [];
    for (let page = 1; ; page++) {
      const answer = await this.#connection.search({
        collection: this.#collection,
        filter_by: filterOf(combine('and', after === undefined ? [plan] : [plan, behind(after, isAscending)])),
        sort_by: `order:${isAscending ? 'asc' : 'desc'}`,
        include_fields: 'urn,incarnation,revision',
        per_page: size,
        page,
      });
      for (const each of answer.hits.map(({ document }) => versionOf(document))) raw.push(each);
      const isLast = answer.hits.length < size;
      // more of those that the engine leaves unordered may follow
      const open = isLast ? undefined : unordered(raw.at(-1)?.urn ?? '');
      const hits = raw
        .filter(({ urn }) => (after === undefined || compare(urn, after) > 0) && orderText(urn) !== open)
        .toSorted((one, other) => compare(one.urn, other.urn));
      if (isLast || hits.length > 0) return { hits, isLast, found: answer.found };
    }
  }
}

export function versionOf({ urn, incarnation, revision }: Readonly<Record<string, unknown>>): IndexedVersion {
  return { urn: String(urn), incarnation: String(incarnation), revision: Number(revision) };
}

function behind(after: string, isAscending: boolean): Plan {
  const ranges = (isAscending ? rangesFrom : rangesTo)(after, URN_LEVELS);
  return { kind: 'ranges', column: 'path', ranges };
}

/** What the URN is sorted by, when others may have the same. */
function unordered(urn: string): string | undefined {
  const order = orderText(urn);
  return order.length === 2 * ORDERED_BYTES ? order : undefined;
}
