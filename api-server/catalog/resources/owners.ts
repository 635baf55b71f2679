import { sameOwner } from '../../../model/entity/draft.ts';
import { clearingOwner } from '../../../model/entity/removals.ts';
import { type ParsedUrn, parseUrn } from '../../../model/urn.ts';
import type { OwnerMark } from '../../../model/wire/owner-mark.ts';
import { namedEntities } from '../../store/pages.ts';
import type { EntityDocument, OwnedThing, OwnersRequest } from '../../store/port.ts';
import type { CatalogParts, RequestContext } from '../parts.ts';
import { onlyVisible, shadowOf } from '../read/entity-life.ts';
import { storeChange } from '../write/store-change.ts';

const PAGE = 1000;

export interface OwnersPage {
  readonly owners: OwnedThing[];
  /** Absent on the last page. */
  readonly next?: OwnersRequest['after'];
}

/** What belongs to resources; not what is hidden with a deleted dataset and waits to be collected. */
export async function listOwners(parts: CatalogParts, request: OwnersRequest): Promise<OwnersPage> {
  const marks = await parts.store.entities.owners(request);
  const fieldUrns = new Set(marks.map(({ urn }) => urn).filter(isSchemaField));
  const fields = await Array.fromAsync(namedEntities(parts.store.entities, fieldUrns), shadowOf);
  const visible = new Set((await onlyVisible(parts.store, fields)).map(({ urn }) => urn));
  const owners = marks.filter(({ urn }) => visible.has(urn) || !isSchemaField(urn));
  const last = marks.at(-1);
  if (last === undefined || marks.length < request.limit) return { owners };
  return { owners, next: { urn: last.urn, propertyUrn: last.propertyUrn ?? '' } };
}

/** The marks on one entity. */
export function ownedThings({ urn, owners }: Pick<EntityDocument, 'urn' | 'owners'>): OwnedThing[] {
  return Object.entries(owners).map(([on, mark]) => ({ ...mark, urn, ...(on === '' ? {} : { propertyUrn: on }) }));
}

function isSchemaField(urn: string): boolean {
  return urn.startsWith('urn:li:schemaField:');
}

/** Takes the marks of one resource away; definitions and values stay. @returns how many. */
export async function clearOwners(
  parts: CatalogParts,
  request: Required<Pick<OwnersRequest, 'source' | 'kind' | 'namespace' | 'name'>>,
  context: RequestContext,
): Promise<number> {
  let cleared = 0;
  let after: OwnersRequest['after'];
  do {
    const { owners, next } = await listOwners(parts, {
      ...request,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const urn of new Set(owners.map((thing) => thing.urn))) {
      cleared += await clearEntity(parts, parseUrn(urn), { ...request, deletionPolicy: '' }, context);
    }
    after = next;
  } while (after !== undefined);
  return cleared;
}

async function clearEntity(
  parts: CatalogParts,
  urn: ParsedUrn,
  owner: OwnerMark,
  context: RequestContext,
): Promise<number> {
  let found = 0;
  await storeChange(parts, clearingOwner(urn, owner), context, {
    isMeant(current) {
      found = Object.values(current?.owners ?? {}).filter((mark) => sameOwner(mark, owner)).length;
      return found > 0;
    },
  });
  return found;
}
