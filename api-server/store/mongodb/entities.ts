import type { Collection, Db, Filter } from 'mongodb';
import type {
  DocumentVersion,
  EntityDocument,
  EntityStore,
  Fence,
  HoldersRequest,
  ListRequest,
  OwnedThing,
  OwnersRequest,
} from '../port.ts';
import { fromMongo, type MongoEntity, toMongo } from './document.ts';
import { isDuplicate } from './errors.ts';
import type { MongodbFences } from './fences.ts';
import { findOwners } from './owners.ts';
import { page } from './page.ts';
import { IN_OUTBOX } from './schema.ts';

/** Documents that one operation names. */
const AT_ONCE = 250;

export class MongodbEntities implements EntityStore {
  readonly #entities: Collection<MongoEntity>;
  readonly #fences: MongodbFences;
  readonly #clock = new DirtyClock();

  constructor(database: Db, fences: MongodbFences) {
    this.#fences = fences;
    this.#entities = database.collection('entities');
  }

  async get(urn: string): Promise<EntityDocument | undefined> {
    const found = await this.#entities.findOne({ _id: urn });
    return found === null ? undefined : fromMongo(found);
  }

  async getMany(urns: readonly string[]): Promise<EntityDocument[]> {
    const documents: EntityDocument[] = [];
    for (const some of inParts([...new Set(urns)])) {
      const found = await page(this.#entities.find({ _id: { $in: some } }), some.length);
      documents.push(...found.map(fromMongo));
    }
    return documents;
  }

  async list({ entityType, after = '', limit }: ListRequest): Promise<EntityDocument[]> {
    const ofType = entityType === undefined ? {} : { entityType };
    const found = await page(this.#entities.find({ ...ofType, _id: { $gt: after } }).sort({ _id: 1 }), limit);
    return found.map(fromMongo);
  }

  count(after = ''): Promise<number> {
    return this.#entities.countDocuments({ _id: { $gt: after } });
  }

  async insert(document: EntityDocument, fence?: Fence): Promise<boolean> {
    if (fence !== undefined) await this.#fences.check(fence);
    try {
      await this.#entities.insertOne(toMongo(document, this.#clock.next()));
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  async replace(document: EntityDocument, { incarnation, revision }: DocumentVersion, fence?: Fence): Promise<boolean> {
    if (fence !== undefined) await this.#fences.check(fence);
    const { matchedCount } = await this.#entities.replaceOne(
      { _id: document.urn, incarnation, revision },
      toMongo(document, this.#clock.next()),
    );
    return matchedCount === 1;
  }

  async dirty(limit: number): Promise<EntityDocument[]> {
    return (await page(this.#entities.find(IN_OUTBOX).sort({ dirty: 1, _id: 1 }), limit)).map(fromMongo);
  }

  countDirty(): Promise<number> {
    return this.#entities.countDocuments(IN_OUTBOX);
  }

  async clean(versions: readonly (DocumentVersion & { readonly urn: string })[]): Promise<void> {
    for (const some of inParts(versions)) {
      const updates = some.map(({ urn, incarnation, revision }) => ({
        updateOne: { filter: { _id: urn, incarnation, revision }, update: { $unset: { dirty: 1 as const } } },
      }));
      await this.#entities.bulkWrite(updates, { ordered: false });
    }
  }

  async purge(before: number, limit: number): Promise<number> {
    const purgeable: Filter<MongoEntity> = { deleted: { $gt: 0, $lt: before }, dirty: { $exists: false } };
    const found = await page(this.#entities.find(purgeable, { projection: { _id: 1 } }), limit);
    let purged = 0;
    for (const some of inParts(found)) {
      // The condition again: one of them may have got a new life since.
      const ids = some.map(({ _id }) => _id);
      purged += (await this.#entities.deleteMany({ ...purgeable, _id: { $in: ids } })).deletedCount;
    }
    return purged;
  }

  async holders({ propertyUrn, epoch, after = '', limit }: HoldersRequest): Promise<string[]> {
    const found = this.#entities.find({ ...holding(propertyUrn, epoch), _id: { $gt: after } });
    return (await page(found.sort({ _id: 1 }).project<{ _id: string }>({ _id: 1 }), limit)).map(({ _id }) => _id);
  }

  countHolders(propertyUrn: string, epoch?: string): Promise<number> {
    return this.#entities.countDocuments(holding(propertyUrn, epoch));
  }

  owners(request: OwnersRequest): Promise<OwnedThing[]> {
    return findOwners(this.#entities, request);
  }
}

/** Property and epoch have to meet in one assignment; without an epoch the index alone can answer. */
function holding(propertyUrn: string, epoch: string | undefined): Filter<MongoEntity> {
  return epoch === undefined
    ? { 'assignments.propertyUrn': propertyUrn }
    : { assignments: { $elemMatch: { propertyUrn, epoch } } };
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += AT_ONCE) yield all.slice(start, start + AT_ONCE);
}

/**
 * Numbers by which the outbox is ordered. Those of one process grow with each write. Between replicas only their clocks
 * decide, and a clock that is wrong makes a document wait longer or less long: nothing more, because an index entry
 * carries (incarnation, revision) and order between entities means nothing to it. So no counter has to be shared.
 */
class DirtyClock {
  #last = 0;

  /** Microseconds since 1970-01-01T00:00:00Z, or one more than the last number. */
  next(): number {
    this.#last = Math.max(this.#last + 1, Date.now() * 1000);
    return this.#last;
  }
}
