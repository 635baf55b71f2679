import type { Db, IndexDescription } from 'mongodb';
import { isDuplicate } from './errors.ts';

const SCHEMA_VERSION = 1;

/** Documents in the outbox; an index over these only is used by queries that have the same condition. */
export const IN_OUTBOX = { dirty: { $gt: 0 } };

/** Tombstones. */
const DELETED = { deleted: { $gt: 0 } };

/**
 * Indexes of `entities` beside that of `_id`; `records` needs no other. Only what standalone servers, replica sets and
 * sharded clusters share is used.
 *
 * On a sharded cluster shard `entities` and `records` by `{ _id: 1 }`. These carry it: reading, writing and cleaning
 * documents, all of records, and listings in the order of `_id`, which ask one shard after the other. These ask every
 * shard: the outbox, holders, owner marks, listings of one entity type, purging. A shard key without `_id` would let a
 * URN exist twice.
 */
const INDEXES: readonly IndexDescription[] = [
  { name: 'by_type', key: { entityType: 1, _id: 1 } },
  { name: 'outbox', key: { dirty: 1, _id: 1 }, partialFilterExpression: IN_OUTBOX },
  { name: 'tombstones', key: { deleted: 1 }, partialFilterExpression: DELETED },
  // An entity has one assignment of a property: behind the property's URN comes the order that pages need, and the epoch
  // is compared in the index.
  { name: 'holders', key: { 'assignments.propertyUrn': 1, _id: 1, 'assignments.epoch': 1 } },
  { name: 'owners_of_source', key: { 'owners.source': 1, _id: 1 } },
  { name: 'owners_of_resource', key: { 'owners.name': 1, 'owners.namespace': 1, 'owners.source': 1, _id: 1 } },
];

const VERSIONS = 'store_schema';
const ID = 'store';

interface SchemaVersion {
  readonly _id: string;
  readonly version: number;
}

/**
 * Makes the indexes and records the schema's version. Replicas that start at once may all do it. A version that adds an
 * index to a large store will have to wait longer for it than `socketTimeoutMS` of connection.ts.
 * @throws Error when a newer release has written the database; nothing is changed then.
 */
export async function migrate(database: Db): Promise<void> {
  await refuseNewer(database);
  await database.collection('entities').createIndexes([...INDEXES]);
  try {
    await database
      .collection<SchemaVersion>(VERSIONS)
      .updateOne(
        { _id: ID, version: { $lt: SCHEMA_VERSION } },
        { $set: { version: SCHEMA_VERSION } },
        { upsert: true },
      );
  } catch (error) {
    // It has this version already, or another replica was quicker with this or a newer one.
    if (!isDuplicate(error)) throw error;
    await refuseNewer(database);
  }
}

async function refuseNewer(database: Db): Promise<void> {
  const found = await database.collection<SchemaVersion>(VERSIONS).findOne({ _id: ID });
  if (found === null || found.version <= SCHEMA_VERSION) return;
  throw new Error(
    `the store has schema version ${found.version}, this release knows ${SCHEMA_VERSION}: start the newer release`,
  );
}
