import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { type Fence, READ_BYTES, type RecordStore, type StoredRecord } from '../port.ts';
import { isDuplicate } from './errors.ts';
import type { MongodbFences } from './fences.ts';
import { pageWithin } from './page.ts';

interface MongoRecord {
  /** Kind and id with NUL, which no kind has, between them: records of a kind are together, in the order of their ids. */
  readonly _id: string;
  readonly revision: string;
  /** JSON, for the reasons that `MongoEntity` has. */
  readonly body: string;
}

export class MongodbRecords implements RecordStore {
  readonly #records: Collection<MongoRecord>;
  readonly #fences: MongodbFences;

  constructor(database: Db, fences: MongodbFences) {
    this.#fences = fences;
    this.#records = database.collection('records');
  }

  async get<T>(kind: string, id: string): Promise<StoredRecord<T> | undefined> {
    const record = await this.#records.findOne({ _id: keyOf(kind, id) });
    return record === null ? undefined : readRecord<T>(record);
  }

  async put(
    kind: string,
    id: string,
    body: unknown,
    expected: string | undefined,
    fence?: Fence,
  ): Promise<string | undefined> {
    if (fence !== undefined) await this.#fences.check(fence);
    const record = { revision: randomUUID(), body: JSON.stringify(body) };
    const written =
      expected === undefined
        ? await this.#insert({ _id: keyOf(kind, id), ...record })
        : (await this.#records.updateOne({ _id: keyOf(kind, id), revision: expected }, { $set: record })).matchedCount;
    return written === 0 ? undefined : record.revision;
  }

  async delete(kind: string, id: string, expected: string, fence?: Fence): Promise<boolean> {
    if (fence !== undefined) await this.#fences.check(fence);
    return (await this.#records.deleteOne({ _id: keyOf(kind, id), revision: expected })).deletedCount !== 0;
  }

  async list<T>(
    kind: string,
    after: string | undefined,
    limit: number,
    maxBytes = READ_BYTES,
  ): Promise<StoredRecord<T>[]> {
    const ofKind = { $gt: keyOf(kind, after ?? ''), $lt: `${kind}\u0001` };
    const found = this.#records.find({ _id: ofKind }).sort({ _id: 1 });
    const records = await pageWithin(found, limit, maxBytes, ({ body }) => body.length);
    return records.map((record) => readRecord<T>(record));
  }

  /** @returns how many were written. */
  async #insert(record: MongoRecord): Promise<0 | 1> {
    try {
      await this.#records.insertOne(record);
      return 1;
    } catch (error) {
      if (isDuplicate(error)) return 0;
      throw error;
    }
  }
}

function keyOf(kind: string, id: string): string {
  return `${kind}\0${id}`;
}

function readRecord<T>({ _id, revision, body }: MongoRecord): StoredRecord<T> {
  return { id: _id.slice(_id.indexOf('\0') + 1), revision, body: JSON.parse(body) as T };
}
