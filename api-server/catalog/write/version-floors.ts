import { createHash } from 'node:crypto';
import type { EntityDraft, StoredAspect } from '../../../model/entity/draft.ts';
import { changeRecord } from '../../store/change-record.ts';
import type { EntityDocument, Store } from '../../store/port.ts';

/**
 * The version of an aspect never comes again, so that `If-Version-Match` means what its sender has read and not what was
 * made anew under the same name: what is made begins above the greatest version that went before. A document knows that
 * of aspects that were removed, a tombstone of all. When the tombstone is gone a record does, which URNs share by their
 * hash: their number is limited, and a version that begins too high does no harm.
 */

const KIND = 'versionFloor';
/** Hexadecimal digits of the hash: a million records at most. */
const DIGITS = 5;

interface Floor {
  readonly version: number;
}

/** The greatest version of an earlier life of what is not stored. */
export async function versionFloor({ records }: Store, urn: string): Promise<number> {
  return (await records.get<Floor>(KIND, idOf(urn)))?.body.version ?? 0;
}

/** Keeps the greatest version of what is deleted, for the time after its tombstone. */
export async function keepVersionFloor({ records }: Store, document: EntityDocument): Promise<void> {
  const greatest = greatestVersion(document);
  const place = { kind: KIND, id: idOf(document.urn) };
  await changeRecord(records, place, (standing: Floor | undefined) =>
    standing !== undefined && standing.version >= greatest ? standing : { version: greatest },
  );
}

/** The greatest version that an aspect of the document, or one that was removed, has had. */
export function greatestVersion({
  aspects,
  versionFloor = 0,
}: Pick<EntityDocument, 'aspects' | 'versionFloor'>): number {
  return Object.values(aspects).reduce((most, { version }) => Math.max(most, version), versionFloor);
}

/** The aspects of a draft with versions above the floor where they are new, and what is the floor then. */
export function aboveFloor(
  draft: EntityDraft,
  current: EntityDocument | undefined,
  floor: number,
): Pick<EntityDocument, 'aspects' | 'versionFloor'> {
  const before = current?.aspects ?? {};
  const lifted = (name: string, aspect: StoredAspect) =>
    before[name] === undefined && floor > 0 ? { ...aspect, version: aspect.version + floor } : aspect;
  const aspects = Object.fromEntries(Object.entries(draft.aspects).map(([name, each]) => [name, lifted(name, each)]));
  const removed = Object.fromEntries(Object.entries(before).filter(([name]) => draft.aspects[name] === undefined));
  const next = greatestVersion({ aspects: removed, versionFloor: floor });
  return next === 0 ? { aspects } : { aspects, versionFloor: next };
}

function idOf(urn: string): string {
  return createHash('sha256').update(urn).digest('hex').slice(0, DIGITS);
}
