import type { Db, MongoClient } from 'mongodb';
import type { EntityStore, FenceStore, RecordStore, Store } from '../port.ts';
import { withErrorsOf } from '../with-errors-of.ts';
import { addressOf, clientOf, databaseOf } from './connection.ts';
import { MongodbEntities } from './entities.ts';
import { storeErrorOf } from './errors.ts';
import { MongodbFences } from './fences.ts';
import { MongodbRecords } from './records.ts';
import { migrate } from './schema.ts';

/**
 * The store in MongoDB 5 or newer: standalone, replica set or sharded cluster. Methods reject with a StoreError when it
 * is away, after about ten seconds at most (see connection.ts), and answer again when it is back.
 */
export class MongodbStore implements Store {
  readonly entities: EntityStore;
  readonly records: RecordStore;
  readonly fences: FenceStore;
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #address: string;

  private constructor(client: MongoClient, database: Db) {
    this.#client = client;
    this.#database = database;
    this.#address = addressOf(client);
    const fences = new MongodbFences(database);
    const translate = (error: unknown) => storeErrorOf(error, this.#address);
    this.fences = withErrorsOf(fences, translate);
    this.entities = withErrorsOf(new MongodbEntities(database, fences), translate);
    this.records = withErrorsOf(new MongodbRecords(database, fences), translate);
  }

  /**
   * Connects, and makes or migrates what the store needs.
   * @param options.uri `mongodb://…` or `mongodb+srv://…`.
   * @param options.database instead of the one that the address names (`proplane` when it names none).
   * @throws StoreError when the server does not answer. @throws Error when it refuses, when the address cannot be read,
   * or when a newer release has written the database.
   */
  static async open(options: { readonly uri: string; readonly database?: string }): Promise<MongodbStore> {
    const client = clientOf(options.uri);
    try {
      await client.connect();
      const database = client.db(options.database ?? databaseOf(options.uri));
      await migrate(database);
      return new MongodbStore(client, database);
    } catch (error) {
      await client.close();
      throw storeErrorOf(error, addressOf(client));
    }
  }

  async ping(): Promise<void> {
    try {
      await this.#database.command({ ping: 1 });
    } catch (error) {
      throw storeErrorOf(error, this.#address);
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
