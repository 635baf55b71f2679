import type { Collection, Db, Filter } from 'mongodb';
import {
  type DocumentsRead,
  type DocumentVersion,
  type EntityDocument,
  type EntityStore,
  type Fence,
  type HoldersRequest,
  type ListRequest,
  type OwnedThing,
  type OwnersRequest,
  READ_BYTES,
  type StoredVersion,
} from '../port.ts';
import { fromMongo, type MongoEntity, sizeOf, toMongo } from './document.ts';
import { isDuplicate } from './errors.ts';
import type { MongodbFences } from './fences.ts';
import { findOwners } from './owners.ts';
import { page, pageWithin } from './page.ts';
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

  async getMany(urns: readonly string[], maxBytes: number): Promise<DocumentsRead> {
    const documents: EntityDocument[] = [];
    let bytes = 0;
    let reached = 0;
    for (const some of inParts(urns)) {
      if (bytes >= maxBytes) break;
      const read = await this.#getSome(some, maxBytes - bytes);
      for (const each of read.documents) documents.push(each);
      bytes += read.bytes;
      reached += read.reached;
    }
    return { documents, bytes, reached };
  }

  /** All at once when they are small; one after the other when they are not, so that those named first come first. */
  async #getSome(urns: readonly string[], maxBytes: number): Promise<DocumentsRead> {
    const found = this.#entities.find({ _id: { $in: [...urns] } });
    const some = await pageWithin(found, urns.length, maxBytes, sizeOf);
    const bytes = some.reduce((sum, one) => sum + sizeOf(one), 0);
    if (bytes >= maxBytes) return this.#getEach(urns, maxBytes);
    const byUrn = new Map(some.map((one) => [one._id, one]));
    const documents = urns.flatMap((urn) => byUrn.get(urn) ?? []).map(fromMongo);
    return { documents, bytes, reached: urns.length };
  }

  async #getEach(urns: readonly string[], maxBytes: number): Promise<DocumentsRead> {
    const documents: EntityDocument[] = [];
    let bytes = 0;
    let reached = 0;
    for (const urn of urns) {
      if (bytes >= maxBytes) break;
      reached += 1;
      const found = await this.#entities.findOne({ _id: urn });
      if (found === null) continue;
      bytes += sizeOf(found);
      documents.push(fromMongo(found));
    }
    return { documents, bytes, reached };
  }

  async versions(urns: readonly string[]): Promise<StoredVersion[]> {
    const versions: StoredVersion[] = [];
    const projection = { incarnation: 1, revision: 1, deleted: 1 } as const;
    for (const some of inParts([...new Set(urns)])) {
      const found = this.#entities
        .find({ _id: { $in: some } })
        .project<Omit<StoredVersion, 'urn'> & { _id: string }>(projection);
      for (const { _id: urn, ...version } of await page(found, some.length)) versions.push({ urn, ...version });
    }
    return versions;
  }

  async list({ entityType, after = '', limit, maxBytes = READ_BYTES }: ListRequest): Promise<EntityDocument[]> {
    const ofType = entityType === undefined ? {} : { entityType };
    const found = this.#entities.find({ ...ofType, _id: { $gt: after } }).sort({ _id: 1 });
    return (await pageWithin(found, limit, maxBytes, sizeOf)).map(fromMongo);
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
    const found = this.#entities.find(IN_OUTBOX).sort({ dirty: 1, _id: 1 });
    return (await pageWithin(found, limit, READ_BYTES, sizeOf)).map(fromMongo);
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

  async purge(before: number, limit: number, after = Number.MAX_SAFE_INTEGER): Promise<number> {
    const purgeable: Filter<MongoEntity> = {
      $or: [{ deleted: { $gt: 0, $lt: before } }, { deleted: { $gt: after } }],
      dirty: { $exists: false },
    };
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
