import { parseUrn } from '../../model/urn.ts';
import type { OwnedThing, OwnersRequest } from '../store/port.ts';
import { draftOf, withOwners } from './entity-draft.ts';
import { sameOwner } from './entity-write.ts';
import { updateEntity } from './entity-writer.ts';
import type { CatalogParts, RequestContext } from './parts.ts';

const PAGE = 1000;

export interface OwnersPage {
  readonly owners: OwnedThing[];
  /** Absent on the last page. */
  readonly next?: OwnersRequest['after'];
}

/** What belongs to resources of a source. */
export async function listOwners(parts: CatalogParts, request: OwnersRequest): Promise<OwnersPage> {
  const owners = await parts.store.entities.owners(request);
  const last = owners.at(-1);
  if (last === undefined || owners.length < request.limit) return { owners };
  return { owners, next: { urn: last.urn, propertyUrn: last.propertyUrn ?? '' } };
}

/** Takes the marks of one resource away; definitions and values stay. @returns how many. */
export async function clearOwners(
  parts: CatalogParts,
  request: Required<Pick<OwnersRequest, 'source' | 'kind' | 'namespace' | 'name'>>,
  context: RequestContext,
): Promise<number> {
  let cleared = 0;
  for (;;) {
    const owned = await parts.store.entities.owners({ ...request, limit: PAGE });
    for (const urn of new Set(owned.map((thing) => thing.urn))) {
      await updateEntity(parts, parseUrn(urn), context, (current) => {
        const draft = draftOf(current);
        const mine = Object.entries(draft.owners).filter(([, mark]) =>
          sameOwner(mark, { ...request, deletionPolicy: '' }),
        );
        return withOwners(draft, new Map(mine.map(([name]) => [name, undefined])));
      });
    }
    cleared += owned.length;
    if (owned.length < PAGE) return cleared;
  }
}
