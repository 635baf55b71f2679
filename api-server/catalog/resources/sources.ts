import { randomUUID } from 'node:crypto';
import type { LeaseRequest, SourcePlace, SourceRecord } from '../../../model/wire/source-record.ts';
import { changeRecord } from '../../store/change-record.ts';
import { allRecords } from '../../store/pages.ts';
import type { Fence } from '../../store/port.ts';
import { isOpenTo } from '../indexing/lease.ts';
import type { CatalogParts } from '../parts.ts';

/**
 * Sources without an election of their own, such as folders: who works on each, and where its resources were. Of two
 * operators with one name the second would take everything of the first for deleted.
 */

const KIND = 'source';

export async function listSources(parts: CatalogParts): Promise<SourceRecord[]> {
  return Array.fromAsync(allRecords<SourceRecord>(parts.store, KIND), ({ body }) => body);
}

/**
 * Lets one operator work on a source: its first, the one that holds it, or another when that has not renewed in time or
 * is known to be gone. What one before may still send is refused from the answer on.
 * @returns the source; whoever asked holds it, or somebody else does.
 */
export async function leaseSource(parts: CatalogParts, name: string, request: LeaseRequest): Promise<SourceRecord> {
  const now = parts.now();
  const { holder, ms, instead } = request;
  const source = await changeRecord(parts.store.records, { kind: KIND, id: name }, (standing?: SourceRecord) => {
    const before = standing?.holder;
    const lease = before && { holder: before.id, until: before.until };
    const asker = { holder: holder.id, duration: LONGEST_MS, isAbandoned: before?.id === instead };
    if (standing !== undefined && !isOpenTo(lease, now, asker)) return standing;
    const { created = now, lease: id = randomUUID(), term = 0 } = standing ?? {};
    const isRenewal = before?.id === holder.id;
    return {
      ...standing,
      name,
      lease: id,
      created,
      term: isRenewal ? term : term + 1,
      holder: { ...holder, since: isRenewal ? before.since : now, until: now + ms },
    };
  });
  if (source.holder?.id === holder.id) await parts.store.fences.raise(fenceOfSource(source));
  return source;
}

/** Lets the next one work on a source at once. Fine when another one does already. */
export async function releaseSource(parts: CatalogParts, name: string, holder: string): Promise<void> {
  await changeRecord(parts.store.records, { kind: KIND, id: name }, (standing?: SourceRecord) => {
    if (standing?.holder?.id !== holder) return standing;
    const { holder: _gone, ...rest } = standing;
    return rest;
  });
}

/** Notes where the resources of a source are, once what is missing there has been asked about. */
export async function placeSource(
  parts: CatalogParts,
  name: string,
  place: SourcePlace,
  fence?: Fence,
): Promise<SourceRecord | undefined> {
  return changeRecord(parts.store.records, { kind: KIND, id: name, fence }, (standing?: SourceRecord) =>
    standing === undefined ? undefined : { ...standing, place },
  );
}

/** As long as a lease can be asked for. */
const LONGEST_MS = 3_600_000;

function fenceOfSource({ name, lease, created, term }: SourceRecord): Fence {
  return { source: name, shard: '', lease, created, transitions: term };
}
