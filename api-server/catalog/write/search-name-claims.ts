import { searchNameOf } from '../../../model/search-name.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { hasPassed } from '../../../process/clock.ts';
import { changeRecord } from '../../store/change-record.ts';
import type { StoredRecord } from '../../store/port.ts';
import type { CatalogParts } from '../parts.ts';
import { propertyState, SEARCH_NAME_RECORDS, type SearchNameClaim } from '../registry/registry.ts';

/**
 * Two definitions must not share a search name (`a.b` and `a_b`). A name is claimed by a record whose id is the name, so
 * they cannot race for it. The URN that has the claim renews it with each write of its definition; another takes it over
 * only when that URN has no definition and no request of it can still be running.
 */

/** @returns the URN that has the name, when it is another's; otherwise the name is claimed. */
export async function claimSearchName(parts: CatalogParts, urn: ParsedUrn): Promise<string | undefined> {
  const place = { kind: SEARCH_NAME_RECORDS, id: searchNameOf(urn.id) };
  const claim = await changeRecord(parts.store.records, place, async (standing: SearchNameClaim | undefined) =>
    standing !== undefined && (await isHeldByAnother(parts, urn, standing))
      ? standing
      : { urn: urn.urn, claimedAt: parts.now() },
  );
  return claim.urn === urn.urn ? undefined : claim.urn;
}

/** Gives a claim back that nothing came of: the property has no definition. */
export async function unclaimSearchName(parts: CatalogParts, urn: ParsedUrn): Promise<void> {
  const name = searchNameOf(urn.id);
  const claim = await readClaim(parts, name);
  if (claim?.body.urn !== urn.urn || propertyState(await parts.store.entities.get(urn.urn)) !== undefined) return;
  await parts.store.records.delete(SEARCH_NAME_RECORDS, name, claim.revision);
}

/**
 * To be called before a property is deleted; what it returns gives the name back, once the property is deleted. The claim
 * is given back only as it was read: a definition that is being written meanwhile has renewed it, and keeps it.
 */
export async function readyToRelease(parts: CatalogParts, urn: ParsedUrn): Promise<() => Promise<void>> {
  const name = searchNameOf(urn.id);
  const claim = await readClaim(parts, name);
  return async () => {
    if (claim?.body.urn === urn.urn) await parts.store.records.delete(SEARCH_NAME_RECORDS, name, claim.revision);
  };
}

function readClaim(parts: CatalogParts, name: string): Promise<StoredRecord<SearchNameClaim> | undefined> {
  return parts.store.records.get<SearchNameClaim>(SEARCH_NAME_RECORDS, name);
}

async function isHeldByAnother(parts: CatalogParts, urn: ParsedUrn, claim: SearchNameClaim): Promise<boolean> {
  if (claim.urn === urn.urn) return false;
  if (!hasPassed(claim.claimedAt, parts.settings.requestTimeout, parts.now())) return true;
  return propertyState(await parts.store.entities.get(claim.urn)) !== undefined;
}
