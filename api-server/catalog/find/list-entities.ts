import type { EntityTypeInfo } from '../../../model/entity-type.ts';
import type { SearchCondition } from '../../search/port.ts';
import { CatalogError } from '../errors.ts';
import type { CatalogParts } from '../parts.ts';
import type { EntityView } from '../read/read-entities.ts';
import type { RegistryView } from '../registry/registry.ts';
import { viewHits } from './find-entities.ts';

/** The most entities of one page; a greater `count` is capped, as with the reference catalogue. */
const MAX_PAGE = 1000;

export interface ListEntitiesRequest {
  /** At least one. */
  readonly entityTypes: readonly EntityTypeInfo[];
  /** Which entities are meant, by what the registry says at the time of the request. */
  readonly condition: (registry: RegistryView) => Promise<SearchCondition>;
  /** All when absent; with an empty set only URNs are shown. */
  readonly aspects?: ReadonlySet<string>;
  readonly count: number;
  readonly order: 'ascending' | 'descending';
  readonly includeRemoved: boolean;
  readonly scrollId?: string;
}

export interface EntityPage {
  readonly entities: EntityView[];
  /** Absent on the last page. */
  readonly scrollId?: string;
  readonly total: number;
}

/**
 * Entities that meet a condition, by URN. The index says which; what they are is read from the store.
 * @throws CatalogError `malformed` for a scrollId that is none, `timeout`, and what `condition` throws.
 */
export async function listEntities(parts: CatalogParts, request: ListEntitiesRequest): Promise<EntityPage> {
  const condition = await request.condition(await parts.registry.view());
  const limit = Math.min(request.count, MAX_PAGE);
  const after = readScrollId(request.scrollId);
  const { hits, total } = await parts.search.search({
    entityTypes: request.entityTypes.map(({ name }) => name),
    condition,
    includeRemoved: request.includeRemoved,
    order: request.order,
    limit,
    ...(after === undefined ? {} : { after }),
  });
  const deadline = parts.now() + parts.settings.requestTimeout;
  const views = await viewHits(parts, hits, request.aspects, { deadline });
  // As with the reference catalogue: an entity that has none of the aspects asked for is not shown.
  const isShown = ({ aspects }: EntityView) => Object.keys(aspects).length > 0;
  const entities = request.aspects === undefined || request.aspects.size === 0 ? views : views.filter(isShown);
  const last = hits.at(-1);
  return last !== undefined && hits.length === limit
    ? { entities, total, scrollId: scrollIdOf(last.urn) }
    : { entities, total };
}

export function scrollIdOf(urn: string): string {
  return Buffer.from(JSON.stringify({ after: urn })).toString('base64url');
}

export function readScrollId(scrollId: string | undefined): string | undefined {
  if (scrollId === undefined) return undefined;
  try {
    const { after } = JSON.parse(Buffer.from(scrollId, 'base64url').toString()) as { after?: unknown };
    if (typeof after === 'string') return after;
  } catch {
    // Falls through to the one answer for every text that is no scrollId of ours.
  }
  throw new CatalogError('malformed', 'scrollId: not one that a listing returned');
}
