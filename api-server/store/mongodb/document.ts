import type { StoredAssignment } from '../../../model/entity/draft.ts';
import type { OwnerMark } from '../../../model/wire/owner-mark.ts';
import type { EntityDocument } from '../port.ts';

/**
 * An entity as MongoDB keeps it. What is searched has a field of its own. What a client sent is JSON text: its keys may
 * have dots, `$` and NUL, it may be nested deeper than MongoDB's 100 levels, and as BSON a list of short values would be
 * more than twice as large as in JSON, too large for MongoDB's 16 MiB.
 */
export interface MongoEntity extends Omit<EntityDocument, 'urn' | 'aspects' | 'assignments' | 'owners'> {
  readonly _id: string;
  /** When it was marked (see `DirtyClock`); absent in a clean document. */
  readonly dirty?: number;
  readonly aspects: string;
  readonly assignments: readonly MongoAssignment[];
  /** A list, because MongoDB cannot look into a map of any keys. */
  readonly owners: readonly MongoOwner[];
}

interface MongoAssignment {
  readonly propertyUrn: string;
  readonly epoch: string;
  /** All else of the assignment, as JSON. */
  readonly rest: string;
}

export interface MongoOwner extends OwnerMark {
  /** The property's URN, `''` for the definition. */
  readonly on: string;
}

export function toMongo(document: EntityDocument, dirty: number): MongoEntity {
  const { urn, aspects, assignments, owners, ...same } = document;
  return {
    _id: urn,
    // Without what is undefined, which the driver would store as null. Its option to leave it out would do the same to
    // conditions, and a condition that is left out holds for every document.
    ...(JSON.parse(JSON.stringify(same)) as typeof same),
    dirty,
    aspects: JSON.stringify(aspects),
    assignments: assignments.map(({ propertyUrn, epoch, ...rest }) => ({
      propertyUrn,
      epoch,
      rest: JSON.stringify(rest),
    })),
    owners: Object.entries(owners).map(([on, mark]) => ({ on, ...mark })),
  };
}

export function fromMongo({ _id, dirty: _, aspects, assignments, owners, ...same }: MongoEntity): EntityDocument {
  return {
    urn: _id,
    ...same,
    aspects: JSON.parse(aspects) as EntityDocument['aspects'],
    assignments: assignments.map(({ propertyUrn, epoch, rest }) => ({
      propertyUrn,
      ...(JSON.parse(rest) as Omit<StoredAssignment, 'propertyUrn' | 'epoch'>),
      epoch,
    })),
    owners: Object.fromEntries(owners.map(({ on, ...mark }) => [on, mark])),
  };
}

/** Bytes of what a client sent, more or less. */
export function sizeOf({ aspects, assignments }: MongoEntity): number {
  return assignments.reduce((sum, { propertyUrn, rest }) => sum + propertyUrn.length + rest.length, aspects.length);
}
